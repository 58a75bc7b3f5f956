/* Radio messages that have come and that the program has not received yet. */

#include "robios.h"

#include <stdlib.h>
#include <string.h>

struct message {
    struct message *next;
    uint32_t number;
    int sender;
    size_t size;
    unsigned char data[];
};

static struct message *first;

void robios_heard(const unsigned char *data, size_t size) {
    if (size < 8) return;
    struct message *message = malloc(sizeof *message + size - 8), **end = &first;
    if (!message) robios_over("out of memory");
    *message = (struct message){NULL, (uint32_t)robios_number(data, 4), robios_i32(data + 4), size - 8};
    memcpy(message->data, data + 8, size - 8);
    while (*end) end = &(*end)->next;
    *end = message;
}

int robios_messages(void) {
    int count = 0;
    for (const struct message *one = first; one; one = one->next) count++;
    return count;
}

int robios_sender(void) { return first ? first->sender : 0; }

int robios_take_message(int *sender, void *data, size_t room) {
    struct message *message = first;
    if (!message) return -1;
    first = message->next;
    *sender = message->sender;
    int size = (int)message->size;
    memcpy(data, message->data, message->size < room ? message->size : room);
    robios_call(RADIO_TAKE, "I", (int)message->number);
    free(message);
    return size;
}

void robios_forget_messages(void) {
    while (first) {
        struct message *message = first;
        first = message->next;
        free(message);
    }
}
