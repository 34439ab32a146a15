/* Work so short that queueing it would cost more than doing it: the thread that asks for it does
 * it at the call, without a task, under the engine's lock. (Without it, on what is its own: own.h.)
 *
 * That is as if a task had been pushed, run and completed between two others: the lock keeps every
 * other push and completion out. So the work may read what no unfinished task writes, and write
 * what no unfinished task uses. It must be short, must not fail, and must not call the engine,
 * allocate or wait. It is counted as a task, with a sequence number. */
#ifndef PS_ENGINE_AT_ONCE_H
#define PS_ENGINE_AT_ONCE_H

#include "penstock.h"

/* Takes the lock if this thread may do such work now. Not in synchronous mode, while a trace is
 * recorded, above the bound, or when the engine is closed: then the work must be queued, and that
 * says what is to be said. */
bool ps__at_once_begin(ps_engine *engine);
/* Gives the lock back; `done`: counts a task, with the next number. */
void ps__at_once_end(ps_engine *engine, bool done);

#endif
