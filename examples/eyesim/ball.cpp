// Looks for a red ball with the camera, drives to it and pushes it.
//
//   understudy eyesim ball.cpp --world ball.sim
#include <vector>

#include "eyebot++.h"

struct Blob {
    int column = -1, pixels = 0;
};

// Return the mean column and the number of pixels with the hue of red or orange.
static Blob find_red(const BYTE *image) {
    static QQVGAgray hue, saturation, intensity;
    IPCol2HSI(image, hue, saturation, intensity);
    int count = 0, sum = 0;
    for (int y = 0; y < QQVGA_Y; y++)
        for (int x = 0; x < QQVGA_X; x++)
            if (hue[y][x] >= 30 && hue[y][x] <= 70 && saturation[y][x] > 100 && intensity[y][x] > 20) count++, sum += x;
    return count < 4 ? Blob{} : Blob{sum / count, count};
}

int main() {
    std::vector<BYTE> image(QQVGA_SIZE);
    CAMInit(QQVGA);
    LCDImageStart(0, 0, QQVGA_X, QQVGA_Y);
    LCDMenu("", "", "", "END");
    int begin = OSGetCount();
    bool pushed = false;
    while (!pushed && OSGetCount() - begin < 60000 && KEYRead() != KEY4) {
        CAMGet(image.data());
        Blob ball = find_red(image.data());
        LCDImage(image.data());
        LCDSetPrintf(12, 0, "column %4d, %5d pixels ", ball.column, ball.pixels);
        if (ball.column < 0) {
            VWTurn(20, 60);  // look around
            VWWait();
            continue;
        }
        LCDLine(ball.column, 0, ball.column, QQVGA_Y - 1, GREEN);
        VWSetSpeed(150, (QQVGA_X / 2 - ball.column) * 0.4);
        OSWait(100);
        pushed = ball.pixels > 1500;
    }
    VWStraight(300, 300);
    VWWait();
    LCDSetPrintf(13, 0, pushed ? "pushed" : "not found");
}
