/* Calls that read and write by an index: items that contradict each other, positions that are
 * nowhere, masks of other shapes, numbers that do not fit. */
#include "hostile.h"

enum { ITEMS = 40 /* more than there are dimensions */, ELEMENTS = 12 };

/* A list of items in memory of exactly its size, and the tensors that were made for it. */
typedef struct items {
    ps_index *list;
    size_t count;
    ps_tensor *made[ITEMS];
    size_t nmade;
} items;

/* ---- tensors for one call ---------------------------------------------------------------- */

/* Of the elements given as many as a shape takes that is chosen here; NULL if that failed. */
static ps_tensor *fresh(ps_dtype dtype, const void *elements)
{
    static const struct {
        int ndim;
        int64_t shape[3];
    } shapes[] = {{0, {0}},    {1, {3}},    {1, {4}},       {1, {12}},      {1, {0}},
                  {2, {3, 4}}, {2, {3, 4}}, {2, {3, 1}},    {2, {4, 3}},    {2, {1, 12}},
                  {2, {0, 4}}, {2, {2, 2}}, {3, {1, 3, 4}}, {3, {3, 4, 1}}, {3, {2, 2, 2}}};
    size_t which = below(sizeof shapes / sizeof shapes[0]);
    ps_tensor *made = NULL;
    (void)ps_tensor_from_host(dtype, shapes[which].ndim, shapes[which].shape, NULL, elements, NULL,
                              &made);
    return made;
}

static ps_tensor *fresh_positions(void)
{
    int64_t wide[ELEMENTS];
    int32_t narrow[ELEMENTS];
    for (size_t i = 0; i < ELEMENTS; i++) {
        wide[i] = below(30) ? small_number(-3, 3) : any_number();
        narrow[i] = (int32_t)wide[i];
    }
    return below(2) ? fresh(PS_INT64, wide) : fresh(PS_INT32, narrow);
}

static ps_tensor *fresh_mask(void)
{
    bool bits[ELEMENTS];
    for (size_t i = 0; i < ELEMENTS; i++)
        bits[i] = below(2) != 0;
    return fresh(PS_BOOL, bits);
}

/* What is written to: of every type, so that numbers do not fit some. */
static ps_tensor *fresh_target(void)
{
    static const char zeros[16 * ELEMENTS];
    return fresh((ps_dtype)below(15), zeros);
}

/* ---- items ------------------------------------------------------------------------------- */

static ps_index fresh_item(items *all)
{
    bool mask = below(2) != 0;
    ps_tensor *made = mask ? fresh_mask() : fresh_positions();
    all->made[all->nmade++] = made;
    if (wrong())
        mask = !mask;
    return ps_index_tensor(mask ? PS_INDEX_MASK : PS_INDEX_ARRAY, made);
}

static ps_index one_item(items *all)
{
    ps_index item = below(3) ? any_item() : fresh_item(all);
    if (below(60) == 0) /* a kind that there is not, whatever it was */
        item.kind |= UINT64_C(8) << below(61);
    if (below(60) == 0) /* of no meaning in most */
        item.stop = any_number();
    return item;
}

/* Up to three; now and then so many that they cannot all be dimensions, or all the same. */
static void choose_items(items *all)
{
    static const size_t counts[] = {66, 1000, SIZE_MAX};
    ps_index list[ITEMS];
    all->nmade = 0;
    all->count = wrong() ? below(ITEMS + 1) : below(4);
    for (size_t i = 0; i < all->count; i++)
        list[i] = one_item(all);
    for (size_t i = 1; i < all->count && wrong(); i++)
        list[i] = list[0];
    all->list = wrong() ? NULL : exactly(list, all->count, sizeof *list);
    if (all->list == NULL && wrong())
        all->count = PICK(counts);
}

static void drop_items(items *all)
{
    for (size_t i = 0; i < all->nmade; i++)
        ps_tensor_release(all->made[i]);
    free(all->list);
}

/* ---- calls ------------------------------------------------------------------------------- */

/* Items without arrays and masks. */
static ps_status tensor_index(void)
{
    static const size_t counts[] = {66, 1000, SIZE_MAX};
    ps_index list[3];
    size_t count = below(4);
    for (size_t i = 0; i < count; i++)
        list[i] = any_index();
    ps_index *indices = wrong() ? NULL : exactly(list, count, sizeof *list);
    ps_tensor *made = NULL;
    ps_status status =
        ps_tensor_index(any_tensor(), indices, wrong() ? PICK(counts) : count, RESULT(made));
    keep(made);
    free(indices);
    return status;
}

/* What is found while running is told at the wait. */
static ps_status then_wait(ps_status status, ps_tensor *tensor)
{
    return status == PS_OK && tensor != NULL && below(2) ? ps_tensor_wait(tensor, NULL) : status;
}

static ps_status tensor_get(void)
{
    items all;
    choose_items(&all);
    ps_tensor *made = NULL;
    ps_status status =
        ps_tensor_get(small_tensor(), all.list, all.count, any_location(), RESULT(made));
    status = then_wait(status, made);
    keep(made);
    drop_items(&all);
    return status;
}

static ps_arg any_value(void)
{
    static const ps_arg_kind kinds[] = {PS_ARG_NONE, PS_ARG_INTS, PS_ARG_TENSORS, PS_ARG_TEXT};
    ps_arg value = ps_arg_tensor(small_tensor());
    if (below(2))
        value = (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = any_scalar()};
    if (below(8) == 0)
        value = below(2) ? ps_arg_int(any_number()) : ps_arg_double(below(2) ? 1e300 : -0.5);
    if (wrong())
        value.kind = PICK(kinds);
    if (wrong())
        value.count = 3;
    return value;
}

static ps_status tensor_set(void)
{
    items all;
    choose_items(&all);
    ps_tensor *target = below(2) ? fresh_target() : NULL, *to = target;
    if (to == NULL)
        to = small_tensor();
    ps_status status = ps_tensor_set(to, all.list, all.count, any_value(), any_location());
    status = then_wait(status, to);
    ps_tensor_release(target);
    drop_items(&all);
    return status;
}

const hostile_call hostile_index_calls[] = {
    {"ps_tensor_index", tensor_index, 10},
    {"ps_tensor_get", tensor_get, 20},
    {"ps_tensor_set", tensor_set, 20},
    {NULL, NULL, 0},
};
