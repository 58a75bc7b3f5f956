/* RoBIOS-7: motors, encoders and servos; numbers count from 1. */

#include "eyebot.h"
#include "robios.h"

#define ENCODERS 4
#define SERVOS 64
#define LOOK_US 50000 /* how often SERVOWait looks */

static int clamped(int value, int least, int most) { return value < least ? least : value > most ? most : value; }

static int order(enum robios_call call, int number, int value) {
    robios_begin(ROBOT);
    robios_call(call, "ii", number, value);
    robios_end();
    return 0;
}

API int MOTORDrive(int motor, int percent) { return order(MOTOR_DRIVE, motor, clamped(percent, -100, 100)); }
API int MOTORDriveRaw(int motor, int percent) { return order(MOTOR_DRIVE, motor, clamped(percent, -100, 100)); }
API int MOTORSpeed(int motor, int ticks) { return order(MOTOR_SPEED, motor, ticks); }

static int set_pid(int motor, int p, int i, int d) {
    robios_begin(ROBOT);
    robios_call(MOTOR_PID, "iiii", motor, p, i, d);
    robios_end();
    return 0;
}

API int MOTORPID(int motor, int p, int i, int d) { return set_pid(motor, p, i, d); }
API int MOTORPIDOff(int motor) { return set_pid(motor, 0, 0, 0); }

API int ENCODERRead(int encoder) {
    robios_begin(ROBOT | SETTLED);
    int ticks = encoder >= 1 && encoder <= ENCODERS ? robios.frame.encoders[encoder - 1] : 0;
    robios_end();
    return ticks;
}

API int ENCODERReset(int encoder) {
    robios_begin(ROBOT);
    robios_call(ENCODER_RESET, "i", encoder);
    robios_end();
    return 0;
}

/* ---- servos */

static int targets[SERVOS + 1]; /* 0: not set; otherwise the position + 1 */

static bool known(int servo) { return servo >= 0 && servo <= SERVOS; }

static int set_servo(int servo, int position) {
    position = clamped(position, 0, 255);
    if (known(servo)) targets[servo] = position + 1;
    return order(SERVO_SET, servo, position);
}

/* Return where a servo is; 128 for one that the robot does not have. Between begin and end. */
static int position_of(int servo) {
    size_t size = 0;
    const unsigned char *answer = robios_ask(&size, ASK_SERVO, "i", servo);
    return answer && size == 4 ? robios_i32(answer) : 128;
}

static bool arrived(int servo) {
    return !known(servo) || !targets[servo] || position_of(servo) == targets[servo] - 1;
}

API int SERVOSet(int servo, int position) { return set_servo(servo, position); }
API int SERVOSetRaw(int servo, int position) { return set_servo(servo, position); }

API int SERVORange(int servo, int low, int high) {
    robios_begin(ROBOT);
    robios_call(SERVO_RANGE, "iii", servo, low, high);
    robios_end();
    return 0;
}

API int SERVOGet(int servo) {
    robios_begin(ROBOT | SETTLED | ASKS);
    int position = position_of(servo);
    robios_end();
    return position;
}

API int SERVODone(int servo) {
    robios_begin(ROBOT | SETTLED | ASKS);
    bool done = arrived(servo);
    robios_end();
    return done;
}

API int SERVOWait(int servo) {
    int before = -1, stopped = 0;
    robios_begin(ROBOT | SETTLED | ASKS);
    while (!stopped && !arrived(servo)) {
        int position = position_of(servo);
        robios_wait_until(robios_now() + LOOK_US);
        stopped = position == before;
        before = position;
    }
    robios_end();
    return stopped;
}

/* Answer for what no robot of the simulator has. */
static int answer_without_robot(int value) {
    robios_begin(ROBOT);
    robios_end();
    return value;
}

API int SERVOStalled(int servo) { return (void)servo, answer_without_robot(0); }
API int SERVOSetExtension(int servo, int extension) { return (void)servo, (void)extension, answer_without_robot(1); }
API int SERVOSetAngle(int servo, int degrees) { return (void)servo, (void)degrees, answer_without_robot(1); }
