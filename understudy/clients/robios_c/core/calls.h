/* The calls and queries of the wire: name, number, form of the arguments.
 *
 * Forms are those of Python's struct, least byte first and without gaps: d f64, i i32, I u32, q i64, ? one byte.
 * "*" stands for the bytes that follow. understudy/protocols/robios/calls.py is the other side; a test compares both.
 */
#ifndef ROBIOS_CALLS_H
#define ROBIOS_CALLS_H

#define ROBIOS_CALLS(ROW)             \
    ROW(SET_SPEED, 1, "ddd")          \
    ROW(SET_POSITION, 2, "ddd")       \
    ROW(STRAIGHT, 3, "dd")            \
    ROW(TURN, 4, "dd")                \
    ROW(CURVE, 5, "ddd")              \
    ROW(DRIVE_TO, 6, "ddd")           \
    ROW(CONTROL, 7, "?dddd")          \
    ROW(MOTOR_DRIVE, 10, "ii")        \
    ROW(MOTOR_SPEED, 11, "ii")        \
    ROW(MOTOR_PID, 12, "iiii")        \
    ROW(ENCODER_RESET, 13, "i")       \
    ROW(SERVO_SET, 14, "ii")          \
    ROW(SERVO_RANGE, 15, "iii")       \
    ROW(RADIO_POWER, 20, "?")         \
    ROW(RADIO_SEND, 21, "i*")         \
    ROW(RADIO_TAKE, 22, "I")          \
    ROW(TONE, 23, "iq")               \
    ROW(PLAY_FILE, 24, "q*")          \
    ROW(DIGITAL_SETUP, 25, "i*")      \
    ROW(DIGITAL_WRITE, 26, "i?")      \
    ROW(LCD_PRINT, 30, "*")           \
    ROW(LCD_PRINT_AT, 31, "ii*")      \
    ROW(LCD_CLEAR, 32, "")            \
    ROW(LCD_CURSOR, 33, "ii")         \
    ROW(LCD_COLOURS, 34, "ii")        \
    ROW(LCD_FONT, 35, "ii")           \
    ROW(LCD_FONT_SIZE, 36, "i")       \
    ROW(LCD_MODE, 37, "i")            \
    ROW(LCD_MENU, 38, "*")            \
    ROW(LCD_MENU_ITEM, 39, "iii*")    \
    ROW(LCD_PIXEL, 40, "iii")         \
    ROW(LCD_INVERT, 41, "iiiii")      \
    ROW(LCD_LINE, 42, "iiiii")        \
    ROW(LCD_AREA, 43, "iiiii?")       \
    ROW(LCD_CIRCLE, 44, "iiii?")      \
    ROW(LCD_IMAGE_AREA, 45, "iiii")   \
    ROW(LCD_IMAGE, 46, "i?*")         \
    ROW(LCD_COLOUR_FLAGS, 47, "i")    \
    ROW(MOVE_ROBOT, 80, "idddd")      \
    ROW(MOVE_OBJECT, 81, "idddd")     \
    ROW(AT_START, 90, "")

#define ROBIOS_QUERIES(ROW)           \
    ROW(ASK_LIDAR, 1, "Iii")          \
    ROW(ASK_CAMERA, 2, "II")          \
    ROW(ASK_ROBOT, 3, "i")            \
    ROW(ASK_OBJECT, 4, "i")           \
    ROW(ASK_COUNTS, 5, "")            \
    ROW(ASK_RADIO, 6, "")             \
    ROW(ASK_LCD_PIXEL, 7, "ii")       \
    ROW(ASK_LCD_CURSOR, 8, "")        \
    ROW(ASK_MICROPHONE, 9, "")        \
    ROW(ASK_SERVO, 10, "i")           \
    ROW(ASK_SENSORS, 11, "i")

#define ROBIOS_NUMBER(name, number, form) name = number,
enum robios_call { ROBIOS_CALLS(ROBIOS_NUMBER) };
enum robios_query { ROBIOS_QUERIES(ROBIOS_NUMBER) };

#endif
