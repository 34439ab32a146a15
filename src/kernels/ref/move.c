/* Moving elements, by their width alone. */
#include "kernels/ref/fill.h"
#include "kernels/ref/names.inc"

#define T ps__element8
#define TAG 8
#include "kernels/ref/move.inc"
#define T ps__element16
#define TAG 16
#include "kernels/ref/move.inc"
#define T ps__element32
#define TAG 32
#include "kernels/ref/move.inc"
#define T ps__element64
#define TAG 64
#include "kernels/ref/move.inc"
#define T ps__element128
#define TAG 128
#include "kernels/ref/move.inc"

static void stream(void *out, const void *in, size_t bytes)
{
    if (bytes)
        memcpy(out, in, bytes);
}

void ps__fill_move_ref(ps__kernel_set *set)
{
    enter_moves_8(set, 0);
    enter_moves_16(set, 1);
    enter_moves_32(set, 2);
    enter_moves_64(set, 3);
    enter_moves_128(set, 4);
    set->stream = stream;
}
