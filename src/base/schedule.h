/* Hints to the operating system's scheduler for the calling thread. */
#ifndef PS_BASE_SCHEDULE_H
#define PS_BASE_SCHEDULE_H

/* For threads that sleep often and should start promptly when they are woken, also on a processor
 * that another thread keeps busy. A kernel that does not know the hints ignores them. */
void ps__schedule_promptly(void);

#endif
