/* Classic RoBIOS: the screen of 128 x 64 pixels; a value is 0 (clear), 1 (set) or 2 (invert). */

#include "eyebot.h"
#include "pictures.h"
#include "printing.h"
#include "robios.h"

#define WIDTH 128
#define HEIGHT 64

/* On a screen in colour, clear is black and set is white. */
static int colour_of(int value) {
    bool colours = robios.welcome.screen[0] > WIDTH;
    return !colours ? (value < 0 || value > 2 ? 1 : value) : value == 0 ? 0x000000 : 0xFFFFFF;
}

static bool must_invert(int value) { return value == 2 && robios.welcome.screen[0] > WIDTH; }

/* ---- text */

static FORMATTED(1, 2) int print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int problem = robios_print(format, arguments);
    va_end(arguments);
    return problem;
}

static FORMATTED(3, 4) int print_at(int row, int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int problem = robios_print_at(row, column, format, arguments);
    va_end(arguments);
    return problem;
}

API int LCDPrintf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int problem = robios_print(format, arguments);
    va_end(arguments);
    return problem;
}

API int LCDSetPrintf(int row, int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int problem = robios_print_at(row, column, format, arguments);
    va_end(arguments);
    return problem;
}

API int LCDPutChar(int letter) { return print("%c", letter); }
API int LCDSetChar(int row, int column, int letter) { return print_at(row, column, "%c", letter); }
API int LCDPutString(const char *text) { return print("%s", text); }
API int LCDSetString(int row, int column, const char *text) { return print_at(row, column, "%s", text); }
API int LCDPutHex(int value) { return print("%08X", (unsigned)value); }
API int LCDPutHex1(int value) { return print("%02X", (unsigned)value & 255u); }
API int LCDPutInt(int value) { return print("%d", value); }
API int LCDPutIntS(int value, int width) { return print("%*d", width, value); }
API int LCDPutFloat(double value) { return print("%f", value); }
API int LCDPutFloatS(double value, int width, int decimals) { return print("%*.*f", width, decimals, value); }

API int LCDClear(void) {
    robios_begin(NOTHING);
    robios_call(LCD_CLEAR, "");
    robios_end();
    return 0;
}

API int LCDSetPos(int row, int column) {
    robios_begin(NOTHING);
    robios_call(LCD_CURSOR, "ii", row, column);
    robios_end();
    return 0;
}

API int LCDGetPos(int *row, int *column) { return robios_cursor(row, column); }

API int LCDMode(int flags) {
    robios_begin(NOTHING);
    if (flags & (SCROLLING | NONSCROLLING)) robios_call(LCD_MODE, "i", flags & SCROLLING ? 0x0002 : 0x0200);
    robios_end();
    return 0;
}

API int LCDMenu(const char *one, const char *two, const char *three, const char *four) {
    return robios_menu(one, two, three, four);
}

API int LCDMenuI(int position, const char *label) {
    bool valid = position >= 1 && position <= 4 && label;
    robios_begin(NOTHING);
    if (valid) robios_call(LCD_MENU_ITEM, "iii*", position, colour_of(1), colour_of(0), label, strlen(label));
    robios_end();
    return !valid;
}

/* ---- graphics */

API int LCDSetPixel(int row, int column, int value) {
    robios_begin(NOTHING);
    if (must_invert(value))
        robios_call(LCD_INVERT, "iiiii", 0, column, row, 0, 0);
    else
        robios_call(LCD_PIXEL, "iii", column, row, colour_of(value));
    robios_end();
    return 0;
}

API int LCDInvertPixel(int row, int column) {
    robios_begin(NOTHING);
    robios_call(LCD_INVERT, "iiiii", 0, column, row, 0, 0);
    robios_end();
    return 0;
}

API int LCDGetPixel(int row, int column) { return robios_pixel(column, row) != 0; }

API int LCDLine(int x1, int y1, int x2, int y2, int value) {
    robios_begin(NOTHING);
    if (must_invert(value))
        robios_call(LCD_INVERT, "iiiii", 1, x1, y1, x2, y2);
    else
        robios_call(LCD_LINE, "iiiii", x1, y1, x2, y2, colour_of(value));
    robios_end();
    return 0;
}

API int LCDArea(int x1, int y1, int x2, int y2, int value) {
    robios_begin(NOTHING);
    if (must_invert(value))
        robios_call(LCD_INVERT, "iiiii", 2, x1, y1, x2, y2);
    else
        robios_call(LCD_AREA, "iiiii?", x1, y1, x2, y2, colour_of(value), 1);
    robios_end();
    return 0;
}

/* ---- images */

static int show(const byte *pixels, int width, int height, int channels, bool binary) {
    size_t size = (size_t)width * (size_t)height * (size_t)channels;
    robios_begin(NOTHING);
    robios_call(LCD_IMAGE_AREA, "iiii", 0, 0, width, height);
    robios_call(LCD_IMAGE, "i?*", channels, binary, pixels, size);
    robios_end();
    return 0;
}

/* Show an image without its border. */
static int show_inner(const byte *picture, int channels) {
    byte inner[(imagerows - 2) * (imagecolumns - 2) * 3];
    size_t row = (size_t)(imagecolumns - 2) * (size_t)channels;
    for (size_t y = 0; y < imagerows - 2; y++)
        memcpy(inner + y * row, picture + ((y + 1) * imagecolumns + 1) * (size_t)channels, row);
    return show(inner, imagecolumns - 2, imagerows - 2, channels, false);
}

API int LCDPutGraphic(const void *picture) { return show_inner(picture, 1); }
API int LCDPutColorGraphic(const void *picture) { return show_inner(picture, 3); }

API int LCDPutImage(const void *bits) {
    byte pixels[WIDTH * HEIGHT];
    for (int at = 0; at < WIDTH * HEIGHT; at++) pixels[at] = ((const byte *)bits)[at / 8] >> (7 - at % 8) & 1;
    return show(pixels, WIDTH, HEIGHT, 1, true);
}

/* ---- keys */

static int await_key(int wanted) {
    robios_begin(NOTHING);
    int key = robios_await_key(wanted ? (unsigned)wanted : ANYKEY);
    robios_end();
    return key;
}

API int KEYGet(void) { return await_key(ANYKEY); }
API int KEYWait(int key) { return await_key(key); }

API int KEYGetBuf(char *key) {
    *key = (char)await_key(ANYKEY);
    return 0;
}

API int KEYRead(void) {
    robios_begin(NOTHING);
    int key = robios_read_key();
    robios_end();
    return key;
}
