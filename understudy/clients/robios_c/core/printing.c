/* What the screens of both APIs have in common. */

#include "printing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the text that printf would print, to be freed; NULL if there is none. */
static char *printed(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (text) vsnprintf(text, (size_t)size + 1, format, arguments);
    return text;
}

int robios_print(const char *format, va_list arguments) {
    char *text = printed(format, arguments);
    robios_begin(NOTHING);
    if (text) robios_call(LCD_PRINT, "*", text, strlen(text));
    robios_end();
    free(text);
    return !text;
}

int robios_print_at(int row, int column, const char *format, va_list arguments) {
    char *text = printed(format, arguments);
    robios_begin(NOTHING);
    if (text) robios_call(LCD_PRINT_AT, "ii*", row, column, text, strlen(text));
    robios_end();
    free(text);
    return !text;
}

int robios_menu(const char *one, const char *two, const char *three, const char *four) {
    const char *labels[] = {one, two, three, four};
    struct robios_bytes joined = {0};
    robios_begin(NOTHING);
    for (int index = 0; index < 4; index++) {
        const char *label = labels[index] ? labels[index] : "";
        robios_put(&joined, label, strlen(label) + (index < 3)); /* zeros separate them */
    }
    robios_call(LCD_MENU, "*", joined.data, joined.size);
    robios_end();
    free(joined.data);
    return 0;
}

int robios_cursor(int *row, int *column) {
    size_t size = 0;
    robios_begin(SETTLED | ASKS);
    const unsigned char *answer = robios_ask(&size, ASK_LCD_CURSOR, "");
    bool known = answer && size == 8;
    *row = known ? robios_i32(answer) : 0;
    *column = known ? robios_i32(answer + 4) : 0;
    robios_end();
    return 0;
}

int robios_pixel(int x, int y) {
    size_t size = 0;
    robios_begin(SETTLED | ASKS);
    const unsigned char *answer = robios_ask(&size, ASK_LCD_PIXEL, "ii", x, y);
    int colour = answer && size == 4 ? robios_i32(answer) : 0;
    robios_end();
    return colour;
}
