/* Random generators as operations see them. */
#ifndef PS_OPS_GENERATOR_H
#define PS_OPS_GENERATOR_H

#include "kernels/random.h"

/* Gives the state as it is, and moves the generator on by `blocks`. NULL: the default one. */
ps_status ps__generator_take(ps_generator *generator, uint64_t blocks, ps__random *state);

#endif
