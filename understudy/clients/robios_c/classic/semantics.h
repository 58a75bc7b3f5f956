/* Names of devices: numbers of the header, and texts of the robot. */
#ifndef CLASSIC_SEMANTICS_H
#define CLASSIC_SEMANTICS_H

#include "robios.h"

int classic_handle(const struct robios_sensors *sensors, int semantics); /* 0: no such device */
int classic_place(const struct robios_sensors *sensors, int handle);     /* of a single handle; -1: wrong */

#endif
