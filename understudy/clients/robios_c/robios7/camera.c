/* RoBIOS-7: the camera. */

#include "eyebot.h"
#include "pictures.h"
#include "robios.h"

API int CAMWIDTH = QQVGA_X, CAMHEIGHT = QQVGA_Y, CAMPIXELS = QQVGA_PIXELS, CAMSIZE = QQVGA_SIZE;

static int width = QQVGA_X, height = QQVGA_Y; /* the program could write to the variables above */
static bool on;

static bool choose(int resolution) {
    if (!robios_resolution(resolution, &width, &height)) return false;
    CAMWIDTH = width;
    CAMHEIGHT = height;
    CAMPIXELS = width * height;
    CAMSIZE = 3 * CAMPIXELS;
    IPSetSize(resolution);
    on = true;
    return true;
}

API int CAMInit(int resolution) {
    robios_begin(ROBOT);
    bool known = choose(resolution);
    if (known) robios_follow_camera(width, height);
    robios_end();
    return !known;
}

API int CAMRelease(void) {
    robios_begin(NOTHING);
    on = false;
    robios_end();
    return 0;
}

static void take(const char *function, unsigned char *rgb) {
    if (!on) {
        robios_warn("%s before CAMInit: the resolution is QQVGA", function);
        choose(QQVGA);
    }
    robios_picture(width, height, rgb);
}

API int CAMGet(void *rgb) {
    robios_begin(ROBOT | ASKS);
    take("CAMGet", rgb);
    robios_end();
    return 0;
}

API int CAMGetGray(void *gray) {
    robios_begin(ROBOT | ASKS);
    if (!on) choose(QQVGA);
    unsigned char *rgb = malloc((size_t)width * (size_t)height * 3);
    if (rgb) take("CAMGetGray", rgb);
    if (rgb) robios_gray(rgb, gray, (size_t)width * (size_t)height);
    free(rgb);
    robios_end();
    return !rgb;
}
