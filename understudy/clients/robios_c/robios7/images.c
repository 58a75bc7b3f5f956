/* RoBIOS-7: image processing. Its functions need no robot. */

#include "eyebot.h"
#include "pictures.h"

static int width = QQVGA_X, height = QQVGA_Y;

static size_t pixels(void) { return (size_t)width * (size_t)height; }

API int IPSetSize(int resolution) { return !robios_resolution(resolution, &width, &height); }
API int IPReadFile(const char *name, void *image) { return robios_read_pnm(name, image, width, height); }
API int IPWriteFile(const char *name, const void *rgb) { return !robios_write_pnm(name, rgb, width, height, 3); }
API int IPWriteFileGray(const char *name, const void *gray) { return !robios_write_pnm(name, gray, width, height, 1); }
API void IPLaplace(const void *gray, void *edges) { robios_laplace(gray, edges, width, height); }
API void IPSobel(const void *gray, void *edges) { robios_sobel(gray, edges, width, height); }
API void IPCol2Gray(const void *rgb, void *gray) { robios_gray(rgb, gray, pixels()); }

API void IPRGB2Col(const void *red, const void *green, const void *blue, void *rgb) {
    const byte *planes[] = {red, green, blue};
    byte *to = rgb;
    for (size_t at = 0; at < pixels(); at++)
        for (int plane = 0; plane < 3; plane++) *to++ = planes[plane][at];
}

API void IPGray2Col(const void *gray, void *rgb) {
    const byte *from = gray;
    byte *to = rgb;
    for (size_t at = 0; at < pixels(); at++, to += 3) to[0] = to[1] = to[2] = from[at];
}

API void IPCol2HSI(const void *rgb, void *hue, void *saturation, void *intensity) {
    const byte *from = rgb;
    byte *h = hue, *s = saturation, *i = intensity;
    for (size_t at = 0; at < pixels(); at++, from += 3) robios_hsi(from[0], from[1], from[2], h++, s++, i++);
}

API void IPOverlay(const void *below, const void *above, void *rgb) {
    const byte *under = below, *over = above;
    byte *to = rgb;
    for (size_t at = 0; at < 3 * pixels(); at += 3)
        memmove(to + at, (over[at] || over[at + 1] || over[at + 2] ? over : under) + at, 3);
}

API void IPOverlayGray(const void *below, const void *above, COLOR colour, void *rgb) {
    const byte *under = below, *over = above;
    byte *to = rgb;
    for (size_t at = 0; at < pixels(); at++)
        for (int shift = 16; shift >= 0; shift -= 8) *to++ = over[at] ? (byte)(colour >> shift) : under[at];
}

/* ---- single pixels */

API COLOR IPPRGB2Col(BYTE red, BYTE green, BYTE blue) { return red << 16 | green << 8 | blue; }

API void IPPCol2RGB(COLOR colour, BYTE *red, BYTE *green, BYTE *blue) {
    *red = (BYTE)(colour >> 16);
    *green = (BYTE)(colour >> 8);
    *blue = (BYTE)colour;
}

API void IPPRGB2HSI(BYTE red, BYTE green, BYTE blue, BYTE *hue, BYTE *saturation, BYTE *intensity) {
    robios_hsi(red, green, blue, hue, saturation, intensity);
}

API void IPPCol2HSI(COLOR colour, BYTE *hue, BYTE *saturation, BYTE *intensity) {
    robios_hsi(colour >> 16 & 255, colour >> 8 & 255, colour & 255, hue, saturation, intensity);
}

API BYTE IPPRGB2Hue(BYTE red, BYTE green, BYTE blue) {
    BYTE hue, saturation, intensity;
    robios_hsi(red, green, blue, &hue, &saturation, &intensity);
    return hue;
}
