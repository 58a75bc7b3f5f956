/* Pictures: RGB (3 bytes a pixel) and gray (1 byte), row by row from the top left. */
#ifndef ROBIOS_PICTURES_H
#define ROBIOS_PICTURES_H

#include "robios.h"

typedef unsigned char byte;

bool robios_resolution(int resolution, int *width, int *height); /* of RoBIOS-7; false: not known */
/* Get a picture of the camera into rgb; false, and black, if there is no camera. Between begin and end. */
bool robios_picture(int width, int height, byte *rgb);
void robios_follow_camera(int width, int height); /* RoBIOS-7: the size of images on the LCD */
void robios_gray(const byte *rgb, byte *gray, size_t pixels);
void robios_laplace(const byte *gray, byte *edges, int width, int height);
void robios_sobel(const byte *gray, byte *edges, int width, int height);
void robios_hsi(int red, int green, int blue, byte *hue, byte *saturation, byte *intensity);

bool robios_file_picture(const char *source, int width, int height, byte *rgb); /* the next of a folder */
/* Read a PNM file and fill or crop it to a size; returns 3 colour, 2 gray, 1 black and white, -1 error. */
int robios_read_pnm(const char *name, byte *picture, int width, int height);
bool robios_write_pnm(const char *name, const byte *picture, int width, int height, int channels);

#endif
