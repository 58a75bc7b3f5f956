/* RoBIOS-7 for programs in C++. */
#ifndef EYEBOTPP_H
#define EYEBOTPP_H
#include "eyebot.h"
#endif
