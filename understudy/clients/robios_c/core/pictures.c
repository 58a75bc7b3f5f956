/* Pictures: sizes, the camera, colours and edges. */

#include "pictures.h"

#include <stdlib.h>
#include <string.h>

bool robios_resolution(int resolution, int *width, int *height) {
    static const int sizes[][2] = {{160, 120}, {320, 240}, {640, 480}, {1296, 730}, {1920, 1080}, {2592, 1944}};
    if (resolution < 0 || resolution > 5) return false;
    *width = sizes[resolution][0];
    *height = sizes[resolution][1];
    return true;
}

bool robios_picture(int width, int height, byte *rgb) {
    size_t size = 0, wanted = (size_t)width * (size_t)height * 3;
    const char *source = getenv("EYESIM_CAMERA"); /* a file, or a folder of files, instead of the simulator's camera */
    if (source && *source) return robios_file_picture(source, width, height, rgb);
    const unsigned char *answer = robios_ask(&size, ASK_CAMERA, "II", width, height);
    bool known = answer && size == wanted;
    if (known)
        memcpy(rgb, answer, wanted);
    else
        memset(rgb, 0, wanted);
    return known;
}

void robios_gray(const byte *rgb, byte *gray, size_t pixels) {
    for (size_t at = 0; at < pixels; at++, rgb += 3) gray[at] = (byte)((rgb[0] + rgb[1] + rgb[2]) / 3);
}

static byte clipped(int value) { return (byte)(value < 0 ? 0 : value > 255 ? 255 : value); }

void robios_laplace(const byte *gray, byte *edges, int width, int height) {
    memset(edges, 0, (size_t)width * (size_t)height);
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const byte *at = gray + (size_t)y * (size_t)width + x;
            int sum = 4 * at[0] - at[-1] - at[1] - at[-width] - at[width];
            edges[at - gray] = clipped(abs(sum));
        }
}

void robios_sobel(const byte *gray, byte *edges, int width, int height) {
    memset(edges, 0, (size_t)width * (size_t)height);
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const byte *at = gray + (size_t)y * (size_t)width + x, *above = at - width, *below = at + width;
            int across = above[1] + 2 * at[1] + below[1] - above[-1] - 2 * at[-1] - below[-1];
            int down = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
            edges[at - gray] = clipped((abs(across) + abs(down)) / 3);
        }
}

static int least_of(int one, int two, int three) {
    int least = one < two ? one : two;
    return least < three ? least : three;
}

/* Hue as in Braeunl's book: a sixth of the circle is 42 units, red 42, yellow 84 ... magenta 252; gray 0. */
static int hue_of(int red, int green, int blue) {
    int most = -least_of(-red, -green, -blue), spread = most - least_of(red, green, blue);
    if (2 * spread <= most) return 0; /* too pale for a hue */
    if (red == most) return 42 + 42 * (green - blue) / spread;
    if (green == most) return 126 + 42 * (blue - red) / spread;
    return 210 + 42 * (red - green) / spread;
}

void robios_hsi(int red, int green, int blue, byte *hue, byte *saturation, byte *intensity) {
    int total = red + green + blue;
    *hue = (byte)hue_of(red, green, blue);
    *saturation = (byte)(total ? 255 - 765 * least_of(red, green, blue) / total : 0);
    *intensity = (byte)(total / 3);
}
