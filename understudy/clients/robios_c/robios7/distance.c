/* RoBIOS-7: distance sensors and the laser scanner. */

#include "eyebot.h"
#include "robios.h"

API int LIDAR_POINTS = 360, LIDAR_RANGE = 360, LIDAR_RESOLUTION = 360;

#define MOST_POINTS 3600

static int points = 360, range = 360, tilt;

static int get(int psd) {
    int mm = 0;
    const char *order = getenv("EYESIM_PSD"); /* until 2018 number 1 was on the left, and 2 in front */
    if (order && !strcmp(order, "2018") && (psd == 1 || psd == 2)) psd = 3 - psd;
    robios_begin(ROBOT | READS_PSD);
    for (int index = 0; index < robios.welcome.psd.count; index++)
        if (robios.welcome.psd.ids[index] == psd) mm = robios.frame.psd_mm[index];
    robios_end();
    return mm;
}

API int PSDGet(int psd) { return get(psd); }
API int PSDGetRaw(int psd) { return get(psd); }

/* Scan from the left over the front to the right; between begin and end. */
static void scan(int distances[]) {
    size_t size = 0;
    const unsigned char *answer = robios_ask(&size, ASK_LIDAR, "Iii", points, range, tilt);
    bool known = answer && size == 4 * (size_t)points; /* a robot may have no scanner */
    for (int index = 0; index < points; index++)
        distances[index] = known ? robios_i32(answer + 4 * index) : 0;
}

API int LIDARGet(int distances[]) {
    robios_begin(ROBOT | ASKS);
    scan(distances);
    robios_end();
    return 0;
}

API int LIDARSet(int new_range, int new_tilt, int new_points) {
    bool valid = new_range >= 1 && new_range <= 360 && new_points >= 1 && new_points <= MOST_POINTS &&
                 abs(new_tilt) <= 90;
    robios_begin(ROBOT);
    if (valid) {
        LIDAR_RANGE = range = new_range;
        LIDAR_POINTS = LIDAR_RESOLUTION = points = new_points;
        tilt = new_tilt;
    }
    robios_end();
    return !valid;
}

API int SIMLaserScan(int distances[]) {
    int across[MOST_POINTS];
    robios_begin(ROBOT | ASKS);
    scan(across);
    for (int index = 0; index < points; index++) distances[index] = across[(points / 2 - index + points) % points];
    robios_end();
    return 0;
}
