/* Tests that walk the table of operations. They know rows only by what ps_op_get_info says of them,
 * so a new row is tested without an edit.
 *
 *   table.c           rows, elements by a seed, tensors of one content in many layouts
 *   table_layouts.c   elementwise rows: the same bits however the operands and the output lie
 *   table_types.c     elementwise rows: operands of different types, numbers, what is refused
 *   table_evaluate.c  the value of an expression in long double, with a bound on the error
 *   table_values.c    elementwise rows against that
 *   table_reduce.c    reductions: against plain loops; the same bits for layouts and workers
 *   table_rows.c      what rows say of themselves; rows added at run time, good and bad
 *   table_claims.c    what they say of arguments and results, against what they do
 *   table_arguments.c something for each argument of any row
 *   table_checksums.c one number for each row and type, to compare instruction sets */
#ifndef PS_TESTS_OPS_TABLE_H
#define PS_TESTS_OPS_TABLE_H

#include "penstock.h"

#include <stdio.h>

enum {
    TABLE_TYPES = PS_COMPLEX128 + 1,
    TABLE_ARGS = 16,
    TABLE_OPERANDS = 3, /* tensor arguments of an elementwise row */
    TABLE_OUTPUTS = 8,
    TABLE_DIMS = 4,
    TABLE_ELEMENTS = 5000 /* of an operand in the walk over layouts */
};

/* ---- rows -------------------------------------------------------------------------------- */

typedef struct table_row {
    const ps_op *op;
    ps_op_info info;
    unsigned operands;         /* leading arguments that are tensors */
    uint32_t takes;            /* bits of element types */
    bool to_float;             /* integers and bool become float32 */
    bool mask[TABLE_OPERANDS]; /* operands that are taken as bool */
} table_row;

/* The row at a place of the table; fails the test if it cannot be told about. */
void table_row_at(size_t index, table_row *row);
bool table_is_elementwise(const table_row *row);
/* The index of an argument, or -1. */
int table_argument(const table_row *row, const char *name);

typedef enum table_answer { TABLE_TAKES, TABLE_CONVERTS, TABLE_REFUSES, TABLE_OPEN } table_answer;

/* What a row must do with tensors of one type: take them, take them as float32, refuse. OPEN: the
 * table leaves it to the operation's code. */
table_answer table_answer_to(const table_row *row, ps_dtype dtype);
/* The type in which a row works on tensors of this type; the type of its result, or -1 if the
 * table does not say. */
ps_dtype table_common(const table_row *row, ps_dtype dtype);
int table_result(const table_row *row, ps_dtype common);

bool table_is_integer(ps_dtype dtype);
bool table_is_complex(ps_dtype dtype);
bool table_is_float(ps_dtype dtype);

/* ---- elements ------------------------------------------------------------------------------ */

typedef enum table_range {
    TABLE_SMALL,     /* numbers of a few units, fractions among them */
    TABLE_WIDE,      /* the same; now and then any bits of an integer, NaN, infinity, 0 and -0 */
    TABLE_AROUND_ONE /* sizes from 0.5 to 2 */
} table_range;

void table_fill(ps_dtype dtype, table_range range, uint64_t seed, size_t count, void *elements);
uint64_t table_random(uint64_t *state);

/* ---- layouts ------------------------------------------------------------------------------- */

typedef enum table_layout {
    TABLE_PLAIN,
    TABLE_STEP,     /* every second along the last dimension */
    TABLE_BACKWARD, /* the last dimension from its end */
    TABLE_TURNED,   /* dimensions lie in reverse order */
    TABLE_SHIFTED,  /* side by side, from the second element of a storage on */
    TABLE_LAYOUTS
} table_layout;

extern const char *const table_layout_names[TABLE_LAYOUTS];

/* A tensor with these elements (the last dimension fastest) that lies in memory as the layout
 * says. What lies between them is 0x5a in every byte. */
ps_tensor *table_lay(table_layout layout, ps_dtype dtype, int ndim, const int64_t *shape,
                     const void *elements);

/* ---- calls --------------------------------------------------------------------------------- */

/* Of several outputs it gives the first. */
ps_status table_call(const ps_op *op, const ps_arg *args, size_t nargs, ps_tensor **out);
/* With tensors for the leading arguments, and defaults. */
ps_status table_apply(const table_row *row, ps_tensor *const *operands, ps_tensor **out);
/* The first element whose bits differ, or -1. NaNs count as the same: which sign one has depends on
 * the order in which a compiler puts the operands, which is not even the same for a loop's last
 * elements as for the others. */
int64_t table_difference(ps_dtype dtype, int64_t count, const char *a, const char *b);
/* The elements, the last dimension fastest; the caller frees them. Fails the test on an error. */
char *table_read(ps_tensor *tensor, const char *what);

/* ---- arguments of any row ------------------------------------------------------------------ */

/* What rows are called with. Tensors are of one shape. */
typedef struct table_given {
    ps_dtype dtype;
    int ndim; /* 1 or 2 */
    int64_t shape[2], ones[4];
    int64_t image_shape[4];              /* (1, 1, ...): the operands as an image of one channel */
    ps_tensor *operands[TABLE_OPERANDS]; /* of the type; the second lies by columns */
    ps_tensor *gates[2];                 /* three and four of the operands along the last axis */
    ps_tensor *sequence, *first;         /* the first operand as (steps, 1, inputs), a state, */
    ps_tensor *weights, *reserve;        /* and what rnn_tanh of one unit needs for them */
    ps_tensor *mask;                     /* of bool, half of it true */
    ps_tensor *positions;                /* int64, within every axis */
    ps_tensor *places;                   /* int64, one for each line along the last dimension */
    ps_tensor *column;                   /* of the type, likewise */
    ps_tensor *row;                      /* of the type, as long as the last dimension */
    ps_tensor *squares;                  /* of that */
    ps_tensor *line;                     /* of the type, one dimension, sorted */
    ps_tensor *value;                    /* of the type, a single one */
    ps_tensor *images[TABLE_OPERANDS];   /* the operands, in that shape, */
    ps_tensor *tap;                      /* weights of one tap, */
    ps_tensor *strip, *strip_tap;        /* and both for one dimension of pixels */
} table_given;

void table_give(ps_dtype dtype, table_range range, int ndim, const int64_t *shape,
                table_given *given);
void table_take_back(table_given *given);
/* Values for all arguments of a row, defaults where it has them, by their kinds and names. False if
 * none comes to mind. The row may refuse the type or the shape. */
bool table_arguments(const table_row *row, const table_given *given, ps_arg *args);

/* ---- expressions --------------------------------------------------------------------------- */

/* A number, and how far the library's may lie from it. Integers and bool are in `whole`. */
typedef struct table_quantity {
    ps_dtype dtype;
    int64_t whole;
    long double number, error;
} table_quantity;

table_quantity table_quantity_of(ps_dtype dtype, const void *element);
/* A number of the source in a type. */
table_quantity table_quantity_from(ps_dtype dtype, double number);
/* The same value in another type, as a conversion makes it. */
table_quantity table_quantity_as(table_quantity from, ps_dtype dtype);
/* A unit in the last place of a type at a size. */
long double table_ulp(ps_dtype dtype, long double number);
long double table_largest(ps_dtype dtype);
/* The value of the row's expression for one element of each argument. False: there is something in
 * it that the evaluator does not know; *why says what. */
bool table_evaluate(const table_row *row, ps_dtype compute, const table_quantity *args,
                    table_quantity *value, const char **why);

/* ---- checksums ----------------------------------------------------------------------------- */

/* Writes a line "row type checksum exact" for each row and type that can be called. */
void table_write_checksums(FILE *to);

/* ---- the tests ----------------------------------------------------------------------------- */

void table_test_layouts(void **state);
void table_test_small_shapes(void **state);
void table_test_broadcast(void **state);
void table_test_outputs(void **state);
void table_test_mixed(void **state);
void table_test_refusals(void **state);
void table_test_values(void **state);
void table_test_reductions(void **state);
void table_test_reduction_workers(void **state);
void table_test_descriptions(void **state);
void table_test_numbers(void **state);
void table_test_results(void **state);
void table_test_roles(void **state);
void table_test_flags(void **state);
void table_test_register(void **state);
void table_test_register_refusals(void **state);
void table_test_register_random(void **state);

#endif
