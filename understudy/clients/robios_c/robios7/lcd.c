/* RoBIOS-7: the screen. */

#include "eyebot.h"
#include "pictures.h"
#include "printing.h"
#include "robios.h"

#define RGB 0xFFFFFF
#define MOST_SIDE 10000 /* of an image */
enum shape { PIXEL, LINE, AREA, CIRCLE };

/* ---- text */

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

API int LCDClear(void) {
    robios_begin(NOTHING);
    robios_call(LCD_CLEAR, "");
    robios_end();
    return 0;
}

static int order(enum robios_call call, int one, int two) {
    robios_begin(NOTHING);
    robios_call(call, "ii", one, two);
    robios_end();
    return 0;
}

API int LCDSetPos(int row, int column) { return order(LCD_CURSOR, row, column); }
API int LCDSetColor(COLOR foreground, COLOR background) { return order(LCD_COLOURS, foreground & RGB, background & RGB); }
API int LCDSetFont(int font, int variation) { return order(LCD_FONT, font, variation); }

API int LCDGetPos(int *row, int *column) { return robios_cursor(row, column); }

static int set_font_size(int size) {
    static const int sizes[] = {8, 10, 12, 14, 18, 24};
    bool known = false;
    for (size_t index = 0; index < sizeof sizes / sizeof *sizes; index++) known = known || sizes[index] == size;
    robios_begin(NOTHING);
    if (known) robios_call(LCD_FONT_SIZE, "i", size);
    robios_end();
    return !known;
}

API int LCDSetFontSize(int size) { return set_font_size(size); }
API int LCDFontSize(int size) { return set_font_size(size); }

API int LCDSetMode(int mode) {
    robios_begin(NOTHING);
    robios_call(LCD_MODE, "i", mode);
    robios_end();
    return 0;
}

/* ---- menu */

API int LCDMenu(const char *one, const char *two, const char *three, const char *four) {
    return robios_menu(one, two, three, four);
}

API int LCDMenuI(int position, const char *label, COLOR foreground, COLOR background) {
    bool valid = position >= 1 && position <= 4;
    if (!label) label = "";
    robios_begin(NOTHING);
    if (valid) robios_call(LCD_MENU_ITEM, "iii*", position, foreground & RGB, background & RGB, label, strlen(label));
    robios_end();
    return !valid;
}

/* ---- graphics */

API int LCDGetSize(int *x, int *y) {
    robios_begin(NOTHING);
    *x = robios.welcome.screen[0];
    *y = robios.welcome.screen[1];
    robios_end();
    return 0;
}

API int LCDPixel(int x, int y, COLOR colour) {
    robios_begin(NOTHING);
    robios_call(LCD_PIXEL, "iii", x, y, colour & RGB);
    robios_end();
    return 0;
}

API COLOR LCDGetPixel(int x, int y) { return robios_pixel(x, y); }

API int LCDLine(int x1, int y1, int x2, int y2, COLOR colour) {
    robios_begin(NOTHING);
    robios_call(LCD_LINE, "iiiii", x1, y1, x2, y2, colour & RGB);
    robios_end();
    return 0;
}

API int LCDArea(int x1, int y1, int x2, int y2, COLOR colour, int fill) {
    robios_begin(NOTHING);
    robios_call(LCD_AREA, "iiiii?", x1, y1, x2, y2, colour & RGB, fill);
    robios_end();
    return 0;
}

API int LCDCircle(int x, int y, int radius, COLOR colour, int fill) {
    robios_begin(NOTHING);
    robios_call(LCD_CIRCLE, "iiii?", x, y, radius, colour & RGB, fill);
    robios_end();
    return 0;
}

static int invert(enum shape shape, int x1, int y1, int x2, int y2) {
    robios_begin(NOTHING);
    robios_call(LCD_INVERT, "iiiii", shape, x1, y1, x2, y2);
    robios_end();
    return 0;
}

API int LCDPixelInvert(int x, int y) { return invert(PIXEL, x, y, 0, 0); }
API int LCDLineInvert(int x1, int y1, int x2, int y2) { return invert(LINE, x1, y1, x2, y2); }
API int LCDAreaInvert(int x1, int y1, int x2, int y2) { return invert(AREA, x1, y1, x2, y2); }
API int LCDCircleInvert(int x, int y, int radius) { return invert(CIRCLE, x, y, radius, 0); }

/* ---- images: until the program sets an area, it has the size of the camera's images */

static struct {
    int x, y, width, height;
    bool chosen;
} area = {.width = QVGA_X, .height = QVGA_Y};

static void set_area(int x, int y, int width, int height) {
    area.x = x, area.y = y, area.width = width, area.height = height;
    robios_call(LCD_IMAGE_AREA, "iiii", x, y, width, height);
}

void robios_follow_camera(int width, int height) {
    if (!area.chosen && (width != area.width || height != area.height)) set_area(area.x, area.y, width, height);
}

API int LCDImageSize(int resolution) {
    int width, height;
    bool known = robios_resolution(resolution, &width, &height);
    robios_begin(NOTHING);
    if (known) set_area(area.x, area.y, width, height);
    area.chosen = area.chosen || known;
    robios_end();
    return !known;
}

API int LCDImageStart(int x, int y, int width, int height) {
    bool valid = width > 0 && width <= MOST_SIDE && height > 0 && height <= MOST_SIDE;
    robios_begin(NOTHING);
    if (valid) set_area(x, y, width, height);
    area.chosen = area.chosen || valid;
    robios_end();
    return !valid;
}

static int show(const void *pixels, int channels, bool binary) {
    robios_begin(NOTHING);
    size_t size = (size_t)area.width * (size_t)area.height * (size_t)channels;
    if (pixels) robios_call(LCD_IMAGE, "i?*", channels, binary, pixels, size);
    robios_end();
    return !pixels;
}

API int LCDImage(const void *rgb) { return show(rgb, 3, false); }
API int LCDImageGray(const void *gray) { return show(gray, 1, false); }
API int LCDImageBinary(const void *binary) { return show(binary, 1, true); }

API int LCDRefresh(void) {
    robios_begin(NOTHING);
    robios_end();
    return 0;
}
