#include "eyebot.h"

int main() {
  VWStraight(300, 100);
  VWWait();
}
