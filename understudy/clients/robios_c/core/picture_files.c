/* Picture files: PNM (P1 to P6) read, PGM and PPM written; a folder of them in place of a camera. */

#include "pictures.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define MOST_PIXELS 50000000
#define PATH_SIZE 4096

struct picture {
    int width, height, channels;
    bool binary;
    byte *data; /* to be freed */
};

/* ---- reading */

static int skip(FILE *file) {
    int letter = getc(file);
    while (letter == '#' || isspace(letter)) {
        if (letter == '#')
            while (letter != '\n' && letter != EOF) letter = getc(file);
        letter = getc(file);
    }
    return letter;
}

/* Read a whole number; -1 if there is none. */
static int number(FILE *file) {
    int letter = skip(file), value = 0, digits = 0;
    for (; isdigit(letter) && digits < 9; letter = getc(file), digits++) value = 10 * value + letter - '0';
    if (digits < 9 || !isdigit(letter)) ungetc(letter, file);
    return digits ? value : -1;
}

static int bit(FILE *file, bool packed, int x) {
    static int eight;
    if (!packed) {
        int letter = skip(file);
        return letter == '0' || letter == '1' ? letter - '0' : -1;
    }
    if (x % 8 == 0) eight = getc(file);
    return eight == EOF ? -1 : eight >> (7 - x % 8) & 1;
}

static int sample(FILE *file, bool packed, int most) {
    if (!packed) return number(file);
    int high = most > 255 ? getc(file) : 0, low = getc(file);
    return high == EOF || low == EOF ? -1 : high << 8 | low;
}

static bool read_pixels(FILE *file, struct picture *picture, bool packed, int most) {
    byte *to = picture->data;
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width * picture->channels; x++) {
            int value = picture->binary ? bit(file, packed, x) : sample(file, packed, most);
            if (value < 0) return false;
            if (value > most) value = most;
            *to++ = (byte)(picture->binary ? 255 * (1 - value) : (int)((int64_t)value * 255 / most));
        }
    return true;
}

static bool read_open(FILE *file, struct picture *picture) {
    int letter = getc(file), kind = getc(file) - '0';
    if (letter != 'P' || kind < 1 || kind > 6) return false;
    picture->binary = kind == 1 || kind == 4;
    picture->channels = kind == 3 || kind == 6 ? 3 : 1;
    picture->width = number(file);
    picture->height = number(file);
    int most = picture->binary ? 1 : number(file);
    getc(file); /* one blank after the header */
    if (picture->width < 1 || picture->height < 1 || most < 1 || most > 65535) return false;
    if ((int64_t)picture->width * picture->height > MOST_PIXELS) return false;
    picture->data = malloc((size_t)picture->width * (size_t)picture->height * (size_t)picture->channels);
    return picture->data && read_pixels(file, picture, kind > 3, most);
}

static bool read_picture(const char *name, struct picture *picture) {
    FILE *file = fopen(name, "rb");
    *picture = (struct picture){0};
    if (!file) return false;
    bool valid = read_open(file, picture);
    fclose(file);
    if (valid) return true;
    free(picture->data);
    errno = EINVAL;
    return false;
}

int robios_read_pnm(const char *name, byte *pixels, int width, int height) {
    struct picture picture;
    if (!read_picture(name, &picture)) return -1;
    size_t step = (size_t)picture.channels, row = (size_t)picture.width * step;
    size_t kept = (size_t)(picture.width < width ? picture.width : width) * step;
    memset(pixels, 0, (size_t)width * (size_t)height * step);
    for (int y = 0; y < height && y < picture.height; y++)
        memcpy(pixels + (size_t)y * (size_t)width * step, picture.data + (size_t)y * row, kept);
    free(picture.data);
    return picture.channels == 3 ? 3 : picture.binary ? 1 : 2;
}

bool robios_write_pnm(const char *name, const byte *picture, int width, int height, int channels) {
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    size_t size = (size_t)width * (size_t)height * (size_t)channels;
    fprintf(file, "P%d\n%d %d\n255\n", channels == 3 ? 6 : 5, width, height);
    bool written = fwrite(picture, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

/* ---- instead of a camera */

static int is_picture(const struct dirent *entry) {
    static const char *suffixes[] = {".pnm", ".ppm", ".pgm", ".pbm"};
    const char *dot = strrchr(entry->d_name, '.');
    for (size_t index = 0; dot && index < sizeof suffixes / sizeof *suffixes; index++)
        if (!strcasecmp(dot, suffixes[index])) return 1;
    return 0;
}

/* Find the next file of a folder, from the first again after the last. */
static bool next_file(const char *folder, char path[PATH_SIZE]) {
    static unsigned turn;
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_picture, alphasort);
    if (count > 0) snprintf(path, PATH_SIZE, "%s/%s", folder, entries[turn++ % (unsigned)count]->d_name);
    for (int index = 0; index < count; index++) free(entries[index]);
    free(entries);
    return count > 0;
}

static void scale(const struct picture *picture, int width, int height, byte *rgb) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, rgb += 3) {
            size_t column = (size_t)((int64_t)x * picture->width / width);
            size_t row = (size_t)((int64_t)y * picture->height / height);
            const byte *from = picture->data + (row * (size_t)picture->width + column) * (size_t)picture->channels;
            for (int channel = 0; channel < 3; channel++) rgb[channel] = from[picture->channels == 3 ? channel : 0];
        }
}

bool robios_file_picture(const char *source, int width, int height, byte *rgb) {
    char path[PATH_SIZE];
    struct stat status;
    struct picture picture;
    bool folder = stat(source, &status) == 0 && S_ISDIR(status.st_mode);
    snprintf(path, sizeof path, "%s", source);
    memset(rgb, 0, (size_t)width * (size_t)height * 3);
    if (folder && !next_file(source, path)) {
        robios_warn("EYESIM_CAMERA: %s has no pictures (PNM)", source);
        return false;
    }
    if (!read_picture(path, &picture)) {
        robios_warn("EYESIM_CAMERA: %s cannot be read as PNM: %s", path, strerror(errno));
        return false;
    }
    scale(&picture, width, height, rgb);
    free(picture.data);
    return true;
}
