/* A menu with LCD and keys: drive, turn, show sensors, end.
 *
 *   understudy eyesim menu.c --world room.wld --console
 *   understudy eyesim menu.c --world room.wld --fast --keys "KEY1@1s,KEY3@4s,KEY2@6s,KEY4@9s"
 */
#include "eyebot.h"

static void drive(void) {
    VWStraight(200, 200);
    VWWait();
}

static void turn(void) {
    VWTurn(90, 90);
    VWWait();
}

/* Show distances until a key is pressed. */
static void sensors(void) {
    const char *names[] = {"front", "left", "right"};
    int psds[] = {PSD_FRONT, PSD_LEFT, PSD_RIGHT};
    LCDMenu("BACK", "BACK", "BACK", "BACK");
    while (!KEYRead()) {
        for (int row = 0; row < 3; row++) {
            int distance = PSDGet(psds[row]), y = 60 + 14 * row;
            LCDSetPrintf(4 + row, 0, "%-6s %4d mm ", names[row], distance);
            LCDArea(160, y, 160 + 200, y + 10, BLACK, 1);
            LCDArea(160, y, 160 + (distance < 2000 ? distance : 2000) / 10, y + 10, GREEN, 1);
        }
        OSWait(100);
    }
}

static void act(const char *name, void (*action)(void)) {
    int x, y, phi;
    LCDSetPrintf(2, 0, "%-10s", name);
    action();
    VWGetPosition(&x, &y, &phi);
    LCDSetPrintf(3, 0, "%4d %4d %4d ", x, y, phi);
}

int main() {
    int key;
    LCDSetColor(YELLOW, BLACK);
    LCDPrintf("EyeBot %d\n", OSMachineID());
    LCDSetColor(WHITE, BLACK);
    do {
        LCDMenu("DRIVE", "TURN", "SENSORS", "END");
        switch (key = KEYGet()) {
            case KEY1: act("drive", drive); break;
            case KEY2: act("turn", turn); break;
            case KEY3: act("sensors", sensors); break;
        }
    } while (key != KEY4);
    LCDSetPrintf(2, 0, "%-10s", "goodbye");
    return 0;
}
