/* Operations: the rows of the table at run time, and what calls them. */
#ifndef PS_OPS_OP_H
#define PS_OPS_OP_H

#include "backend/program.h"
#include "tensor/tensor.h"

enum {
    PS__ARGS = 16,        /* of any row, */
    PS__MAP_ARGS = 16,    /* operands of an elementwise row, */
    PS__MAP_OUTPUTS = 6,  /* and its outputs: more are refused when the table is prepared */
    PS__GRADIENT_SETS = 8 /* of operands whose gradients are computed together */
};

/* What a row says of its element types. */
typedef enum ps__result_rule {
    PS__GIVES_SAME, /* the common type of the tensor arguments */
    PS__GIVES_BOOL,
    PS__GIVES_REAL, /* the common type, or of a complex one its parts' */
    PS__GIVES_OTHER /* the operation's own code says */
} ps__result_rule;

/* A flag of rows beside PS_OP_...: without an expression, bits may differ between instruction sets. */
#define PS__OP_INEXACT (1u << 31)

typedef struct ps__bound_call ps__bound_call;

/* Does a call of an operation that is no plain row of elements: checks, makes outputs, queues. */
typedef ps_status (*ps__op_fn)(const ps__bound_call *call);

/* A row as ops.def states it. */
typedef struct ps__op_row {
    const char *name, *group, *signature;
    ps__dtype_set takes; /* the common type must be one of these */
    uint32_t flags;
    ps__result_rule result;
    const char *expression; /* elementwise: the results, separated by ";"; or NULL */
    ps__op_fn call;         /* NULL: elementwise, by the expression */
    int outputs;
    const char *gradient, *doc;
    const char *symbol; /* as in ps_op_info */
} ps__op_row;

typedef struct ps__plan ps__plan;

struct ps_op {
    ps__op_row row;
    ps_op_arg_info args[PS__ARGS];
    ps_scalar defaults[PS__ARGS]; /* of numbers that are left out; of types their number, or -1 */
    ps_arg omitted[PS__ARGS];     /* what an argument is that is left out: ps__arg_omitted */
    uint8_t nargs, required;
    uint8_t operands; /* leading arguments that are tensors or numbers: inputs of the expression */
    bool exact;
    ps_op_rule_fn rule; /* of an operation that was added with a kernel: plugin.c */
    ps_op_kernel_fn kernel;
    void *context;
    uint32_t flows, names; /* of a gradient: which arguments its outputs belong to; which of its
                              arguments its expressions name; */
    uint32_t passes;       /* and whose output is dy itself */
    /* For each set of the first operands; NULL: not asked for yet. See gradient.c. */
    _Atomic(ps_op *) gradient[PS__GRADIENT_SETS];
    _Atomic(ps__plan *) plans[64]; /* by key; see plan.c */
};

static inline bool ps__is_mask(const ps_op *op, unsigned index)
{
    return op->args[index].role == PS_ROLE_MASK;
}

/* Whether a number stands for a tensor that is left out. */
static inline bool ps__number_is_default(const ps_op *op, unsigned index)
{
    const ps_op_arg_info *info = &op->args[index];
    return info->kind == PS_ARG_TENSOR && info->scalar && !info->required &&
           info->default_text[0] != 'n';
}

/* A call whose arguments have been brought into the order and kinds of the signature: PS_ARG_NONE
 * where a default without a value applies. */
struct ps__bound_call {
    const ps_op *op;
    const ps_call *call;
    ps_arg args[PS__ARGS];
};

/* signature.c: fills in the arguments from the row's text. */
ps_status ps__signature_read(ps_op *op);
/* What an argument is where it is left out, by its default. */
ps_arg ps__arg_omitted(const ps_op *op, unsigned index);

/* table.c: an operation that is in no list, of a row whose texts last as long; and its end. */
ps_status ps__op_make(const ps__op_row *row, ps_op **op);
void ps__op_free(ps_op *op);

/* ---- Plans: an elementwise row for given element types (plan.c) ------------------------- */

/* The types of the operands and of the result, five bits for each: those of the first operands with the
 * result's, and those of the others with the copy's. */
typedef struct ps__plan_key {
    uint64_t first, others;
} ps__plan_key;

struct ps__plan {
    ps__plan_key key;
    ps__plan *next; /* constant once published */
    ps_dtype common, result;
    ps__program program;          /* its inputs are the arguments, its stores the results */
    ps__map_fn single[PS__FORMS]; /* if the program is one map of its inputs, that; else NULL */
    ps__cast_fn cast;             /* if it is one conversion */
};

/* What an operand is: a tensor's type, or how weak a scalar is. */
typedef struct ps__operand_type {
    bool scalar;
    uint8_t type; /* a ps_dtype, or a ps_scalar_tag */
} ps__operand_type;

/* The plan of an elementwise row for these operands, one for each argument. `result` is -1, or the
 * type to convert to (for writing into a tensor). Errors name types that have no rule. */
ps_status ps__plan_get(const ps_op *op, const ps__operand_type *operands, int result,
                       const ps__plan **plan);
/* The same, whose program has one more store: the first result as another type. */
ps_status ps__plan_get_copied(const ps_op *op, const ps__operand_type *operands, ps_dtype copy,
                              const ps__plan **plan);
/* A number in the place of an input, as the plan's program takes it. */
ps_status ps__plan_constant(const ps_op *op, const ps__plan *plan, unsigned input, ps_scalar scalar,
                            ps__element *element);
/* Frees the plans of a row that nobody can call. */
void ps__plans_free(ps_op *op);
/* The common type of some operands by the row's rule. */
ps_status ps__common_type(const ps_op *op, const ps__operand_type *operands, unsigned count,
                          ps_dtype *common);

/* expression.c: compiles the expressions of a row over its arguments, whose values are the program's
 * inputs (types filled in), in the type `compute`. Their values go to `values`, one for each of the
 * row's outputs; false, with an error noted, if that cannot be. */
bool ps__expression_compile(const ps_op *op, ps_dtype compute, ps__program *program, int *values);

/* ---- Calls ------------------------------------------------------------------------------ */

/* elementwise.c */
typedef struct ps__map_options {
    bool convert; /* the result is made `dtype`, whatever it is; into a given output, its type */
    bool fill;    /* the output is given; operands are broadcast to its shape */
    ps_dtype dtype;
} ps__map_options;
ps_status ps__elementwise(const ps__bound_call *call, const ps__map_options *options);
/* call.c: the call itself, of arguments in order; nothing is recorded. */
ps_status ps__call_bound(const ps__bound_call *call);
/* A number however it was given; false if it is none. */
bool ps__arg_number(const ps_arg *arg, ps_scalar *scalar);
/* An operation by name from inside of others; `out` as in ps_call. */
ps_status ps__call(const char *name, const ps_call *outer, const ps_arg *args, size_t nargs,
                   ps_tensor **out);
/* The same of one with several outputs. */
ps_status ps__call_several(const char *name, const ps_call *outer, const ps_arg *args, size_t nargs,
                           ps_tensor **out, size_t count);

#endif
