/* Robots count each other by radio, then drive one after the other: each tells the next when it has finished.
 *
 *   understudy eyesim radio.c --world team.sim
 */
#include "eyebot.h"

static int ids[256], count;

static int place_of(int id) {
    int place = 0;
    while (place < count && ids[place] != id) place++;
    return place;
}

static void show_team(int me) {
    char team[2000] = "";
    for (int place = 0; place < count; place++) sprintf(team + strlen(team), place ? ", %d" : "%d", ids[place]);
    LCDPrintf("I am %d of [%s]\n", me, team);
}

int main() {
    char text[100];
    int sender, hops = 0;
    RADIOInit();
    int me = RADIOGetID();
    OSWait(200); /* until all radios are on */
    count = RADIOStatus(ids); /* in rising order */
    show_team(me);
    if (me != ids[0]) {
        RADIOReceive(&sender, text, sizeof text);
        hops = atoi(text);
        LCDPrintf("%d says %s\n", sender, text);
    }

    VWStraight(300, 200);
    VWWait();
    VWTurn(180, 90);
    VWWait();
    VWStraight(300, 200);
    VWWait();

    sprintf(text, "%d", hops + 1);
    RADIOSend(ids[(place_of(me) + 1) % count], text);
    if (me == ids[0]) {
        RADIOReceive(&sender, text, sizeof text);
        LCDPrintf("%s robots have driven\n", text);
    }
    return 0;
}
