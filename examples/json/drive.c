/* Drive for four seconds and tell where the robot is: cc -o drive drive.c && ./drive [PORT] */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static char reply[1 << 16];

static void ask(FILE *in, FILE *out, const char *request) {
    fprintf(out, "%s\n", request);
    fflush(out);
    if (!fgets(reply, sizeof reply, in) || strstr(reply, "{\"error\"") == reply) { fputs(reply, stderr); exit(1); }
}

int main(int count, char **words) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(count > 1 ? atoi(words[1]) : 8180)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int link = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(link, (struct sockaddr *)&at, sizeof at) != 0) { perror("connect"); return 1; }
    FILE *in = fdopen(link, "r"), *out = fdopen(link, "w");
    ask(in, out, "{\"do\": \"reset\"}");
    ask(in, out, "{\"do\": \"drive\", \"robot\": \"scout\", \"m_s\": 0.5}");
    ask(in, out, "{\"do\": \"wait\", \"s\": 4}");
    ask(in, out, "{\"do\": \"pose\", \"robot\": \"scout\"}");
    printf("%s", reply);
    printf("x is %.3f m\n", atof(strstr(reply, "\"x_m\": ") + 7));
    return 0;
}
