/* Short rows: see rows.h. */
#include "ops/rows.h"

#include "kernels/kernels.h"
#include "ops/at_once.h"

enum { SHORT = 256 }; /* elements */

_Static_assert((int)SHORT <= (int)PS__LEAF, "a row is one leaf");

bool ps__rows_are_short(const ps__reduce_spec *spec, const ps_tensor *x)
{
    return x->contiguous && x->count > 0 && x->count <= SHORT && x->home->host &&
           x->dtype == spec->accumulator && spec->result == spec->accumulator && !spec->square;
}

/* Not in line: the room is for this alone. */
static __attribute__((noinline)) void fold_apart(const ps__kernel_set *kernels, ps__leaf_fn leaf,
                                                 const ps__rows *rows, size_t bytes,
                                                 const char *from, char *to)
{
    _Alignas(64) char row[SHORT * sizeof(ps__element)];
    size_t stride = (size_t)rows->apart * bytes, block = (size_t)rows->length * stride;
    for (int64_t i = 0; i < rows->operands[0]->count; i++, to += bytes) {
        const char *first =
            from + (size_t)(i / rows->apart) * block + (size_t)(i % rows->apart) * bytes;
        kernels->gather[__builtin_ctzll(bytes)]((size_t)rows->length, row, first,
                                                (ptrdiff_t)stride);
        leaf((size_t)rows->length, row, to);
    }
}

static void fold(const ps__reduce_spec *spec, const ps__rows *rows, const char *from, char *to)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    ps__leaf_fn leaf = kernels->leaf[spec->reduce][spec->accumulator];
    size_t bytes = ps__dtype_bytes((ps_dtype)spec->accumulator);
    size_t row = (size_t)rows->length * bytes;
    if (rows->apart == 1)
        for (int64_t i = 0; i < rows->operands[0]->count; i++)
            leaf((size_t)rows->length, from + (size_t)i * row, to + (size_t)i * bytes);
    else
        fold_apart(kernels, leaf, rows, bytes, from, to);
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
    o.use = rows->use;
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
