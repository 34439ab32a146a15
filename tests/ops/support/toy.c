/* See toy.h. All that a kind of device needs is in this file: a table, and a backend. */
#include "toy.h"

#include "backend/backend.h"
#include "base/lock.h"
#include "device/immediate.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* ---- memory ------------------------------------------------------------------------------ */

enum { PIECES = 256 };

/* What is given out, which nobody can touch, and where its elements really are. */
typedef struct piece {
    char *shown, *real;
    size_t bytes;
} piece;

static ps__lock lock; /* guards the pieces and the counts */
static piece pieces[PIECES];
static toy_counts counts;

static void *pages(size_t bytes, int protection)
{
    void *memory =
        mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static void *toy_allocate(ps_device *device, size_t bytes, size_t alignment)
{
    (void)device;
    char *wide = pages(bytes + alignment, PROT_NONE), *real = pages(bytes, PROT_READ | PROT_WRITE);
    if (wide == NULL || real == NULL)
        return NULL;
    char *shown = (char *)(((uintptr_t)wide + alignment - 1) & ~(uintptr_t)(alignment - 1));
    void *given = NULL;
    ps__lock_take(&lock);
    for (int i = 0; i < PIECES && given == NULL; i++)
        if (pieces[i].shown == NULL) {
            pieces[i] = (piece){shown, real, bytes};
            given = shown;
        }
    ps__unlock(&lock);
    return given;
}

static void toy_release(ps_device *device, void *memory, size_t bytes)
{
    (void)device;
    ps__lock_take(&lock);
    for (int i = 0; i < PIECES; i++)
        if (pieces[i].shown == memory) {
            munmap(pieces[i].real, bytes);
            pieces[i].shown = NULL;
        }
    ps__unlock(&lock);
}

/* Where the element at an address of the device is; NULL: it is none of the device's. */
static char *real_of(const void *address)
{
    const char *at = address;
    char *found = NULL;
    ps__lock_take(&lock);
    for (int i = 0; i < PIECES && found == NULL; i++)
        if (pieces[i].shown != NULL && at >= pieces[i].shown &&
            at < pieces[i].shown + pieces[i].bytes)
            found = pieces[i].real + (at - pieces[i].shown);
    ps__unlock(&lock);
    return found;
}

static void count(unsigned *of)
{
    ps__lock_take(&lock);
    ++*of;
    ps__unlock(&lock);
}

/* In, or out. */
static ps_status toy_transfer(ps_device *device, unsigned queue, void *to, const void *from,
                              size_t bytes)
{
    (void)device;
    (void)queue;
    char *inside_to = real_of(to), *inside_from = real_of(from);
    memcpy(inside_to != NULL ? inside_to : to, inside_from != NULL ? inside_from : from, bytes);
    count(&counts.transfers);
    return PS_OK;
}

/* ---- work -------------------------------------------------------------------------------- */

static ps_status apply(const ps__lane *lane, const ps__instruction *i, const float *values,
                       float *result)
{
    float a = values[i->args[0]], b = i->arity > 1 ? values[i->args[1]] : 0;
    switch (i->prim) {
    case PS__PRIM_add:
        *result = a + b;
        return PS_OK;
    case PS__PRIM_subtract:
        *result = a - b;
        return PS_OK;
    case PS__PRIM_multiply:
        *result = a * b;
        return PS_OK;
    case PS__PRIM_relu:
        *result = a > 0 ? a : 0;
        return PS_OK;
    default:
        return ps_task_fail(lane->self, PS_ERR_UNSUPPORTED, "%s: a toy has no such primitive",
                            lane->name);
    }
}

static const char *element(const ps__operand *operand, const char *first, int64_t index)
{
    for (int i = operand->ndim - 1; i >= 0; i--) {
        first += index % operand->shape[i] * operand->strides[i];
        index /= operand->shape[i];
    }
    return first;
}

static ps_status map_element(const ps__lane *lane, const ps__work_map *work,
                             const ps__operand *operands, int64_t index)
{
    const ps__program *program = work->program;
    float values[PS__VALUES];
    ps_status status = PS_OK;
    for (unsigned i = 0; i < program->inputs; i++) {
        uint8_t source = work->source[i];
        if (source & PS__CONSTANT) {
            memcpy(&values[i], &ps__map_constants(work)[source & ~PS__CONSTANT], sizeof(float));
            continue;
        }
        const ps__operand *operand = &operands[source];
        const char *first = source < program->stores ? operand->old : operand->data;
        memcpy(&values[i], real_of(element(operand, first, index)), sizeof(float));
    }
    for (unsigned i = 0; i < program->literals; i++)
        memcpy(&values[program->inputs + i], &program->literal[i], sizeof(float));
    for (unsigned i = 0; i < program->instructions && status == PS_OK; i++)
        status =
            apply(lane, &program->instruction[i], values, &values[ps__program_value(program, i)]);
    for (unsigned s = 0; s < program->stores && status == PS_OK; s++)
        memcpy(real_of(element(&operands[s], operands[s].data, index)),
               &values[program->store[s].value], sizeof(float));
    return status;
}

static ps_status toy_map(const ps__lane *lane, const ps__work *work, const ps__operand *operands,
                         unsigned noperands)
{
    const ps__work_map *w = (const ps__work_map *)work;
    ps_status status = PS_OK;
    for (unsigned i = 0; i < noperands; i++)
        if (operands[i].dtype != PS_FLOAT32)
            return ps_task_fail(lane->self, PS_ERR_TYPE, "%s: a toy knows float32", lane->name);
    for (int64_t i = 0; i < w->count && status == PS_OK; i++)
        status = map_element(lane, w, operands, i);
    count(&counts.maps);
    return status;
}

static ps_status toy_fill(const ps__lane *lane, const ps__work *work, const ps__operand *operands,
                          unsigned noperands)
{
    (void)lane;
    (void)noperands;
    const ps__work_fill *w = (const ps__work_fill *)work;
    for (int64_t i = 0; i < w->count; i++)
        memcpy(real_of(operands[0].data + i * 4), &w->value, 4);
    count(&counts.fills);
    return PS_OK;
}

static ps_status toy_copy(const ps__lane *lane, void *to, const void *from, uint64_t bytes)
{
    (void)lane;
    memcpy(real_of(to), real_of(from), bytes);
    count(&counts.copies);
    return PS_OK;
}

static const ps__backend toy_backend = {
    .run = {[PS__WORK_MAP] = toy_map, [PS__WORK_FILL] = toy_fill},
    .copy = toy_copy,
};

static const ps__device_table toy_table = {
    .kind = "toy",
    .backend = &toy_backend,
    .allocate = toy_allocate,
    .release = toy_release,
    .copy = toy_transfer,
    .record = ps__immediate_record,
    .wait_event = ps__immediate_wait_event,
    .notify = ps__immediate_notify,
    .synchronise = ps__immediate_synchronise,
};

ps_device *toy_device(void)
{
    static ps_device device;
    static bool added;
    if (!added)
        added = ps__device_add(&device, &toy_table) == PS_OK;
    return added ? &device : NULL;
}

toy_counts toy_counted(void)
{
    ps__lock_take(&lock);
    toy_counts now = counts;
    ps__unlock(&lock);
    return now;
}
