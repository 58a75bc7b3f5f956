/* Drives a Pioneer by ARCOS packets: one thread, usleep, recv without waiting, gettimeofday.
 *   pioneer PORT SECONDS [laser]    the laser is requested as ARIA does */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int robot;

static void packet(const unsigned char *body, int n) {
    unsigned char p[64] = {0xfa, 0xfb, n + 2};
    unsigned sum = 0;
    memcpy(p + 3, body, n);
    for (int i = 0; i + 1 < n; i += 2) sum += body[i] << 8 | body[i + 1];
    if (n % 2) sum ^= body[n - 1];
    p[3 + n] = sum >> 8, p[4 + n] = sum;
    if (send(robot, p, n + 5, MSG_NOSIGNAL) < 0) { perror("send"); exit(3); }
}
static void command(int code, int value) {
    unsigned char body[4] = {code, value < 0 ? 0x1b : 0x3b, abs(value) & 255, abs(value) >> 8};
    packet(body, 4);
}
static double now(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + t.tv_usec * 1e-6;
}

int main(int argc, char **argv) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
    unsigned char bytes[4096];
    long got = 0, rounds = 0;
    if (argc < 3) return 2;
    inet_aton("127.0.0.1", &a.sin_addr);
    robot = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(robot, (void *)&a, sizeof a)) { perror("connect"); return 1; }
    for (unsigned char i = 0; i < 3; i++) {
        packet(&i, 1);
        if (recv(robot, bytes, sizeof bytes, 0) <= 0) return 4;
    }
    command(1, 1);
    command(4, 1);
    if (argc > 3) command(36, -90), command(37, 90), command(38, 100), command(35, 2);
    double start = now(), at = 0;
    for (; at < atof(argv[2]); rounds++) {
        command(11, 200 + 100 * (rounds % 3));
        command(21, rounds % 20 < 10 ? 20 : -25);
        usleep(73000);
        for (int n; (n = recv(robot, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) got += n;
        at = now() - start;
    }
    printf("%.6f s, %ld bytes, %ld rounds\n", at, got, rounds);
    close(robot);
    return 0;
}
