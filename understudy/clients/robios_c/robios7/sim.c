/* RoBIOS-7: true poses, known to a simulation only. */

#include "eyebot.h"
#include "robios.h"

struct pose {
    int x, y, z, phi;
};

/* EYESIM_HEADING: clockwise as in EyeSim of 2023 to 2025, north (0 along +y) as in 2017 to 2019. */
static bool convention(const char *name) {
    const char *set = getenv("EYESIM_HEADING");
    return set && !strcmp(set, name);
}

static double from_world(double rad) {
    return convention("clockwise") ? -rad : convention("north") ? rad - M_PI / 2 : rad;
}

static int to_world(int phi) { return convention("clockwise") ? -phi : convention("north") ? phi + 90 : phi; }

/* Ask for a pose; all zero if there is none. Between begin and end. */
static struct pose ask(enum robios_query query, int id) {
    struct pose pose = {0};
    size_t size = 0;
    const unsigned char *answer = robios_ask(&size, query, "i", id);
    if (!answer || size != 32) {
        robios_warn("no %s has the number %d", query == ASK_ROBOT ? "robot" : "object", id);
        return pose;
    }
    pose.x = robios_mm(robios_f64(answer));
    pose.y = robios_mm(robios_f64(answer + 8));
    pose.z = robios_mm(robios_f64(answer + 16));
    pose.phi = robios_heading(from_world(robios_f64(answer + 24)));
    return pose;
}

static struct pose get(enum robios_query query, int id) {
    robios_begin(ROBOT | SETTLED | ASKS);
    struct pose pose = ask(query, id);
    robios_end();
    return pose;
}

static void give(struct pose pose, int *x, int *y, int *z, int *phi) {
    if (x) *x = pose.x;
    if (y) *y = pose.y;
    if (z) *z = pose.z;
    if (phi) *phi = pose.phi;
}

static void place(enum robios_call call, int id, int x, int y, int z, int phi) {
    robios_begin(ROBOT);
    robios_call(call, "idddd", id, robios_m(x), robios_m(y), robios_m(z), robios_rad(to_world(phi)));
    robios_end();
}

API void SIMGetRobot(int id, int *x, int *y, int *z, int *phi) { give(get(ASK_ROBOT, id), x, y, z, phi); }
API void SIMGetObject(int id, int *x, int *y, int *z, int *phi) { give(get(ASK_OBJECT, id), x, y, z, phi); }
API void SIMSetRobot(int id, int x, int y, int z, int phi) { place(MOVE_ROBOT, id, x, y, z, phi); }
API void SIMSetObject(int id, int x, int y, int z, int phi) { place(MOVE_OBJECT, id, x, y, z, phi); }
API void SIMGetPose(int *x, int *y, int *phi) { give(get(ASK_ROBOT, 0), x, y, NULL, phi); }
API void SIMSetPose(int x, int y, int phi) { place(MOVE_ROBOT, 0, x, y, 0, phi); }

static int count(int place) {
    size_t size = 0;
    robios_begin(ROBOT | SETTLED | ASKS);
    const unsigned char *answer = robios_ask(&size, ASK_COUNTS, "");
    int number = answer && size == 8 ? robios_i32(answer + 4 * place) : !place;
    robios_end();
    return number;
}

API int SIMGetRobotCount(void) { return count(0); }
API int SIMGetObjectCount(void) { return count(1); }
