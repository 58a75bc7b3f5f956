/* Which sensor a name of the hardware description table means. */

#include "semantics.h"
#include "eyebot.h"

#define NAME(name) {name, #name}
static const struct {
    int semantics;
    const char *name;
} names[] = {
    NAME(PSD_FRONT), NAME(PSD_FRONTMIDDLE), NAME(PSD_LEFTDIAG), NAME(PSD_RIGHTDIAG), NAME(PSD_LEFT),
    NAME(PSD_FRONTLEFT), NAME(PSD_FRONTRIGHT), NAME(PSD_BACKLEFT), NAME(PSD_BACKRIGHT), NAME(PSD_RIGHT),
    NAME(PSD_FRONT2), NAME(PSD_BACK), NAME(IR_LF), NAME(IR_LM), NAME(IR_LB), NAME(IR_RF), NAME(IR_RM), NAME(IR_RB),
    NAME(IR_FL), NAME(IR_FM), NAME(IR_FR), NAME(IR_BL), NAME(IR_BM), NAME(IR_BR), NAME(BUMP_LEFT), NAME(BUMP_FRONT),
    NAME(BUMP_RIGHT), NAME(BUMP_BACK), NAME(BUMP_LF), NAME(BUMP_RF), NAME(BUMP_LB), NAME(BUMP_RB),
};
#define HANDLES 31 /* bits of a mask */

static const char *name_of(int semantics) {
    for (size_t index = 0; index < sizeof names / sizeof *names; index++)
        if (names[index].semantics == semantics) return names[index].name;
    return NULL;
}

int classic_handle(const struct robios_sensors *sensors, int semantics) {
    const char *name = name_of(semantics);
    int count = sensors->count < HANDLES ? sensors->count : HANDLES;
    for (int index = 0; index < count; index++)
        if (name && !strcmp(sensors->names[index], name)) return 1 << index;
    for (int index = 0; index < count; index++)
        if (sensors->ids[index] == semantics) return 1 << index;
    return 0;
}

int classic_place(const struct robios_sensors *sensors, int handle) {
    for (int index = 0; index < sensors->count && index < HANDLES; index++)
        if (handle == 1 << index) return index;
    return -1;
}
