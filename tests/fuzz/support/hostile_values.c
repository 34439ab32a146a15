/* Chance, and arguments that are right or just wrong. */
#include "hostile.h"

static uint64_t chance_state;

/* splitmix64 */
uint64_t chance_bits(void)
{
    uint64_t z = chance_state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void chance_seed(uint64_t seed)
{
    chance_state = 0;
    for (int i = 0; i < 3; i++) /* seeds side by side give nothing alike */
        chance_state = chance_bits() ^ seed;
}

size_t below(size_t end)
{
    return (size_t)(chance_bits() >> 11) % end;
}

bool wrong(void)
{
    return below(10) == 0;
}

int64_t small_number(int64_t first, int64_t end)
{
    return first + (int64_t)below((size_t)(end - first));
}

int64_t any_number(void)
{
    static const int64_t edges[] = {31,
                                    32,
                                    33,
                                    64,
                                    -33,
                                    255,
                                    256,
                                    INT32_MAX,
                                    INT32_MIN,
                                    INT64_C(1) << 31,
                                    INT64_C(1) << 32,
                                    INT64_C(1) << 40,
                                    INT64_C(1) << 61,
                                    INT64_C(1) << 62,
                                    INT64_MAX,
                                    INT64_MAX - 1,
                                    INT64_MIN,
                                    INT64_MIN + 1};
    return wrong() ? PICK(edges) : small_number(-3, 8);
}

size_t any_size(size_t right)
{
    const size_t sizes[] = {0,         1,         7,
                            8,         9,         right - 1,
                            right - 8, right + 8, right + ROOM_BEHIND,
                            4097,      SIZE_MAX};
    return wrong() ? PICK(sizes) : right;
}

void *exactly(const void *from, size_t count, size_t bytes)
{
    void *copy = malloc(count * bytes); /* may be NULL for nothing */
    if (count != 0 && copy != NULL)
        memcpy(copy, from, count * bytes);
    return copy;
}

ps_tensor *any_tensor(void)
{
    return PICK_OR_NULL(world.tensors);
}

ps_dtype any_dtype(void)
{
    static const int none[] = {-1, 15, 16, 100, 255, 256, 1 << 30, INT32_MIN};
    return (ps_dtype)(wrong() ? PICK(none) : (int)below(15));
}

ps_scalar any_scalar(void)
{
    static const int tags[] = {5, 6, 9, 100, -1, INT32_MAX};
    static const double numbers[] = {0, 1, -1, 0.5, 2, 1e300, -1e-300, 300, 70000, 1e20};
    ps_scalar scalar;
    memset(&scalar, 0, sizeof scalar);
    scalar.tag = (ps_scalar_tag)(wrong() ? PICK(tags) : (int)below(5));
    if (scalar.tag == PS_SCALAR_BOOL)
        scalar.as.b = below(2) != 0;
    else if (scalar.tag == PS_SCALAR_DOUBLE || scalar.tag == PS_SCALAR_COMPLEX)
        scalar.as.d = wrong() ? (double)__builtin_nan("") : PICK(numbers);
    else
        scalar.as.i = any_number();
    return scalar;
}

ps_index any_index(void)
{
    static const uint64_t kinds[] = {6, 7, 255, UINT64_C(1) << 32, UINT64_MAX};
    ps_index index = {.kind = wrong() ? PICK(kinds) : below(4)};
    index.start = below(3) == 0 ? PS_INDEX_NONE : any_number();
    if (index.kind == PS_INDEX_AT)
        index.start = wrong() ? any_number() : small_number(-3, 3);
    index.stop = below(2) == 0 ? PS_INDEX_NONE : any_number();
    index.step = below(2) == 0 ? PS_INDEX_NONE : any_number();
    return index;
}

ps_tensor *small_tensor(void)
{
    ps_tensor *tensor = any_tensor();
    return ps_tensor_count(tensor) > 4096 ? world.tensors[0] : tensor;
}

ps_index any_item(void)
{
    if (below(2))
        return any_index();
    ps_tensor *tensor = small_tensor();
    bool mask = tensor != NULL && ps_tensor_dtype(tensor) == PS_BOOL;
    if (wrong())
        mask = !mask;
    return ps_index_tensor(mask ? PS_INDEX_MASK : PS_INDEX_ARRAY, tensor);
}

const char *any_text(void)
{
    static const char *const texts[] = {"",      "add",  "float32", "cpu:0",  "late",     "left",
                                        "right", "relu", "tanh",    "%s%n%d", "\xff\xfe", "null:0"};
    static char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    return wrong() ? (below(2) ? NULL : longest) : PICK(texts);
}

uint64_t any_location(void)
{
    switch (below(4)) {
    case 0:
        return PS_HERE;
    case 1:
        return UINT64_C(1) << 63 | chance_bits() >> below(64);
    case 2:
        return (uint64_t)below(PS_FRONTENDS_MAX + 1) << 56 | below(8);
    default:
        return chance_bits() >> below(64);
    }
}

int64_t *any_ints(int *count)
{
    static const int counts[] = {-1, 33, 1000, INT32_MAX, INT32_MIN};
    static const int64_t shapes[][2] = {{3, 4}, {4, 3}, {12, 1}, {2, 6}, {1, 1}, {0, 1}};
    int64_t ints[PS_DIMS_MAX];
    if (wrong()) {
        *count = PICK(counts);
        return NULL;
    }
    *count = (int)below(3);
    const int64_t *from = PICK(shapes);
    for (int i = 0; i < *count; i++)
        ints[i] = wrong() ? any_number() : from[i];
    return exactly(ints, (size_t)*count, sizeof *ints);
}

void keep(ps_tensor *made)
{
    if (made == NULL)
        return;
    size_t at = FRIENDLY + below(TENSORS - FRIENDLY);
    ps_tensor_release(world.tensors[at]);
    world.tensors[at] = made;
}
