/* DistBug with a laser scanner: drives to a goal around unknown obstacles; leaves a wall when the way to the goal is
 * shorter than it ever was. Goal in mm as arguments: x ahead and y to the left of the start.
 *
 *   understudy eyesim distbug.c 2600 800 --world boxes.wld
 */
#include "eyebot.h"

#define NEAR 250 /* mm */
#define WALL 200
#define STEP 30

static int goal_x = 2600, goal_y = 800;
static int scan[360];

/* Return the free distance in a direction (degrees, left positive), for the width of the robot. */
static int free_way(double bearing) {
    int middle = 180 - (int)rint(bearing), least = 9999;
    for (int i = -20; i <= 20; i++) {
        int distance = scan[(middle + i + 360) % 360];
        if (distance < least) least = distance;
    }
    return least;
}

/* Return the distance to the goal, and its bearing (degrees, left positive). */
static double to_goal(double *bearing) {
    int x, y, phi;
    VWGetPosition(&x, &y, &phi);
    double dx = goal_x - x, dy = goal_y - y;
    double angle = fmod(atan2(dy, dx) * (180 / M_PI) - phi + 180, 360);
    *bearing = (angle < 0 ? angle + 360 : angle) - 180;
    return hypot(dx, dy);
}

static void show(const char *state, double distance) {
    LCDSetPrintf(0, 0, "%-12s goal at %5d mm ", state, (int)distance);
}

/* Drive towards the goal; returns whether it is reached (else a wall is in the way). */
static bool head_for_goal(void) {
    for (;;) {
        double bearing, distance = to_goal(&bearing);
        show("to the goal", distance);
        if (distance < 60) return true;
        if (fabs(bearing) > 10) {
            VWTurn(bearing, 90);
            VWWait();
            continue;
        }
        LIDARGet(scan);
        if (free_way(bearing) < NEAR) return false;
        VWSetSpeed(200, bearing);
        OSWait(50);
    }
}

/* Keep the wall on the right until the goal is nearer than ever and the way to it is free. */
static void follow_wall(void) {
    double bearing, nearest = to_goal(&bearing);
    VWTurn(90, 90);
    VWWait();
    for (int turn = 0; turn < 2000; turn++) {
        double distance = to_goal(&bearing);
        show("along a wall", distance);
        LIDARGet(scan);
        int ahead = free_way(0), right = 9999;
        for (int i = 225; i < 300; i++)
            if (scan[i] < right) right = scan[i];
        nearest = fmin(nearest, distance);
        double way = fmin(free_way(bearing) - NEAR - 50, distance); /* that the robot could go towards the goal */
        if (distance - way <= nearest - STEP) return;
        if (ahead < NEAR)
            VWSetSpeed(0, 60);
        else
            VWSetSpeed(120, fmax(-50, fmin(50, (WALL - right) * 0.5)));
        OSWait(50);
    }
}

int main(int argc, char *argv[]) {
    double bearing;
    if (argc > 2) {
        goal_x = atoi(argv[1]);
        goal_y = atoi(argv[2]);
    }
    for (int attempt = 0; attempt < 20 && !head_for_goal(); attempt++) follow_wall();
    VWSetSpeed(0, 0);
    double distance = to_goal(&bearing);
    show(distance < 100 ? "reached" : "given up", distance);
    AUBeep();
    return 0;
}
