/* How long a sound file plays. */

#include "robios.h"

#include <stdio.h>
#include <string.h>

#define UNKNOWN_US 1000000 /* of a file whose length we cannot read */

static uint32_t u32(FILE *file) {
    unsigned char bytes[4] = {0};
    return fread(bytes, 1, 4, file) == 4 ? (uint32_t)robios_number(bytes, 4) : 0;
}

/* Return the duration of an open WAV file: chunks of a name, a size and content; 0 if it is not one. */
static int64_t wav_us(FILE *file) {
    char name[4], format[16] = "";
    uint32_t rate = 0, frame_bytes = 0;
    if (fread(name, 1, 4, file) != 4 || memcmp(name, "RIFF", 4) || (u32(file), fread(name, 1, 4, file)) != 4) return 0;
    while (fread(name, 1, 4, file) == 4) {
        uint32_t size = u32(file), padded = size + (size & 1);
        if (!memcmp(name, "data", 4)) return frame_bytes && rate ? (int64_t)(size / frame_bytes) * 1000000 / rate : 0;
        if (!memcmp(name, "fmt ", 4) && size >= 16 && fread(format, 1, 16, file) == 16) {
            rate = (uint32_t)robios_number((unsigned char *)format + 4, 4);
            frame_bytes = (uint32_t)robios_number((unsigned char *)format + 12, 2);
            padded -= 16;
        }
        if (fseek(file, (long)padded, SEEK_CUR)) return 0;
    }
    return 0;
}

int64_t robios_sound_us(const char *name) {
    FILE *file = fopen(name, "rb");
    int64_t us = file ? wav_us(file) : 0;
    if (file) fclose(file);
    return us ? us : UNKNOWN_US;
}
