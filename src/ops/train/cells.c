/* One step of a recurrent cell behind its products: lstm_gates and gru_gates. They are made of
 * elementwise rows, which run as one pass. */
#include "base/error.h"
#include "ops/compose.h"

#include <inttypes.h>
#include <string.h>

#define TEXT(tensor) ps__shape_text((tensor)->ndim, ps__shape(tensor))

/* Whether x is like the state, but `gates` times as long along the last axis; and floats. */
static bool check_gates(ps__compose *c, const ps_tensor *x, const ps_tensor *state, int64_t gates)
{
    const char *name = c->call->op->row.name;
    if (!ps__compose_fine(c))
        return false;
    int last = state->ndim - 1;
    bool fits = last >= 0 && x->ndim == state->ndim &&
                ps__shape(x)[last] == gates * ps__shape(state)[last] &&
                memcmp(ps__shape(x), ps__shape(state), (size_t)last * sizeof(int64_t)) == 0;
    ps_dtype dtype = ps__promote((ps_dtype)x->dtype, (ps_dtype)state->dtype);
    if (!fits)
        c->status =
            ps__fail(PS_ERR_ARGUMENT,
                     "%s: %s and %s: the first must have %" PRId64 " gates along its last axis",
                     name, TEXT(x), TEXT(state), gates);
    else if (!(PS__SET_FLOAT >> dtype & 1))
        c->status = ps__fail(PS_ERR_TYPE, "%s: no rule for %s", name, ps__dtypes[dtype].name);
    return ps__compose_fine(c);
}

/* Gate `index` of x, as a view. */
static ps_arg gate(ps__compose *c, ps_tensor *x, const ps_tensor *state, int64_t index)
{
    if (!ps__compose_fine(c))
        return ps__arg_none();
    int last = x->ndim - 1;
    int64_t hidden = ps__shape(state)[last];
    return ps__arg_tensor(ps__compose_narrow(c, x, last, index * hidden, hidden));
}

ps_status ps__op_lstm_gates(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0), *cell = ps__compose_tensor(&c, 1);
    if (check_gates(&c, x, cell, 4)) {
        ps_dtype dtype = ps__promote((ps_dtype)x->dtype, (ps_dtype)cell->dtype);
        for (unsigned i = 0; i < 2; i++)
            (void)ps__compose_result_at(&c, i, dtype, cell->ndim, ps__shape(cell));
        ps_arg input = PS__MADE(&c, "sigmoid", gate(&c, x, cell, 0));
        ps_arg forget = PS__MADE(&c, "sigmoid", gate(&c, x, cell, 1));
        ps_arg fresh = PS__MADE(&c, "tanh", gate(&c, x, cell, 2));
        ps_arg output = PS__MADE(&c, "sigmoid", gate(&c, x, cell, 3));
        ps_arg kept = PS__MADE(&c, "multiply", forget, ps__arg_tensor(cell));
        ps_arg next = PS__MADE(&c, "add", kept, PS__MADE(&c, "multiply", input, fresh));
        ps_arg state = PS__MADE(&c, "multiply", output, PS__MADE(&c, "tanh", next));
        ps__compose_hand_all(&c, (ps_tensor *[]){state.as.tensor, next.as.tensor});
    }
    return ps__compose_end(&c);
}

ps_status ps__op_gru_gates(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0), *sent = ps__compose_tensor(&c, 1);
    ps_tensor *state = ps__compose_tensor(&c, 2);
    if (check_gates(&c, x, state, 3) && check_gates(&c, sent, state, 3)) {
        ps_dtype dtype = ps__promote(ps__promote((ps_dtype)x->dtype, (ps_dtype)sent->dtype),
                                     (ps_dtype)state->dtype);
        if (!ps__compose_result(&c, dtype, state->ndim, ps__shape(state)))
            return ps__compose_end(&c);
        ps_arg gates[2];
        for (int i = 0; i < 2; i++) {
            ps_arg both = PS__MADE(&c, "add", gate(&c, x, state, i), gate(&c, sent, state, i));
            gates[i] = PS__MADE(&c, "sigmoid", both);
        }
        ps_arg reset = PS__MADE(&c, "multiply", gates[0], gate(&c, sent, state, 2));
        ps_arg fresh = PS__MADE(&c, "tanh", PS__MADE(&c, "add", gate(&c, x, state, 2), reset));
        ps_arg change = PS__MADE(&c, "subtract", ps__arg_tensor(state), fresh);
        PS__GIVE(&c, "add", fresh, PS__MADE(&c, "multiply", gates[1], change));
    }
    return ps__compose_end(&c);
}
