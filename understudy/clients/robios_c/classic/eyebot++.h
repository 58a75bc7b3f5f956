/* Classic RoBIOS for programs in C++. */
#ifndef EYEBOTPP_H
#define EYEBOTPP_H
#include "eyebot.h"
#endif
