/* Gradients where a row has none in the strict sense: equal elements, bounds, zeros. What flows there is
 * a choice, stated here for each row, for real and for complex numbers. The weights of the result are
 * 1, 2, 3. */
#include "help.h"

typedef struct corner {
    const char *row;
    unsigned operands;
    double x[3][3];
    ps_arg rest[2]; /* behind the operands */
    double dx[3][3];
} corner;

/* Equal elements share what flows to the largest or smallest; a bound belongs to what it bounds. */
static const corner ties[] = {
    {"max", 1, {{2, 2, 1}}, .dx = {{0.5, 0.5, 0}}},
    {"max", 1, {{2, 2, 2}}, .dx = {{1. / 3, 1. / 3, 1. / 3}}},
    {"min", 1, {{1, 2, 1}}, .dx = {{0.5, 0, 0.5}}},
    {"ptp", 1, {{2, 2, 2}}, .dx = {{0}}},
    {"maximum", 2, {{1, 2, 3}, {1, 1, 4}}, .dx = {{0.5, 2, 0}, {0.5, 0, 3}}},
    {"minimum", 2, {{1, 2, 3}, {1, 1, 4}}, .dx = {{0.5, 0, 3}, {0.5, 2, 0}}},
    {"clip", 3, {{1, 2, 3}, {1, 1, 1}, {3, 3, 3}}, .dx = {{1, 2, 3}}},
    {"clip", 3, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, .dx = {{1, 2, 3}}},
    {"clip", 3, {{0, 2, 4}, {1, 1, 1}, {3, 3, 3}}, .dx = {{0, 2, 0}, {1, 0, 0}, {0, 0, 3}}},
    {"clip", 3, {{0, 2, 4}, {3, 3, 3}, {1, 1, 1}}, .dx = {{0}, {0}, {1, 2, 3}}},
    {"sort", 1, {{2, 2, 1}}, .dx = {{2, 3, 1}}},          /* they stay in their order */
    {"unique_values", 1, {{2, 2, 1}}, .dx = {{2, 0, 1}}}, /* the first of them */
};

/* Where a distance is 0 nothing flows; a product loses a factor without dividing by it. */
static const corner zeros[] = {
    {"norm", 1, {{0, 0, 0}}, .dx = {{0}}},
    {"vector_norm", 1, {{0, 0, 0}}, .dx = {{0}}},
    {"std", 1, {{2, 2, 2}}, .dx = {{0}}},
    {"var", 1, {{2, 2, 2}}, .dx = {{0}}},
    {"abs", 1, {{0, -1, 1}}, .dx = {{0, -2, 3}}},
    {"sign", 1, {{0, -1, 1}}, .dx = {{0}}},
    {"hypot", 2, {{0, 3, 0}, {0, 4, 0}}, .dx = {{0, 1.2, 0}, {0, 1.6, 0}}},
    {"atan2", 2, {{0, 0, 1}, {0, 1, 0}}, .dx = {{0, 2, 0}, {0, 0, -3}}},
    {"copysign", 2, {{0, 1, -1}, {1, -1, 0}}, .dx = {{1, -2, -3}}},
    {"prod", 1, {{0, 2, 3}}, .dx = {{6, 0, 0}}},
    {"prod", 1, {{0, 2, 0}}, .dx = {{0}}},
    {"cumulative_prod", 1, {{0, 2, 3}}, .dx = {{23, 0, 0}}},
    {"cumulative_prod", 1, {{2, 0, 3}}, .dx = {{1, 22, 0}}},
    {"pow", 2, {{0, 0, 1}, {0, 1, 3}}, .dx = {{0, 2, 9}, {0, 0, 0}}},
    {"modulo", 2, {{1, 4, 5}, {0, 2, 2}}, .dx = {{0, 2, 3}, {0, -4, -6}}},
    {"remainder", 2, {{4, -4, 5}, {2, 2, 2}}, .dx = {{1, 2, 3}, {-2, 4, -6}}},
};

/* An end of a piece that is straight. */
static const corner ends[] = {
    {"relu", 1, {{0, -1, 1}}, .dx = {{0, 0, 3}}},
    {"relu6", 1, {{0, 6, 3}}, .dx = {{0, 0, 3}}},
    {"leaky_relu", 1, {{0, -1, 1}}, .dx = {{1, 0.02, 3}}},
    {"elu", 1, {{0, 1, 2}}, .dx = {{1, 2, 3}}},
    {"hard_sigmoid", 1, {{-3, 3, 0}}, .dx = {{0, 0, 0.5}}},
    {"hard_swish", 1, {{-3, 3, 0}}, .dx = {{0, 2, 1.5}}},
    {"floor", 1, {{1, 2, 3}}, .dx = {{0}}},
    {"ceil", 1, {{1, 2, 3}}, .dx = {{0}}},
    {"trunc", 1, {{0, 1, -1}}, .dx = {{0}}},
    {"round", 1, {{0.5, 1.5, 1}}, .dx = {{0}}},
    {"floor_divide", 2, {{4, 5, 6}, {2, 2, 2}}, .dx = {{0}}},
};

/* ---- one corner, in a type ----------------------------------------------------------------- */

typedef struct attempt {
    const corner *c;
    ps_tensor *x[3], *y, *weights;
} attempt;

static ps_tensor *line(ps_dtype dtype, int64_t count, const double *values)
{
    ps_tensor *wide;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, 1, &count, NULL, values, NULL, &wide));
    ps_tensor *made = CALL("cast", T(wide), D(dtype));
    ps_tensor_release(wide);
    return made;
}

static ps_tensor *weights_of(const ps_tensor *y)
{
    ps_tensor *all = line(ps_tensor_dtype(y), 3, (double[]){1, 2, 3}), *some;
    ps_index items = {PS_INDEX_RANGE, 0, ps_tensor_count(y), 1};
    CHECK_OK(ps_tensor_index(all, &items, 1, &some));
    ps_arg shape = {.kind = PS_ARG_INTS,
                    .count = (uint32_t)ps_tensor_ndim(y),
                    .as.ints = ps_tensor_shape(y)};
    ps_tensor *made = CALL("reshape", T(some), shape);
    ps_tensor_release(all);
    ps_tensor_release(some);
    return made;
}

/* False: the row does not take the type. */
static bool attempt_begin(attempt *a, const corner *c, ps_dtype dtype)
{
    ps_arg args[5];
    *a = (attempt){.c = c};
    for (unsigned i = 0; i < c->operands; i++) {
        a->x[i] = line(dtype, 3, c->x[i]);
        CHECK_OK(ps_grad_attach(a->x[i], PS_GRAD_WRITE, NULL));
        args[i] = T(a->x[i]);
    }
    memcpy(args + c->operands, c->rest, sizeof c->rest);
    size_t rest = (c->rest[0].kind != PS_ARG_NONE) + (c->rest[1].kind != PS_ARG_NONE);
    CHECK_OK(ps_thread_set_state(ps_thread_state() | PS_STATE_RECORDING));
    ps_status status = call_into(c->row, c->operands + rest, args, &a->y);
    CHECK_OK(ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING));
    if (status == PS_OK)
        a->weights = weights_of(a->y);
    else if (status != PS_ERR_TYPE || dtype == PS_FLOAT64)
        fail_msg("%s: %s", c->row, ps_last_error());
    return status == PS_OK;
}

static void attempt_end(attempt *a)
{
    for (int i = 0; i < 3; i++)
        ps_tensor_release(a->x[i]);
    ps_tensor_release(a->y);
    ps_tensor_release(a->weights);
}

/* The real parts of a tensor, of which the others are 0. */
static double *real_parts(ps_tensor *x)
{
    ps_tensor *re = CALL("real", T(x)), *im = CALL("imag", T(x));
    CHECK_VALUES(im, 0, 0, 0);
    double *values = values_of(re);
    ps_tensor_release(re);
    ps_tensor_release(im);
    return values;
}

static void check_dx(const corner *c, unsigned operand, ps_tensor *dx)
{
    double *found = real_parts(dx);
    for (int i = 0; i < 3; i++)
        if (!(fabs(found[i] - c->dx[operand][i]) <= 1e-15 * fabs(c->dx[operand][i])))
            fail_msg("%s at %g, %g, %g: to element %d of operand %u flows %.17g, not %.17g", c->row,
                     c->x[0][0], c->x[0][1], c->x[0][2], i, operand, found[i], c->dx[operand][i]);
    free(found);
}

static void check_first(attempt *a)
{
    ps_backward_options options = {.size = sizeof options,
                                   .gradients = &a->weights,
                                   .retain = true};
    CHECK_OK(ps_backward(&a->y, 1, &options));
    for (unsigned i = 0; i < a->c->operands; i++) {
        ps_tensor *dx;
        CHECK_OK(ps_grad_get(a->x[i], &dx));
        check_dx(a->c, i, dx);
        ps_tensor_release(dx);
    }
}

static void check_finite(const attempt *a, ps_tensor *x)
{
    ps_tensor *sizes = x != NULL ? CALL("abs", T(x)) : NULL;
    double *found = sizes != NULL ? values_of(sizes) : NULL;
    for (int i = 0; found != NULL && i < 3; i++)
        if (!isfinite(found[i]))
            fail_msg("%s at %g, %g, %g: again element %d is %g", a->c->row, a->c->x[0][0],
                     a->c->x[0][1], a->c->x[0][2], i, found[i]);
    free(found);
    ps_tensor_release(sizes);
    ps_tensor_release(x);
}

/* A recorded walk gives the same; what flows back from that is a number. */
static void check_second(attempt *a)
{
    ps_backward_options create = {.size = sizeof create, .gradients = &a->weights, .create = true};
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    for (unsigned i = 0; i < a->c->operands; i++) {
        ps_tensor *first, *second[3] = {NULL};
        CHECK_OK(ps_grad(&a->y, 1, &a->x[i], 1, &create, &first));
        if (first != NULL)
            check_dx(a->c, i, first);
        if (first != NULL && ps_tensor_is_recorded(first))
            CHECK_OK(ps_grad(&first, 1, a->x, a->c->operands, &retain, second));
        for (unsigned k = 0; k < a->c->operands; k++)
            check_finite(a, second[k]);
        ps_tensor_release(first);
    }
}

static void check_in(const corner *c, ps_dtype dtype)
{
    attempt a;
    if (attempt_begin(&a, c, dtype)) {
        check_first(&a);
        check_second(&a);
    }
    attempt_end(&a);
}

static void check_corner(const corner *c)
{
    check_in(c, PS_FLOAT64);
    check_in(c, PS_COMPLEX128);
}

static void check_corners(size_t count, const corner *corners)
{
    for (size_t i = 0; i < count; i++)
        check_corner(&corners[i]);
}

static void at_ties(void **state)
{
    (void)state;
    check_corners(sizeof ties / sizeof ties[0], ties);
    check_corner(&(corner){"sort", 1, {{2, 2, 1}}, {I(-1), B(true)}, {{1, 2, 3}}});
    check_corner(&(corner){"clip", 1, {{1, 2, 3}}, {F(1), F(3)}, {{1, 2, 3}}});
    check_corner(&(corner){"clip", 1, {{0, 2, 4}}, {F(1), F(3)}, {{0, 2, 0}}});
}

static void at_zeros(void **state)
{
    (void)state;
    static const double orders[] = {1, 1.5, 3, INFINITY, -INFINITY};
    check_corners(sizeof zeros / sizeof zeros[0], zeros);
    for (int i = 0; i < 5; i++)
        check_corner(&(corner){"vector_norm", 1, {{0, 0, 0}}, {F(orders[i])}, {{0}}});
    check_corner(&(corner){"vector_norm", 1, {{0, -1, 0}}, {F(3)}, {{0, -1, 0}}});
    check_corner(&(corner){"pow", 1, {{0, 1, 2}}, {F(0)}, {{0}}});
    check_corner(&(corner){"pow", 1, {{0, 1, 2}}, {F(1)}, {{1, 2, 3}}});
    check_corner(&(corner){"pow", 1, {{0, 1, 2}}, {F(2)}, {{0, 4, 12}}});
    check_corner(&(corner){"pow", 1, {{0, 1, 2}}, {F(3)}, {{0, 6, 36}}});
}

static void at_ends(void **state)
{
    (void)state;
    check_corners(sizeof ends / sizeof ends[0], ends);
    /* Complex numbers stay as they are. */
    check_in(&(corner){"nan_to_num", 1, {{NAN, INFINITY, 1}}, {NONE}, {{0, 0, 3}}}, PS_FLOAT64);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_ties),
        cmocka_unit_test(at_zeros),
        cmocka_unit_test(at_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
