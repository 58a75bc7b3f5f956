/* RoBIOS-7 for robots of Understudy: millimetres, degrees, milliseconds.
 *
 * Return values are 0 for success and 1 for failure unless stated otherwise. Buffers are declared as void* where a
 * program may have any of BYTE*, char* and the image types.
 */
#ifndef EYEBOT_H
#define EYEBOT_H

#if defined __GNUC__
#pragma GCC system_header
#endif

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types */

typedef int COLOR; /* 0xRRGGBB */
typedef unsigned char BYTE;
typedef int TIMER;

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
#ifndef True
#define True 1
#endif
#ifndef False
#define False 0
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

/* Programs for the X11 version call this before they start threads. */
int XInitThreads(void);

/* ---- colours */

#define RED 0xFF0000
#define GREEN 0x00FF00
#define BLUE 0x0000FF
#define WHITE 0xFFFFFF
#define GRAY 0x808080
#define BLACK 0x000000
#define SILVER 0xC0C0C0
#define LIGHTGRAY 0xD3D3D3
#define DARKGRAY 0xA9A9A9
#define NAVY 0x000080
#define CYAN 0x00EEEE
#define TEAL 0x008080
#define MAGENTA 0xFF00FF
#define PURPLE 0x800080
#define MAROON 0x800000
#define YELLOW 0xFFFF00
#define OLIVE 0x9ACD32
#define ORANGE 0xFFA500

/* ---- LCD */

#define HELVETICA 0
#define TIMES 1
#define COURIER 2
#define NORMAL 0
#define BOLD 1
#define ITALICS 2

#define LCD_BGCOL_TRANSPARENT 0x01
#define LCD_BGCOL_NOTRANSPARENT 0x10
#define LCD_BGCOL_INVERSE 0x02
#define LCD_BGCOL_NOINVERSE 0x20
#define LCD_FGCOL_INVERSE 0x04
#define LCD_FGCOL_NOINVERSE 0x40
#define LCD_AUTOREFRESH 0x0001
#define LCD_NOAUTOREFRESH 0x0100
#define LCD_SCROLLING 0x0002
#define LCD_NOSCROLLING 0x0200
#define LCD_LINEFEED 0x0004
#define LCD_NOLINEFEED 0x0400
#define LCD_SHOWMENU 0x0008
#define LCD_HIDEMENU 0x0800
#define LCD_LISTMENU 0x0010
#define LCD_CLASSICMENU 0x1000
#define LCD_FB_ROTATE 0x0080
#define LCD_FB_NOROTATION 0x8000

int LCDPrintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int LCDSetPrintf(int row, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));
int LCDClear(void);
int LCDSetPos(int row, int column);
int LCDGetPos(int *row, int *column);
int LCDSetColor(COLOR foreground, COLOR background);
int LCDSetFont(int font, int variation);
int LCDSetFontSize(int size);
int LCDFontSize(int size); /* another name of it */
int LCDSetMode(int mode);
int LCDMenu(const char *one, const char *two, const char *three, const char *four);
int LCDMenuI(int position, const char *label, COLOR foreground, COLOR background);
int LCDGetSize(int *x, int *y);
int LCDPixel(int x, int y, COLOR colour);
COLOR LCDGetPixel(int x, int y);
int LCDLine(int x1, int y1, int x2, int y2, COLOR colour);
int LCDArea(int x1, int y1, int x2, int y2, COLOR colour, int fill);
int LCDCircle(int x, int y, int radius, COLOR colour, int fill);
int LCDPixelInvert(int x, int y);
int LCDLineInvert(int x1, int y1, int x2, int y2);
int LCDAreaInvert(int x1, int y1, int x2, int y2);
int LCDCircleInvert(int x, int y, int radius);
int LCDImageSize(int resolution);
int LCDImageStart(int x, int y, int width, int height);
int LCDImage(const void *rgb);
int LCDImageGray(const void *gray);
int LCDImageBinary(const void *binary); /* 0 white, 1 black */
int LCDRefresh(void);

/* ---- keys */

#define NOKEY 0
#define KEY1 1
#define KEY2 2
#define KEY3 4
#define KEY4 8
#define ANYKEY 0xFFFFFFFF

int KEYGet(void);
int KEYRead(void);
int KEYWait(int key); /* returns the key */
int KEYGetXY(int *x, int *y);
int KEYReadXY(int *x, int *y); /* 1: not touched */

/* ---- camera */

#define QQVGA 0
#define QVGA 1
#define VGA 2
#define CAM1MP 3
#define CAMHD 4
#define CAM5MP 5
#define CUSTOM 10

#define QQVGA_X 160
#define QQVGA_Y 120
#define QVGA_X 320
#define QVGA_Y 240
#define VGA_X 640
#define VGA_Y 480
#define CAM1MP_X 1296
#define CAM1MP_Y 730
#define CAMHD_X 1920
#define CAMHD_Y 1080
#define CAM5MP_X 2592
#define CAM5MP_Y 1944
#define QQVGA_PIXELS (QQVGA_X * QQVGA_Y)
#define QVGA_PIXELS (QVGA_X * QVGA_Y)
#define VGA_PIXELS (VGA_X * VGA_Y)
#define CAM1MP_PIXELS (CAM1MP_X * CAM1MP_Y)
#define CAMHD_PIXELS (CAMHD_X * CAMHD_Y)
#define CAM5MP_PIXELS (CAM5MP_X * CAM5MP_Y)
#define QQVGA_SIZE (QQVGA_PIXELS * 3)
#define QVGA_SIZE (QVGA_PIXELS * 3)
#define VGA_SIZE (VGA_PIXELS * 3)
#define CAM1MP_SIZE (CAM1MP_PIXELS * 3)
#define CAMHD_SIZE (CAMHD_PIXELS * 3)
#define CAM5MP_SIZE (CAM5MP_PIXELS * 3)

typedef BYTE QQVGAcol[QQVGA_Y][QQVGA_X][3];
typedef BYTE QQVGAgray[QQVGA_Y][QQVGA_X];
typedef BYTE QVGAcol[QVGA_Y][QVGA_X][3];
typedef BYTE QVGAgray[QVGA_Y][QVGA_X];
typedef BYTE VGAcol[VGA_Y][VGA_X][3];
typedef BYTE VGAgray[VGA_Y][VGA_X];
typedef BYTE CAM1MPcol[CAM1MP_Y][CAM1MP_X][3];
typedef BYTE CAM1MPgray[CAM1MP_Y][CAM1MP_X];
typedef BYTE CAMHDcol[CAMHD_Y][CAMHD_X][3];
typedef BYTE CAMHDgray[CAMHD_Y][CAMHD_X];
typedef BYTE CAM5MPcol[CAM5MP_Y][CAM5MP_X][3];
typedef BYTE CAM5MPgray[CAM5MP_Y][CAM5MP_X];

extern int CAMWIDTH, CAMHEIGHT, CAMPIXELS, CAMSIZE;

int CAMInit(int resolution);
int CAMRelease(void);
int CAMGet(void *rgb);
int CAMGetGray(void *gray);

/* ---- image processing; the size is that of CAMInit or IPSetSize */

int IPSetSize(int resolution);
int IPReadFile(const char *name, void *image); /* 3 colour, 2 gray, 1 black and white, -1 error */
int IPWriteFile(const char *name, const void *rgb);
int IPWriteFileGray(const char *name, const void *gray);
void IPLaplace(const void *gray, void *edges);
void IPSobel(const void *gray, void *edges);
void IPCol2Gray(const void *rgb, void *gray);
void IPGray2Col(const void *gray, void *rgb);
void IPRGB2Col(const void *red, const void *green, const void *blue, void *rgb);
void IPCol2HSI(const void *rgb, void *hue, void *saturation, void *intensity);
void IPOverlay(const void *below, const void *above, void *rgb);
void IPOverlayGray(const void *below, const void *above, COLOR colour, void *rgb);
COLOR IPPRGB2Col(BYTE red, BYTE green, BYTE blue);
void IPPCol2RGB(COLOR colour, BYTE *red, BYTE *green, BYTE *blue);
void IPPCol2HSI(COLOR colour, BYTE *hue, BYTE *saturation, BYTE *intensity);
BYTE IPPRGB2Hue(BYTE red, BYTE green, BYTE blue);
void IPPRGB2HSI(BYTE red, BYTE green, BYTE blue, BYTE *hue, BYTE *saturation, BYTE *intensity);

/* ---- system and time */

#define VEHICLE 1
#define PLATFORM 2
#define WALKER 3

int OSVersion(char *text);
int OSVersionIO(char *text);
int OSMachineSpeed(void); /* MHz */
int OSMachineType(void);
int OSMachineName(char *text);
int OSMachineID(void);
int OSWait(int ms);
TIMER OSAttachTimer(int ms, void (*function)(void)); /* 0: no timer */
int OSDetachTimer(TIMER timer);
int OSSetTime(int hours, int minutes, int seconds);
int OSGetTime(int *hours, int *minutes, int *seconds, int *ms);
int OSGetCount(void); /* ms since the start */

/* ---- serial lines; no robot of the simulator has one */

#define NONE 0
#define RTSCTS 1

int SERInit(int line, int baud, int handshake);
int SERSendChar(int line, char letter);
char SERReceiveChar(int line);
int SERReceive(int line, void *data, int size); /* returns the count */
bool SERCheck(int line);
int SERFlush(int line);
int SERClose(int line);

/* ---- audio */

int AUBeep(void);
int AUPlay(const char *file);
int AUDone(void); /* 1: finished */
int AUMicrophone(void);

/* ---- distance sensors */

#ifdef EYESIM_PSD_2018 /* EyeBot 7 and EyeSim of 2017/18 count from the left */
#define PSD_LEFT 1
#define PSD_FRONT 2
#else
#define PSD_FRONT 1
#define PSD_LEFT 2
#endif
#define PSD_RIGHT 3
#define PSD_BACK 4

extern int LIDAR_POINTS, LIDAR_RANGE, LIDAR_RESOLUTION;

int PSDGet(int psd); /* mm; 9999: nothing; 0: no such sensor */
int PSDGetRaw(int psd);
int LIDARGet(int distances[]);
int LIDARSet(int range, int tilt, int points);
int SIMLaserScan(int distances[]); /* of 2017: entry 0 is ahead */

/* ---- servos, motors, encoders */

int SERVOSet(int servo, int position);
int SERVOSetRaw(int servo, int position);
int SERVORange(int servo, int low, int high);
int SERVOGet(int servo);
int SERVODone(int servo);
int SERVOWait(int servo);
int SERVOStalled(int servo);
int SERVOSetExtension(int servo, int position);
int SERVOSetAngle(int servo, int degrees);
int MOTORDrive(int motor, int percent);
int MOTORDriveRaw(int motor, int percent);
int MOTORPID(int motor, int p, int i, int d);
int MOTORPIDOff(int motor);
int MOTORSpeed(int motor, int ticks);
int ENCODERRead(int encoder);
int ENCODERReset(int encoder);

/* ---- v-omega driving */

int VWSetSpeed(int mm_s, int degrees_s);
int VWGetSpeed(int *mm_s, int *degrees_s);
int VWSetPosition(int x, int y, int phi);
int VWGetPosition(int *x, int *y, int *phi);
int VWStraight(int mm, int mm_s);
int VWTurn(int degrees, int degrees_s);
int VWCurve(int mm, int degrees, int mm_s);
int VWDrive(int ahead, int left, int mm_s);
int VWRemain(void);
int VWDone(void);
int VWWait(void);
int VWStalled(void);
int VWControl(int Vv, int Tv, int Vw, int Tw);
int VWControlOff(void);
int VWDriveRemain(void); /* early names */
int VWDriveDone(void);
int VWDriveWait(void);

/* ---- digital and analog lines, infrared remote control */

#define IRTV_0 '0'
#define IRTV_1 '1'
#define IRTV_2 '2'
#define IRTV_3 '3'
#define IRTV_4 '4'
#define IRTV_5 '5'
#define IRTV_6 '6'
#define IRTV_7 '7'
#define IRTV_8 '8'
#define IRTV_9 '9'
#define IRTV_RED 'R'
#define IRTV_GREEN 'G'
#define IRTV_YELLOW 'Y'
#define IRTV_BLUE 'B'
#define IRTV_LEFT 'L'
#define IRTV_RIGHT '>'
#define IRTV_UP 'U'
#define IRTV_DOWN 'D'
#define IRTV_OK 'O'
#define IRTV_POWER 'P'

int DIGITALSetup(int line, char direction);
int DIGITALRead(int line);
int DIGITALReadAll(void);
int DIGITALWrite(int line, int state);
int ANALOGRead(int channel);
int ANALOGVoltage(void); /* 0.01 V */
int ANALOGRecord(int channel, int samples);
int ANALOGTransfer(void *samples);
int IRTVGet(void);
int IRTVRead(void);
int IRTVFlush(void);
int IRTVGetStatus(void);

/* ---- radio */

int RADIOInit(void);
int RADIOGetID(void);
int RADIOReceive(int *id, void *text, int size);
int RADIOStatus(int ids[]); /* returns the number of robots */
int RADIORelease(void);

/* ---- multitasking of early versions */

#define COOP 0
#define PREEMPT 1
int MTInit(int mode);
int MTSleep(int ms);
pthread_t MTSpawn(void *(*function)(void *), int number);
int MTGetUID(pthread_t thread);
int MTKill(pthread_t thread);
int MTExit(void);
int SEMAInit(sem_t *semaphore, int value);
int SEMALock(sem_t *semaphore);
int SEMAUnlock(sem_t *semaphore);

/* ---- simulation only */

void SIMGetRobot(int id, int *x, int *y, int *z, int *phi);
void SIMSetRobot(int id, int x, int y, int z, int phi);
void SIMGetObject(int id, int *x, int *y, int *z, int *phi);
void SIMSetObject(int id, int x, int y, int z, int phi);
int SIMGetRobotCount(void);
int SIMGetObjectCount(void);
void SIMGetPose(int *x, int *y, int *phi); /* of 2017: the program's own robot */
void SIMSetPose(int x, int y, int phi);

/* ---- functions that have had two forms: the number of arguments decides */

char *OSExecute(const char *command);
int robios_execute_into(const char *command, char *output);
int SERSend(int line, const void *text);
int robios_serial_send(int line, const void *data, int size);
int RADIOSend(int id, const void *text);
int robios_radio_send(int id, const void *data, int size);
int RADIOCheck(void);
int robios_radio_check(int *id);

#ifdef __cplusplus
}
static inline int OSExecute(const char *command, char *output) { return robios_execute_into(command, output); }
static inline int SERSend(int line, const void *data, int size) { return robios_serial_send(line, data, size); }
static inline int RADIOSend(int id, const void *data, int size) { return robios_radio_send(id, data, size); }
static inline int RADIOCheck(int *id) { return robios_radio_check(id); }
#else
#define ROBIOS_FOURTH(one, two, three, four, ...) four
#define OSExecute(...) ROBIOS_FOURTH(0, __VA_ARGS__, robios_execute_into, OSExecute, 0)(__VA_ARGS__)
#define SERSend(...) ROBIOS_FOURTH(__VA_ARGS__, robios_serial_send, SERSend, 0, 0)(__VA_ARGS__)
#define RADIOSend(...) ROBIOS_FOURTH(__VA_ARGS__, robios_radio_send, RADIOSend, 0, 0)(__VA_ARGS__)
#define RADIOCheck(...) ROBIOS_FOURTH(0, 0, ##__VA_ARGS__, robios_radio_check, RADIOCheck, 0)(__VA_ARGS__)
#endif

#endif
