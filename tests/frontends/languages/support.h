/* What programs in C share: lines about results and errors, and where results go. */
#ifndef LANGUAGES_SUPPORT_H
#define LANGUAGES_SUPPORT_H

#include "sha256.h"

#include <penstock_ops.h>

#include <stdio.h>
#include <stdlib.h>

static int program_seed, statement; /* that runs */
static ps_tensor *made;             /* the result of the call before */

static inline void say(const char *what)
{
    printf("%d.%d %s", program_seed, statement, what);
}

static inline void say_error(void)
{
    static const char *const kinds[] = {"runtime", "value",   "type", "index",
                                        "memory",  "timeout", "value"};
    ps_error_info info = {.size = sizeof info};
    ps_last_error_info(&info);
    say("error ");
    printf("%s: %s\n", kinds[info.kind], info.text);
}

static inline bool ok(ps_status status)
{
    if (status != PS_OK)
        say_error();
    return status == PS_OK;
}

/* Where the next call puts its result. */
static inline ps_tensor **fresh(void)
{
    ps_tensor_release(made);
    made = NULL;
    return &made;
}

/* The slot has the result now. */
static inline bool keep(ps_tensor **slot)
{
    ps_tensor_release(*slot);
    *slot = made;
    made = NULL;
    return true;
}

static inline bool alias(ps_tensor **slot, ps_tensor *x)
{
    ps_status status = ps_tensor_retain(x);
    made = x;
    return ok(status) && keep(slot);
}

static inline bool recast(ps_dtype dtype)
{
    ps_tensor *converted = NULL;
    ps_status status = ps_cast(PS_ARG(made), ps_arg_dtype(dtype), &converted);
    fresh();
    made = converted;
    return ok(status);
}

static inline ps_arg complex_arg(double real, double imaginary)
{
    ps_arg arg = {.kind = PS_ARG_SCALAR};
    arg.as.scalar.tag = PS_SCALAR_COMPLEX;
    arg.as.scalar.as.z[0] = real;
    arg.as.scalar.as.z[1] = imaginary;
    return arg;
}

static inline ps_arg generator_arg(ps_generator *from)
{
    return (ps_arg){.kind = PS_ARG_GENERATOR, .as.generator = from};
}

/* An array as an item of an index, by its type. */
static inline ps_index item_of(ps_tensor *x)
{
    return ps_index_tensor(ps_tensor_dtype(x) == PS_BOOL ? PS_INDEX_MASK : PS_INDEX_ARRAY, x);
}

static inline bool say_digest(ps_tensor *x, const unsigned char *elements, size_t bytes)
{
    char text[65];
    sha256 digest;
    sha256_begin(&digest);
    sha256_add(&digest, elements, bytes);
    sha256_text(&digest, text);
    say(ps_dtype_name(ps_tensor_dtype(x)));
    printf(" (");
    for (int i = 0; i < ps_tensor_ndim(x); i++)
        printf("%lld,", (long long)ps_tensor_shape(x)[i]);
    printf(") %.32s\n", text);
    return true;
}

static inline bool show(ps_tensor *x)
{
    size_t bytes = (size_t)ps_tensor_count(x) * ps_dtype_bytes(ps_tensor_dtype(x));
    unsigned char *elements = malloc(bytes + 1);
    if (elements == NULL)
        abort();
    bool shown = ok(ps_tensor_to_host(x, elements, bytes)) && say_digest(x, elements, bytes);
    free(elements);
    return shown;
}

static inline bool say_nothing_flows(void)
{
    say("no gradient\n");
    return true;
}

static inline bool keep_gradient(ps_tensor **slot)
{
    return made == NULL ? say_nothing_flows() : keep(slot);
}

/* A gradient that nothing flows to is zeros. */
static inline bool zeros_if_none(ps_tensor *like)
{
    if (made != NULL)
        return true;
    ps_zeros_options options = {.dtype = ps_arg_dtype(ps_tensor_dtype(like))};
    return ok(ps_zeros_with(ps_arg_ints(ps_tensor_shape(like), (size_t)ps_tensor_ndim(like)),
                            &options, fresh()));
}

static inline bool wait_all(void)
{
    ps_engine *engine = NULL;
    return ok(ps_engine_default(&engine)) && ok(ps_wait_all(engine, NULL));
}

static inline uint64_t record(void)
{
    uint64_t before = ps_thread_state();
    ps_thread_set_state(before | PS_STATE_RECORDING | PS_STATE_TRAINING);
    return before;
}

static inline void release_all(ps_tensor **slots, int count)
{
    for (int i = 0; i < count; i++) {
        ps_tensor_release(slots[i]);
        slots[i] = NULL;
    }
    fresh();
}

#endif
