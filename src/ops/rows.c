/* Short rows: see rows.h. */
#include "ops/rows.h"

#include "kernels/kernels.h"
#include "ops/at_once.h"

#include <string.h>

enum { SHORT = 256 }; /* elements */

_Static_assert((int)SHORT <= (int)PS__LEAF, "a row is one leaf");

bool ps__rows_are_short(const ps__reduce_spec *spec, const ps_tensor *x)
{
    return x->contiguous && x->count > 0 && x->count <= SHORT && x->home->host &&
           x->dtype == spec->accumulator && spec->result == spec->accumulator && !spec->square;
}

static inline __attribute__((always_inline)) void gather(char *row, const char *from,
                                                         const ps__rows *rows, size_t bytes)
{
    for (int64_t i = 0; i < rows->length; i++)
        memcpy(row + (size_t)i * bytes, from + (size_t)(i * rows->apart) * bytes, bytes);
}

static void gather_row(char *row, const char *from, const ps__rows *rows, size_t bytes)
{
    switch (bytes) {
    case 1:
        gather(row, from, rows, 1);
        break;
    case 2:
        gather(row, from, rows, 2);
        break;
    case 4:
        gather(row, from, rows, 4);
        break;
    case 8:
        gather(row, from, rows, 8);
        break;
    default:
        gather(row, from, rows, bytes);
        break;
    }
}

/* Not in line: the room is for this alone. */
static __attribute__((noinline)) void fold_apart(ps__leaf_fn leaf, const ps__rows *rows,
                                                 size_t bytes, const char *from, char *to)
{
    _Alignas(64) char row[SHORT * sizeof(ps__element)];
    for (int64_t i = 0; i < rows->operands[0]->count; i++) {
        int64_t first = i / rows->apart * rows->length * rows->apart + i % rows->apart;
        gather_row(row, from + (size_t)first * bytes, rows, bytes);
        leaf((size_t)rows->length, row, to + (size_t)i * bytes);
    }
}

static void fold(const ps__reduce_spec *spec, const ps__rows *rows, const char *from, char *to)
{
    ps__leaf_fn leaf = ps__kernels_get()->leaf[spec->reduce][spec->accumulator];
    size_t bytes = ps__dtype_bytes((ps_dtype)spec->accumulator);
    size_t row = (size_t)rows->length * bytes;
    if (rows->apart == 1)
        for (int64_t i = 0; i < rows->operands[0]->count; i++)
            leaf((size_t)rows->length, from + (size_t)i * row, to + (size_t)i * bytes);
    else
        fold_apart(leaf, rows, bytes, from, to);
    ps__reduce_end(spec, (size_t)rows->operands[0]->count, to, to);
}

/* Not in line: the room is for this alone. */
static __attribute__((noinline)) void fold_products(const ps__reduce_spec *spec,
                                                    const ps__rows *rows, char *const *data)
{
    _Alignas(64) char products[SHORT * sizeof(ps__element)];
    const void *in[2] = {data[1], data[2]};
    ps__kernels_get()->map[PS__PRIM_multiply][spec->accumulator]
                          [PS__FORM_ALL]((size_t)rows->operands[1]->count, products, in);
    fold(spec, rows, products, data[0]);
}

bool ps__rows_at_once(const ps__reduce_spec *spec, const ps__rows *rows)
{
    ps__opening o; /* its lists are large, and mostly unused */
    o.count = rows->count;
    o.operands = rows->operands;
    o.use = PS__NEW;
    o.cost_ns = 20 + (float)rows->operands[1]->count + 5 * (float)rows->operands[0]->count;
    if (o.cost_ns > PS__AT_ONCE_TASK_NS || !ps__at_once() || !ps__at_once_open(&o))
        return false;
    if (rows->count == 3)
        fold_products(spec, rows, o.data);
    else
        fold(spec, rows, o.data[1], o.data[0]);
    ps__at_once_close(&o);
    return true;
}
