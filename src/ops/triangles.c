/* Diagonals and triangles of matrices: trace, diag, tri, tril, triu. */
#include "base/error.h"
#include "ops/compose.h"

#include <inttypes.h>

ps_status ps__op_trace(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    if (ps__compose_tensor(&c, 0) != NULL) {
        ps_tensor *line = ps__compose_make(&c, "diagonal", 4, call->args);
        PS__GIVE(&c, "sum", ps__arg_tensor(line), ps__arg_int(-1), ps__arg_bool(false),
                 call->args[4]);
    }
    return ps__compose_end(&c);
}

/* A diagonal so far out that a matrix with it could not be counted. */
static bool is_near(ps__compose *c, int64_t diagonal)
{
    const int64_t most = (int64_t)1 << 40;
    if (c->status == PS_OK && (diagonal < -most || diagonal > most))
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: diagonal %" PRId64 " is too far out",
                             c->call->op->row.name, diagonal);
    return c->status == PS_OK;
}

/* ---- diag -------------------------------------------------------------------------------- */

/* A matrix with the elements of a line on a diagonal: the line, at the right place, in every row,
 * and where a mask has the diagonal it stays. */
static void spread_line(ps__compose *c, ps_tensor *x, int64_t diagonal)
{
    int64_t right = diagonal > 0 ? diagonal : 0, down = diagonal < 0 ? -diagonal : 0;
    int64_t shape[2] = {x->count + right + down, x->count + right + down}, count;
    if (!is_near(c, diagonal))
        return;
    c->status = ps__shape_check("diag", (ps_dtype)x->dtype, 2, shape, &count);
    if (!ps__compose_result(c, (ps_dtype)x->dtype, 2, shape))
        return;
    ps_tensor *row = PS__MAKE(c, "pad", ps__arg_tensor(x), ps__arg_ints(1, &right),
                              ps__arg_ints(1, &down), ps__arg_bool(false));
    ps_tensor *mask = PS__MAKE(c, "eye", ps__arg_int(shape[0]), ps__arg_none(),
                               ps__arg_int(diagonal), ps__arg_dtype(PS_BOOL));
    PS__GIVE(c, "where", ps__arg_tensor(mask), ps__arg_tensor(row), ps__arg_bool(false));
}

ps_status ps__op_diag(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (x != NULL && x->ndim == 2)
        PS__GIVE(&c, "diagonal", ps__arg_tensor(x), call->args[1]);
    else if (x != NULL && x->ndim == 1)
        spread_line(&c, x, call->args[1].as.integer);
    else if (x != NULL)
        c.status =
            ps__fail(PS_ERR_ARGUMENT, "diag: one or two dimensions are needed, not %d", x->ndim);
    return ps__compose_end(&c);
}

/* ---- triangles --------------------------------------------------------------------------- */

/* True where the column is at most the row plus the diagonal. */
static ps_arg below(ps__compose *c, int64_t rows, int64_t columns, int64_t diagonal)
{
    const int64_t upright[2] = {rows, 1};
    ps_tensor *line = PS__MAKE(c, "arange", ps__arg_int(diagonal), ps__arg_int(rows + diagonal));
    ps_tensor *row = PS__MAKE(c, "reshape", ps__arg_tensor(line), ps__arg_ints(2, upright));
    ps_tensor *column = PS__MAKE(c, "arange", ps__arg_int(0), ps__arg_int(columns));
    return ps__arg_tensor(PS__MAKE(c, "less_equal", ps__arg_tensor(column), ps__arg_tensor(row)));
}

ps_status ps__op_tri(const ps__bound_call *call)
{
    ps__compose c;
    int64_t rows = call->args[0].as.integer, diagonal = call->args[2].as.integer, count;
    int64_t shape[2] = {rows, call->args[1].kind == PS_ARG_INT ? call->args[1].as.integer : rows};
    ps_dtype dtype = ps__output_decides(call, 3, call->args[3].as.dtype);
    ps__compose_begin(&c, call);
    if (is_near(&c, diagonal))
        c.status = ps__shape_check("tri", dtype, 2, shape, &count);
    if (ps__compose_result(&c, dtype, 2, shape))
        PS__GIVE(&c, "cast", below(&c, rows, shape[1], diagonal), ps__arg_dtype(dtype));
    return ps__compose_end(&c);
}

/* The elements on and below a diagonal, or on and above it. */
static ps_status triangle(const ps__bound_call *call, bool lower)
{
    ps__compose c;
    int64_t diagonal = call->args[1].as.integer;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (x != NULL && x->ndim < 2)
        c.status = ps__fail(PS_ERR_ARGUMENT, "%s: two dimensions or more are needed, not %d",
                            call->op->row.name, x->ndim);
    if (is_near(&c, diagonal) &&
        ps__compose_result(&c, (ps_dtype)x->dtype, x->ndim, ps__shape(x))) {
        const int64_t *matrix = ps__shape(x) + x->ndim - 2;
        ps_arg zero = ps__arg_bool(false), all = ps__arg_tensor(x);
        ps_arg mask = below(&c, matrix[0], matrix[1], lower ? diagonal : diagonal - 1);
        PS__GIVE(&c, "where", mask, lower ? all : zero, lower ? zero : all);
    }
    return ps__compose_end(&c);
}

ps_status ps__op_tril(const ps__bound_call *call)
{
    return triangle(call, true);
}

ps_status ps__op_triu(const ps__bound_call *call)
{
    return triangle(call, false);
}
