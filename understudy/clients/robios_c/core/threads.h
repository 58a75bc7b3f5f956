/* Which thread of the program may run: see threads.c. All of it under the library's lock. */
#ifndef ROBIOS_THREADS_H
#define ROBIOS_THREADS_H

#include "robios.h"

void robios_lock(void);
void robios_unlock(void);
void robios_take_turn(void);                             /* gated: waits until the calling thread may run */
void robios_wait_turn(int64_t due_us);                   /* gated: the same, at a simulated time */
void robios_block(const void *reason, int64_t wall_ms);  /* gated: until robios_wake, or for this long */
void robios_wake(const void *reason);
void robios_left(void);                                  /* the calling thread returns to the program's own code */
void robios_change(void);                                /* realtime: wakes those that wait for a change */
void robios_wait_change(void);                           /* realtime: waits for one */
int robios_threads(void);
bool robios_scheduled(void);                             /* gated, and there are several threads; takes no lock */
int64_t robios_wall_us(void);                            /* monotonic, whatever the program's clock says */

#endif
