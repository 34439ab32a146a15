/* Which type a result has when its operands' types differ. */
#include "dtype/dtype.h"

#include "base/error.h"

/* bool, integer, float, complex: what can hold what. */
static int rank_of(ps_dtype dtype)
{
    static const int ranks[] = {[PS__KIND_BOOL] = 0,
                                [PS__KIND_UNSIGNED] = 1,
                                [PS__KIND_SIGNED] = 1,
                                [PS__KIND_FLOAT] = 2,
                                [PS__KIND_COMPLEX] = 3};
    return ranks[ps__dtype_kind_of(dtype)];
}

static ps_dtype wider(ps_dtype a, ps_dtype b)
{
    return ps__dtype_bytes(a) >= ps__dtype_bytes(b) ? a : b;
}

static ps_dtype promote_integers(ps_dtype a, ps_dtype b)
{
    if (ps__dtype_kind_of(a) == ps__dtype_kind_of(b))
        return wider(a, b);
    bool signed_first = ps__dtype_kind_of(a) == PS__KIND_SIGNED;
    ps_dtype with_sign = signed_first ? a : b, without = signed_first ? b : a;
    if (ps__dtype_bytes(with_sign) > ps__dtype_bytes(without))
        return with_sign;
    switch (without) {
    case PS_UINT8:
        return PS_INT16;
    case PS_UINT16:
        return PS_INT32;
    case PS_UINT32:
        return PS_INT64;
    default: /* no integer holds both */
        return PS_FLOAT64;
    }
}

static ps_dtype promote_floats(ps_dtype a, ps_dtype b)
{
    bool both_half = ps__dtype_bytes(a) == 2 && ps__dtype_bytes(b) == 2;
    return both_half && a != b ? PS_FLOAT32 : wider(a, b);
}

ps_dtype ps__promote(ps_dtype a, ps_dtype b)
{
    int rank_a = rank_of(a), rank_b = rank_of(b);
    ps_dtype high = rank_a >= rank_b ? a : b, low = rank_a >= rank_b ? b : a;
    if (rank_a != rank_b)
        return high == PS_COMPLEX64 && low == PS_FLOAT64 ? PS_COMPLEX128 : high;
    if (rank_a == 1)
        return promote_integers(a, b);
    return rank_a == 2 ? promote_floats(a, b) : wider(a, b);
}

ps_status ps_dtype_promote(ps_dtype a, ps_dtype b, ps_dtype *result)
{
    if (!ps__dtype_valid((int)a) || !ps__dtype_valid((int)b))
        return ps__fail(PS_ERR_ARGUMENT, "ps_dtype_promote: %d is no element type",
                        ps__dtype_valid((int)a) ? (int)b : (int)a);
    if (result == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_dtype_promote: result is NULL");
    *result = ps__promote(a, b);
    return PS_OK;
}

ps_dtype ps__promote_weak(ps_dtype tensor, ps_scalar_tag scalar)
{
    static const ps_dtype defaults[] = {[PS_SCALAR_BOOL] = PS_BOOL,
                                        [PS_SCALAR_INT64] = PS_INT64,
                                        [PS_SCALAR_UINT64] = PS_INT64,
                                        [PS_SCALAR_DOUBLE] = PS_FLOAT32,
                                        [PS_SCALAR_COMPLEX] = PS_COMPLEX64};
    ps_dtype wanted = defaults[scalar];
    if (rank_of(tensor) >= rank_of(wanted))
        return tensor;
    return wanted == PS_COMPLEX64 ? ps__dtype_to_complex(tensor) : wanted;
}

ps_dtype ps__dtype_to_complex(ps_dtype dtype)
{
    return dtype == PS_FLOAT64 || dtype == PS_COMPLEX128 ? PS_COMPLEX128 : PS_COMPLEX64;
}
