#include "second.h"

#include <stdio.h>
#include <string.h>

enum { SCRIPTS = 8, LINE_BITS = 24 };

static uint64_t base;                /* of all locations of this language */
static const char *scripts[SCRIPTS]; /* their names; a location has the place here, and the line */
static const ps_op *to_positions, *add;
static _Thread_local uint64_t at;      /* the line that runs */
static _Thread_local second_error own; /* of checks that the library does not know; "" if none */

/* ---- Lines --------------------------------------------------------------------------------- */

static bool resolve(void *state, uint64_t id, ps_place *place)
{
    (void)state;
    uint64_t script = id >> LINE_BITS;
    if (script >= SCRIPTS || scripts[script] == NULL)
        return false;
    place->file = scripts[script];
    place->line = id & ((1u << LINE_BITS) - 1);
    return true;
}

void second_at(const char *script, unsigned line)
{
    size_t i = 0;
    while (i < SCRIPTS - 1 && scripts[i] != NULL && strcmp(scripts[i], script) != 0)
        i++;
    scripts[i] = script;
    at = base | (uint64_t)i << LINE_BITS | line;
}

/* Positions from 1 on as the library counts them; 0 becomes one that is nowhere. */
static bool find_to_positions(void)
{
    const ps_op_def def = {.size = sizeof def,
                           .name = "second_to_positions",
                           .signature = "x",
                           .dtypes = "numeric",
                           .result = "same",
                           .expression = "where(x > 0, x - 1, where(x < 0, x, -1000000000))",
                           .doc = "Positions that count from 1, from 0."};
    return ps_op_find(def.name, &to_positions) == PS_OK ||
           ps_op_register(&def, &to_positions) == PS_OK;
}

bool second_start(void)
{
    const ps_frontend self = {.size = sizeof self,
                              .name = "Second",
                              .origin = 1,
                              .resolve = resolve};
    return ps_frontend_register(&self, &base) == PS_OK && find_to_positions() &&
           ps_op_find("add", &add) == PS_OK;
}

bool second_stop(void)
{
    return ps_frontend_unregister(base) == PS_OK;
}

/* There is no lock that waiting would have to give up, and nothing that interrupts. */
bool second_enter(void)
{
    return ps_thread_set_hooks(&(ps_hooks){.size = sizeof(ps_hooks), .frontend = base}) == PS_OK;
}

bool second_leave(void)
{
    return ps_thread_set_hooks(NULL) == PS_OK;
}

/* ---- Errors -------------------------------------------------------------------------------- */

static bool succeeded(ps_status status)
{
    own.text[0] = 0;
    return status == PS_OK;
}

static bool refuse(const char *what, int64_t number, const char *why)
{
    own = (second_error){.kind = PS_ERROR_VALUE};
    snprintf(own.text, sizeof own.text, "%s %lld: %s", what, (long long)number, why);
    return false;
}

void second_last_error(second_error *error)
{
    ps_error_info info = {.size = sizeof info};
    *error = own;
    if (own.text[0] != 0 || ps_last_error_info(&info) != PS_OK)
        return;
    error->kind = info.kind;
    error->line = info.line;
    snprintf(error->text, sizeof error->text, "%s", info.text);
    snprintf(error->place, sizeof error->place, "%s", info.place != NULL ? info.place : "");
}

/* ---- Counting from 1 ----------------------------------------------------------------------- */

/* As the library counts. Those from the end are the same. */
static bool from_1(const char *what, int64_t *number)
{
    if (*number == 0)
        return refuse(what, 0, "counting begins with 1, and with -1 from the end");
    *number -= *number > 0;
    return true;
}

/* One result of an operation, queued at the line that runs. */
static ps_tensor *queue(const ps_op *op, const ps_arg *args, size_t count)
{
    ps_tensor *result = NULL;
    ps_call call = {.size = sizeof call,
                    .args = args,
                    .nargs = count,
                    .outputs = &result,
                    .noutputs = 1,
                    .location = at};
    return succeeded(ps_op_call(op, &call)) ? result : NULL;
}

static ps_tensor *positions_from_1(ps_tensor *positions)
{
    return queue(to_positions, (ps_arg[]){ps_arg_tensor(positions)}, 1);
}

/* ---- Operations ---------------------------------------------------------------------------- */

/* One argument, as the table says what it is; *made is a tensor to be released after the call. */
static bool convert(const ps_op_arg_info *info, const second_value *value, ps_arg *arg,
                    ps_tensor **made)
{
    int64_t number = value->number;
    *made = NULL;
    *arg = (ps_arg){.kind = PS_ARG_NONE};
    if (value->is_number) {
        bool counted = info->role == PS_ROLE_AXIS || info->role == PS_ROLE_AXES ||
                       info->role == PS_ROLE_POSITIONS;
        if (counted && !from_1(info->name, &number))
            return false;
        *arg = ps_arg_int(number);
    } else if (value->tensor != NULL) {
        if (info->role == PS_ROLE_POSITIONS)
            *made = positions_from_1(value->tensor);
        if (info->role == PS_ROLE_POSITIONS && *made == NULL)
            return false;
        *arg = ps_arg_tensor(*made != NULL ? *made : value->tensor);
    }
    return true;
}

/* One integer where the operation takes several. */
static void as_list(const ps_op_arg_info *info, ps_arg *arg, int64_t *room)
{
    if (info->kind != PS_ARG_INTS || arg->kind != PS_ARG_INT)
        return;
    *room = arg->as.integer;
    *arg = ps_arg_ints(room, 1);
}

enum { ARGS = 8 };

/* What is positions counts from 1. */
static ps_tensor *run(const ps_op *op, const ps_op_info *info, const ps_arg *args, size_t count)
{
    ps_tensor *result = queue(op, args, count), *from_0 = result;
    if (result == NULL || (info->flags & PS_OP_POSITIONS) == 0)
        return result;
    result = queue(add, (ps_arg[]){ps_arg_tensor(from_0), ps_arg_int(1)}, 2);
    ps_tensor_release(from_0);
    return result;
}

static bool fits(const ps_op_info *info, size_t count)
{
    return (count <= ARGS && count <= info->nargs) ||
           refuse(info->name, (int64_t)count, "too many arguments");
}

ps_tensor *second_call(const char *name, const second_value *values, size_t count)
{
    const ps_op *op;
    ps_op_info info = {.size = sizeof info};
    ps_arg args[ARGS];
    ps_tensor *made[ARGS] = {NULL}, *result = NULL;
    int64_t lists[ARGS];
    bool converted = succeeded(ps_op_find(name, &op)) && succeeded(ps_op_get_info(op, &info)) &&
                     fits(&info, count);
    for (size_t i = 0; i < count && converted; i++) {
        converted = convert(&info.args[i], &values[i], &args[i], &made[i]);
        if (converted)
            as_list(&info.args[i], &args[i], &lists[i]);
    }
    if (converted)
        result = run(op, &info, args, count);
    for (size_t i = 0; i < ARGS; i++)
        ps_tensor_release(made[i]);
    return result;
}

/* ---- Indexing ------------------------------------------------------------------------------ */

static bool items_of(const int64_t *positions, size_t count, ps_index *items)
{
    if (count > ARGS)
        return refuse("positions:", (int64_t)count, "too many");
    for (size_t i = 0; i < count; i++) {
        items[i] = (ps_index){.kind = PS_INDEX_AT, .start = positions[i]};
        if (!from_1("position", &items[i].start))
            return false;
    }
    return true;
}

ps_tensor *second_get(ps_tensor *x, const int64_t *positions, size_t count)
{
    ps_index items[ARGS];
    ps_tensor *result = NULL;
    bool done =
        items_of(positions, count, items) && succeeded(ps_tensor_get(x, items, count, at, &result));
    return done ? result : NULL;
}

bool second_set(ps_tensor *x, const int64_t *positions, size_t count, double number)
{
    ps_index items[ARGS];
    return items_of(positions, count, items) &&
           succeeded(ps_tensor_set(x, items, count, ps_arg_double(number), at));
}

ps_tensor *second_get_many(ps_tensor *x, ps_tensor *positions)
{
    ps_tensor *result = NULL, *from_0 = positions_from_1(positions);
    if (from_0 == NULL)
        return NULL;
    ps_index item = ps_index_tensor(PS_INDEX_ARRAY, from_0);
    bool done = succeeded(ps_tensor_get(x, &item, 1, at, &result));
    ps_tensor_release(from_0);
    return done ? result : NULL;
}

bool second_set_many(ps_tensor *x, ps_tensor *positions, double number)
{
    ps_tensor *from_0 = positions_from_1(positions);
    if (from_0 == NULL)
        return false;
    ps_index item = ps_index_tensor(PS_INDEX_ARRAY, from_0);
    bool done = succeeded(ps_tensor_set(x, &item, 1, ps_arg_double(number), at));
    ps_tensor_release(from_0);
    return done;
}

/* ---- Waiting, and C ------------------------------------------------------------------------- */

bool second_wait(ps_tensor *x)
{
    return succeeded(ps_tensor_wait(x, NULL));
}

ps_tensor *second_take_in_c(ps_tensor *x, ps_tensor *positions)
{
    uint64_t before = at;
    second_value values[] = {{.tensor = x}, {.tensor = positions}};
    at = PS_HERE;
    ps_tensor *result = second_call("take", values, 2);
    at = before;
    return result;
}
