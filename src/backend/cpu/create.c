/* New elements: one value, a series, ones on a diagonal. */
#include "backend/cpu/cpu.h"

#include <string.h>

enum { GRAIN = 1 << 17 };

typedef struct creating {
    const ps__work_fill *fill;
    const ps__work_series *series;
    const ps__operand *out;
    unsigned log; /* of the bytes of an element */
} creating;

static creating creating_of(const ps__operand *out)
{
    return (creating){.out = out, .log = (unsigned)__builtin_ctz(ps__dtypes[out->dtype].bytes)};
}

static ps_status fill_piece(size_t begin, size_t end, void *arg)
{
    const creating *c = arg;
    ps__kernels_get()->fill[c->log](end - begin, c->out->data + (begin << c->log), &c->fill->value);
    return PS_OK;
}

PS__CPU_RUN(fill)
{
    (void)count;
    creating c = creating_of(&operands[0]);
    c.fill = (const ps__work_fill *)work;
    return ps__split(lane, (size_t)c.fill->count, GRAIN, fill_piece, &c);
}

/* Elements are made as float64 or int64 from their place alone, then converted. */
static ps_status series_piece(size_t begin, size_t end, void *arg)
{
    const ps__work_series *work = ((const creating *)arg)->series;
    const ps__operand *out = ((const creating *)arg)->out;
    unsigned log = ((const creating *)arg)->log;
    bool integer = ps__dtype_is_integer(out->dtype);
    double numbers[256];
    int64_t integers[256];
    ps__cast_fn cast = ps__kernels_get()->cast[integer ? PS_INT64 : PS_FLOAT64][out->dtype];
    for (size_t at = begin; at < end;) {
        size_t n = end - at < 256 ? end - at : 256;
        for (size_t i = 0; i < n; i++) {
            int64_t position = (int64_t)(at + i);
            integers[i] =
                (int64_t)((uint64_t)work->first + (uint64_t)position * (uint64_t)work->step);
            numbers[i] =
                position == work->last ? work->to : work->from + (double)position * work->by;
        }
        char *to = out->data + (at << log);
        const void *from = integer ? (const void *)integers : (const void *)numbers;
        if (out->dtype == PS_INT64 || out->dtype == PS_FLOAT64)
            memcpy(to, from, n * 8);
        else
            cast(n, to, from);
        at += n;
    }
    return PS_OK;
}

PS__CPU_RUN(series)
{
    (void)count;
    creating c = creating_of(&operands[0]);
    c.series = (const ps__work_series *)work;
    return ps__split(lane, (size_t)c.series->count, GRAIN / 4, series_piece, &c);
}

PS__CPU_RUN(eye)
{
    (void)lane;
    (void)count;
    const ps__work_eye *w = (const ps__work_eye *)work;
    const ps__operand *out = &operands[0];
    unsigned log = creating_of(out).log;
    memset(out->data, 0, (size_t)w->count << log);
    int64_t rows = out->shape[0], columns = out->shape[1];
    for (int64_t row = w->diagonal < 0 ? -w->diagonal : 0; row < rows; row++) {
        if (row + w->diagonal >= columns)
            break;
        memcpy(out->data + ((row * columns + row + w->diagonal) << log), &w->value,
               (size_t)1 << log);
    }
    return PS_OK;
}
