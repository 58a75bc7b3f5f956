/* Classic RoBIOS: the camera and image processing; pictures of 80 x 60 pixels with a border of one. */

#include "eyebot.h"
#include "pictures.h"
#include "robios.h"

#define WIDTH (imagecolumns - 2)
#define HEIGHT (imagerows - 2)

static int settings[3] = {FPS3_75, 0, 0};

API int CAMInit(int mode) {
    (void)mode;
    robios_begin(ROBOT);
    bool present = robios.welcome.camera || getenv("EYESIM_CAMERA");
    robios_end();
    return present ? EYECAM : NOCAM;
}

API int CAMRelease(void) {
    robios_begin(NOTHING);
    robios_end();
    return 0;
}

/* Put a picture into the middle of one with a border, which is black. */
static void frame(const byte *inner, byte *picture, int channels) {
    size_t row = (size_t)WIDTH * (size_t)channels, wide = (size_t)imagecolumns * (size_t)channels;
    memset(picture, 0, wide * imagerows);
    for (size_t y = 0; y < HEIGHT; y++) memcpy(picture + (y + 1) * wide + channels, inner + y * row, row);
}

static int get(byte *picture, bool colour) {
    byte rgb[WIDTH * HEIGHT * 3], gray[WIDTH * HEIGHT];
    robios_begin(ROBOT | ASKS);
    bool known = robios_picture(WIDTH, HEIGHT, rgb);
    robios_end();
    robios_gray(rgb, gray, WIDTH * HEIGHT);
    frame(colour ? rgb : gray, picture, colour ? 3 : 1);
    return !known;
}

API int CAMGetFrame(void *gray) { return get(gray, false); }
API int CAMGetColFrame(void *picture, int convert) { return get(picture, !convert); }

API int CAMSet(int one, int two, int three) {
    robios_begin(NOTHING);
    settings[0] = one, settings[1] = two, settings[2] = three;
    robios_end();
    return 0;
}

API int CAMGet(int *one, int *two, int *three) {
    robios_begin(NOTHING);
    *one = settings[0], *two = settings[1], *three = settings[2];
    robios_end();
    return 0;
}

API int CAMMode(int mode) {
    robios_begin(NOTHING);
    robios_end();
    return (void)mode, 0;
}

/* ---- image processing needs no robot */

API int IPLaplace(const void *source, void *target) {
    robios_laplace(source, target, imagecolumns, imagerows);
    return 0;
}

API int IPSobel(const void *source, void *target) {
    robios_sobel(source, target, imagecolumns, imagerows);
    return 0;
}

/* Ordered dither with a pattern of 2 x 2 pixels: 0 white, 1 black. */
API int IPDither(const void *source, void *target) {
    static const byte levels[2][2] = {{51, 153}, {204, 102}};
    const byte *from = source;
    byte *to = target;
    for (int y = 0; y < imagerows; y++)
        for (int x = 0; x < imagecolumns; x++, from++) *to++ = *from < levels[y % 2][x % 2] ? 1 : 0;
    return 0;
}

API int IPDiffer(const void *current, const void *last, void *target) {
    const byte *one = current, *two = last;
    byte *to = target;
    for (int at = 0; at < imagerows * imagecolumns; at++) to[at] = (byte)abs(one[at] - two[at]);
    return 0;
}

API int IPColor2Grey(const void *source, void *target) {
    robios_gray(source, target, imagerows * imagecolumns);
    return 0;
}
