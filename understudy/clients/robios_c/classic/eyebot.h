/* Classic RoBIOS (versions 1 to 6) for robots of Understudy: handles, metres, radians, 1/100 seconds.
 *
 * Devices have names, such as PSD_FRONT; an Init function turns a name into a handle (0: no such device). Handles of
 * one kind can be or-ed. Functions return 0 for success unless stated otherwise.
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
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
#ifndef PI
#define PI 3.14159265358979323846
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

typedef unsigned char BYTE;
typedef int BOOL;
typedef int DeviceSemantics;
typedef int TypeID;
typedef int Handle;
typedef int VWHandle, PSDHandle, BumpHandle, BUMPHandle, IRHandle, MotorHandle, QuadHandle, ServoHandle;
typedef int MOTORHandle, QUADHandle, SERVOHandle, COMPASSHandle, CompassHandle, TimerHandle;

/* ---- names of devices */

#define VW (-1)
#define VW_DRIVE VW
#define MOTOR_LEFT (-20)
#define MOTOR_RIGHT (-21)
#define QUAD_LEFT (-40)
#define QUAD_RIGHT (-41)
#define SERVO1 (-60)
#define SERVO2 (-61)
#define SERVO3 (-62)
#define SERVO4 (-63)
#define SERVO5 (-64)
#define SERVO6 (-65)
#define SERVO7 (-66)
#define SERVO8 (-67)
#define SERVO9 (-68)
#define SERVO10 (-69)
#define SERVO11 (-70)
#define SERVO12 (-71)
#define COMPASS (-100)

#define PSD_FRONT (-200)
#define PSD_FRONTMIDDLE (-201)
#define PSD_LEFTDIAG (-203)
#define PSD_RIGHTDIAG (-204)
#define PSD_LEFT (-205)
#define PSD_FRONTLEFT (-206)
#define PSD_FRONTRIGHT (-207)
#define PSD_BACKLEFT (-208)
#define PSD_BACKRIGHT (-209)
#define PSD_RIGHT (-210)
#define PSD_FRONT2 (-211)
#define PSD_BACK (-212)

#define IR_LF (-300)
#define IR_LM (-301)
#define IR_LB (-302)
#define IR_RF (-303)
#define IR_RM (-304)
#define IR_RB (-305)
#define IR_FL (-306)
#define IR_FM (-307)
#define IR_FR (-308)
#define IR_BL (-309)
#define IR_BM (-310)
#define IR_BR (-311)

#define BUMP_LEFT (-500)
#define BUMP_FRONT (-501)
#define BUMP_RIGHT (-502)
#define BUMP_BACK (-503)
#define BUMP_LF (-504)
#define BUMP_RF (-505)
#define BUMP_LB (-506)
#define BUMP_RB (-507)

/* ---- v-omega driving */

typedef double meter, radians, meterPerSec, radPerSec;
typedef struct {
    float v; /* m/s */
    float w; /* rad/s */
} SpeedType;
typedef struct {
    float x, y; /* m */
    float phi;  /* rad */
} PositionType;

VWHandle VWInit(DeviceSemantics semantics, int timescale);
int VWRelease(VWHandle handle);
int VWSetSpeed(VWHandle handle, meterPerSec v, radPerSec w);
int VWGetSpeed(VWHandle handle, SpeedType *speed);
int VWSetPosition(VWHandle handle, meter x, meter y, radians phi);
int VWGetPosition(VWHandle handle, PositionType *position);
int VWStartControl(VWHandle handle, double Vv, double Tv, double Vw, double Tw);
int VWStopControl(VWHandle handle);
int VWDriveStraight(VWHandle handle, meter delta, meterPerSec v);
int VWDriveTurn(VWHandle handle, radians delta, radPerSec w);
int VWDriveCurve(VWHandle handle, meter delta_l, radians delta_phi, meterPerSec v);
float VWDriveRemain(VWHandle handle);
int VWDriveDone(VWHandle handle); /* 1 finished, 0 moving, -1 wrong handle */
int VWDriveWait(VWHandle handle);
int VWStalled(VWHandle handle); /* 1 stalled, 0 not, -1 wrong handle */

/* ---- sensors */

#define PSD_OUT_OF_RANGE 9999

PSDHandle PSDInit(DeviceSemantics semantics);
int PSDRelease(void);
int PSDStart(PSDHandle handles, int cycle);
int PSDStop(void);
int PSDCheck(void); /* TRUE: values are valid */
int PSDGet(PSDHandle handle); /* mm */
int PSDGetRaw(PSDHandle handle);
BumpHandle BUMPInit(DeviceSemantics semantics);
int BUMPRelease(BumpHandle handle);
int BUMPCheck(BumpHandle handle, int *timestamp); /* 0: bumped since the last check, -1: not */
IRHandle IRInit(DeviceSemantics semantics);
int IRRelease(IRHandle handle);
int IRRead(IRHandle handle); /* 1: an obstacle is near */
int COMPASSInit(DeviceSemantics semantics);
int COMPASSStart(int cycle);
int COMPASSCheck(void);
int COMPASSGet(void); /* degrees; -1: no compass */
int COMPASSStop(void);
int COMPASSRelease(void);
int COMPASSCalibrate(int mode);

/* ---- motors, encoders, servos */

MotorHandle MOTORInit(DeviceSemantics semantics);
int MOTORDrive(MotorHandle handles, int percent);
int MOTORRelease(MotorHandle handles);
QuadHandle QUADInit(DeviceSemantics semantics);
int QUADRead(QuadHandle handle);
int QUADReset(QuadHandle handles);
int QUADRelease(QuadHandle handles);
float QUADODORead(QuadHandle handle); /* m */
int QUADODOReset(QuadHandle handles);
ServoHandle SERVOInit(DeviceSemantics semantics);
int SERVOSet(ServoHandle handles, int position);
int SERVORelease(ServoHandle handles);

/* ---- LCD: 7 rows of 16 characters, 128 x 64 pixels, and a menu line */

#define SCROLLING 0x01
#define NONSCROLLING 0x02
#define CURSOR 0x04
#define NOCURSOR 0x08

int LCDPrintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int LCDSetPrintf(int row, int column, const char *format, ...) __attribute__((format(printf, 3, 4)));
int LCDClear(void);
int LCDPutChar(int letter);
int LCDSetChar(int row, int column, int letter);
int LCDPutString(const char *text);
int LCDSetString(int row, int column, const char *text);
int LCDPutHex(int value);
int LCDPutHex1(int value);
int LCDPutInt(int value);
int LCDPutIntS(int value, int width);
int LCDPutFloat(double value);
int LCDPutFloatS(double value, int width, int decimals);
int LCDMode(int flags);
int LCDSetPos(int row, int column);
int LCDGetPos(int *row, int *column);
int LCDPutGraphic(const void *picture);
int LCDPutColorGraphic(const void *picture);
int LCDPutImage(const void *bits); /* the whole screen: 1024 bytes, 8 pixels each */
int LCDMenu(const char *one, const char *two, const char *three, const char *four);
int LCDMenuI(int position, const char *label);
int LCDSetPixel(int row, int column, int value); /* 0 clear, 1 set, 2 invert */
int LCDInvertPixel(int row, int column);
int LCDGetPixel(int row, int column);
int LCDLine(int x1, int y1, int x2, int y2, int value);
int LCDArea(int x1, int y1, int x2, int y2, int value);

/* ---- keys */

#define NOKEY 0
#define KEY1 1
#define KEY2 2
#define KEY3 4
#define KEY4 8
#define ANYKEY (KEY1 | KEY2 | KEY3 | KEY4)

int KEYGet(void);
int KEYRead(void);
int KEYWait(int key);
int KEYGetBuf(char *key);

/* ---- camera and images: 80 x 60 pixels with a border of one */

#define imagecolumns 82
#define imagerows 62
typedef BYTE image[imagerows][imagecolumns];
typedef BYTE colimage[imagerows][imagecolumns][3];

#define WIDE 0
#define NORMAL 1
#define TELE 2
#define GREYCAM 1
#define QUICKCAMV1 1
#define COLCAM 16
#define QUICKCAMV2 16
#define EYECAM 17
#define INITERROR 200
#define NOCAM 255
#define AUTOBRIGHTNESS 1
#define NOAUTOBRIGHTNESS 0
#define FPS60 0
#define FPS30 1
#define FPS15 2
#define FPS7_5 3
#define FPS3_75 4
#define FPS1_875 5

int CAMInit(int mode); /* the version of the camera; from INITERROR up: an error */
int CAMRelease(void);
int CAMGetFrame(void *gray);
int CAMGetColFrame(void *picture, int convert); /* TRUE: deliver gray */
int CAMSet(int one, int two, int three);
int CAMGet(int *one, int *two, int *three);
int CAMMode(int mode);
int IPLaplace(const void *source, void *target);
int IPSobel(const void *source, void *target);
int IPDither(const void *source, void *target);
int IPDiffer(const void *current, const void *last, void *target);
int IPColor2Grey(const void *source, void *target);

/* ---- system and time */

#define VEHICLE 1
#define PLATFORM 2
#define WALKER 3

char *OSVersion(void);
int OSMachineType(void);
int OSMachineSpeed(void); /* Hz */
char *OSMachineName(void);
unsigned char OSMachineID(void); /* a digit character: '1' is the first robot */
int OSError(const char *message, int number, int dead);
int OSWait(int ticks);
int OSSetTime(int hours, int minutes, int seconds);
int OSGetTime(int *hours, int *minutes, int *seconds, int *ticks);
int OSShowTime(void);
int OSGetCount(void); /* 1/100 s */
TimerHandle OSAttachTimer(int scale, void (*function)(void)); /* 100 Hz / scale */
int OSDetachTimer(TimerHandle timer);

/* ---- threads */

#define COOP 0
#define PREEMPT 1
#define NOTASK 2
#define MIN_PRI 1
#define MAX_PRI 8

struct tcb;
struct sem {
    int value;
};

int OSMTInit(int mode);
int OSMTStatus(void);
#ifdef __cplusplus
struct tcb *OSSpawn(const char *name, void (*function)(void), int stack, int priority, int uid);
#else
struct tcb *OSSpawn(const char *name, void *function, int stack, int priority, int uid);
#endif
int OSReady(struct tcb *thread);
int OSSuspend(struct tcb *thread);
int OSReschedule(void);
int OSYield(void);
int OSRun(struct tcb *thread);
int OSGetUID(struct tcb *thread); /* 0: the calling thread */
int OSKill(struct tcb *thread);   /* 0: the calling thread */
int OSExit(int code);
int OSPanic(const char *message, ...) __attribute__((format(printf, 1, 2)));
int OSSleep(int ticks);
int OSForbid(void);
int OSPermit(void);
int OSSemInit(struct sem *semaphore, int value);
int OSSemP(struct sem *semaphore);
int OSSemV(struct sem *semaphore);

/* ---- sound */

int AUBeep(void);
int AUTone(int hertz, int ms);
int AUCheckTone(void); /* TRUE: finished */
int AUPlaySample(const void *sample);
int AUCheckSample(void);
int AURecordSample(void *buffer, long length, long hertz);
int AUCheckRecord(void);
int AUCaptureMic(void);

/* ---- radio */

#define BROADCAST 0
#define MAXMSGLEN 35
typedef struct {
    int active;
    BYTE dummy[3];
    int radio_number; /* robots with radio on */
} RadioStatus;
typedef struct {
    int speed, id, remoteOn;
} RadioIOParameters;

int RADIOInit(void);
int RADIOTerm(void);
int RADIOSend(int id, int count, const void *data);
int RADIOCheck(void); /* messages that wait */
int RADIORecv(void *id, int *count, void *data); /* id: one byte */
int RADIOGetStatus(RadioStatus *status);
int RADIOGetIoctl(RadioIOParameters *parameters);
int RADIOSetIoctl(const RadioIOParameters *parameters);

/* ---- serial lines (no robot of the simulator has one), latches, analog inputs */

#define NONE 0
#define RTSCTS 1
#define SERIAL1 0
#define SERIAL2 1
#define SERIAL3 2

int OSInitRS232(int baud, int handshake, int line);
int OSSendCharRS232(char letter, int line);
int OSSendRS232(const void *text, int line);
int OSRecvRS232(void *letter, int line);
int OSFlushInRS232(int line);
int OSFlushOutRS232(int line);
int OSCheckInRS232(int line);
int OSCheckOutRS232(int line);
BYTE OSReadInLatch(int latch);
BYTE OSWriteOutLatch(int latch, BYTE mask, BYTE value); /* returns what it was before */
BYTE OSReadOutLatch(int latch);
int OSGetAD(int channel); /* 0 to 1023 */

#ifdef __cplusplus
}
#endif

#endif
