/* What a training program has come to. */
#include "training.h"

#include "dtype/dtype.h"

static void read_entry(train_log *log, ps_tensor *x, const char *what, unsigned number)
{
    if (x == NULL)
        return;
    train_entry *entry = &log->entries[log->count++];
    snprintf(entry->name, sizeof entry->name, "%s %u", what, number);
    entry->item = ps_dtype_bytes(ps_tensor_dtype(x));
    entry->bytes = (size_t)ps_tensor_count(x) * entry->item;
    entry->elements = calloc(entry->bytes + 1, 1);
    entry->status = ps_tensor_to_host(x, entry->elements, entry->bytes);
    if (entry->status != PS_OK && log->error[0] == '\0')
        snprintf(log->error, sizeof log->error, "%s: %s", entry->name, ps_last_error());
}

static void read_gradient(train_log *log, ps_tensor *weight, unsigned number)
{
    ps_tensor *gradient = NULL;
    if (weight != NULL && ps_grad_get(weight, &gradient) == PS_OK)
        read_entry(log, gradient, "gradient", number);
    ps_tensor_release(gradient);
}

void train_read(train_run *r, train_log *log)
{
    static const char *const states[] = {"first state", "second state", "third state"};
    *log = (train_log){.status = r->status};
    if (r->status != PS_OK)
        snprintf(log->error, sizeof log->error, "%s: %s", r->call, ps_last_error());
    for (unsigned i = 0; i < r->t->nweights; i++) {
        read_entry(log, r->weights[i], "weight", i);
        for (unsigned s = 0; s < TRAIN_STATES; s++)
            read_entry(log, r->states[s][i], states[s], i);
        read_gradient(log, r->weights[i], i);
    }
    for (unsigned i = 0; i < TRAIN_STEPS; i++)
        read_entry(log, r->losses[i], "loss", i);
}

void train_log_free(train_log *log)
{
    for (unsigned i = 0; i < log->count; i++)
        free(log->entries[i].elements);
    log->count = 0;
}

bool train_entry_same(const train_entry *a, const train_entry *b)
{
    return strcmp(a->name, b->name) == 0 && a->bytes == b->bytes &&
           memcmp(a->elements, b->elements, a->bytes) == 0;
}

static void tell_difference(const train_entry *a, const train_entry *b, char *text, size_t room)
{
    size_t at = 0;
    uint64_t one = 0, other = 0;
    while (at < a->bytes && memcmp(a->elements + at, b->elements + at, a->item) == 0)
        at += a->item;
    memcpy(&one, a->elements + at, a->item);
    memcpy(&other, b->elements + at, a->item);
    snprintf(text, room, "%s: element %zu of %zu is %jx, not %jx", a->name, at / a->item,
             a->bytes / a->item, (uintmax_t)other, (uintmax_t)one);
}

bool train_log_same(const train_log *a, const train_log *b, char *text, size_t room)
{
    const char *error = a->error[0] != '\0' ? a->error : b->error;
    if (error[0] != '\0' || a->count != b->count) {
        snprintf(text, room, "%s", error[0] != '\0' ? error : "another number of results");
        return false;
    }
    for (unsigned i = 0; i < a->count; i++) {
        const train_entry *x = &a->entries[i], *y = &b->entries[i];
        if (train_entry_same(x, y))
            continue;
        if (strcmp(x->name, y->name) != 0 || x->bytes != y->bytes)
            snprintf(text, room, "%s and %s", x->name, y->name);
        else
            tell_difference(x, y, text, room);
        return false;
    }
    return true;
}

void train_log_tell(const train_log *log, ps_dtype dtype, uint64_t *all, uint64_t *strange)
{
    for (unsigned i = 0; i < log->count; i++) {
        const train_entry *entry = &log->entries[i];
        if (entry->item != ps_dtype_bytes(dtype))
            continue;
        for (size_t at = 0; at < entry->bytes; at += entry->item) {
            *all += 1;
            *strange += !isfinite(ps__scalar_load(dtype, entry->elements + at).as.d);
        }
    }
}
