/* Text of printf for the LCD, for both APIs. */
#ifndef ROBIOS_PRINTING_H
#define ROBIOS_PRINTING_H

#include "robios.h"

int robios_print(const char *format, va_list arguments); /* at the cursor */
int robios_print_at(int row, int column, const char *format, va_list arguments);
int robios_menu(const char *one, const char *two, const char *three, const char *four);
int robios_cursor(int *row, int *column);
int robios_pixel(int x, int y);

#endif
