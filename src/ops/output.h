/* What calls write to: the one place that knows the rules for it.
 *
 * A call that is given no output makes a tensor. One that is given is written where that is
 * possible, else the result is made in a temporary and copied over:
 *
 *   given output                                      written
 *   another type, which holds the result's            from a temporary, converted
 *   a type that does not                              refused: PS_ERR_TYPE
 *   gaps between elements                             straight, by work that is PS__OUT_STRIDED
 *   the same elements as an input                     straight, by work that is PS__OUT_IN_PLACE
 *   other elements of an input's storage              straight
 *   elements that overlap an input's otherwise        from a temporary
 *   elements that repeat, or another shape or device  refused: PS_ERR_ARGUMENT
 *   elements of another output of the same call       refused: PS_ERR_ARGUMENT */
#ifndef PS_OPS_OUTPUT_H
#define PS_OPS_OUTPUT_H

#include "ops/task.h"

enum {
    PS__OUT_STRIDED = 1, /* the work writes elements wherever they are; else only side by side */
    PS__OUT_IN_PLACE = 2 /* it reads an element before it writes it, and no other after that */
};

typedef struct ps__output {
    ps_tensor *tensor; /* what the work is to write */
    ps_tensor *given;  /* what `tensor`, a temporary, is to be copied to; or NULL */
    ps_tensor **slot;  /* where the caller wants a tensor that is made; or NULL */
    ps__use use;
    uint32_t same; /* a bit for each argument that is the same elements, to be updated */
} ps__output;

/* What ps__output_begin does where an output is given. */
ps_status ps__output_given(const ps__bound_call *call, unsigned index, const ps__home *home,
                           ps_dtype dtype, int ndim, const int64_t *shape, unsigned abilities,
                           ps__output *output);

/* Output `index` of the call, of that type and shape. */
static inline ps_status ps__output_begin(const ps__bound_call *call, unsigned index,
                                         const ps__home *home, ps_dtype dtype, int ndim,
                                         const int64_t *shape, unsigned abilities,
                                         ps__output *output)
{
    ps_tensor **slot = &call->call->outputs[index];
    if (PS_UNLIKELY(*slot != NULL))
        return ps__output_given(call, index, home, dtype, ndim, shape, abilities, output);
    output->given = NULL;
    output->slot = slot;
    output->use = PS__NEW;
    output->same = 0;
    return ps__tensor_create(home, dtype, ndim, shape, &output->tensor);
}
/* A tensor that was made for this call, to be written in part, is the output. */
void ps__output_adopt(const ps__bound_call *call, unsigned index, ps_tensor *tensor,
                      ps__output *output);
/* Copies a temporary to where it belongs, and releases it. */
ps_status ps__output_settle(const ps__bound_call *call, ps__output *output, ps_status status);

/* Hands it to the caller if status is PS_OK, else undoes it; returns the status of that. */
static inline ps_status ps__output_end(const ps__bound_call *call, ps__output *output,
                                       ps_status status)
{
    if (PS_UNLIKELY(output->slot == NULL))
        return output->given != NULL ? ps__output_settle(call, output, status) : status;
    if (PS_LIKELY(status == PS_OK))
        *output->slot = output->tensor;
    else
        ps_tensor_release(output->tensor);
    return status;
}

/* All of several, or none. */
ps_status ps__outputs_end(const ps__bound_call *call, ps__output *outputs, unsigned count,
                          ps_status status);

/* Whether output `index`, which is given, can take such a result at all. */
ps_status ps__output_check(const ps__bound_call *call, unsigned index, const ps__home *home,
                           ps_dtype dtype, int ndim, const int64_t *shape);
/* A result may become more general in a tensor that is given, not less: refuses that. */
ps_status ps__output_type(const ps__bound_call *call, ps_dtype from, ps_dtype to);
/* Some element of it would be written more than once: a broadcast dimension. */
bool ps__output_repeats(const ps_tensor *out);
/* Views of one storage whose elements lie between each other's, and may be the same. */
bool ps__output_overlaps(const ps_tensor *a, const ps_tensor *b);
/* For operations that make new elements from no others: the type of an output that is given, if the
 * call does not name one. `at` is the place of the type among the arguments. */
ps_dtype ps__output_decides(const ps__bound_call *call, unsigned at, ps_dtype otherwise);
/* For operations that are made of others, which would not do where an output is given: calls the
 * row without one and copies the result. */
ps_status ps__output_apart(const ps__bound_call *call);
/* For operations that make views: an error if an output is given. */
ps_status ps__output_none(const ps__bound_call *call);

/* The device that all tensors share; without any, that of the output if one is given, else that of
 * the call. An error names two that differ. */
ps_status ps__common_home(const ps__bound_call *call, const ps__home **home);
/* The same for calls that read no tensors. */
ps_status ps__new_home(const ps__bound_call *call, const ps__home **home);

#endif
