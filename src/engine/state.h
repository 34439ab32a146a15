/* What the word of the calling thread says: see ps_thread_state. */
#ifndef PS_ENGINE_STATE_H
#define PS_ENGINE_STATE_H

#include "penstock.h"

/* Where it makes what is new; NULL: it does not say. */
ps_device *ps__thread_device(void);

#endif
