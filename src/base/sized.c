/* Structs of other sizes: see sized.h. */
#include "base/sized.h"

#include "base/error.h"

#include <string.h>

/* Growth at the end must change the size. Where a struct ended in padding, a member put there
 * would be read from callers who have never set it. */
#define NO_PADDING(type, last)                                                                     \
    _Static_assert(PS__SIZE_TO(type, last) == sizeof(type), #type " ends in padding")
NO_PADDING(ps_error_info, backward_line);
NO_PADDING(ps_engine_options, mode);
NO_PADDING(ps_engine_stats, unseen_errors);
NO_PADDING(ps_task_spec, flags);
NO_PADDING(ps_wait_options, timeout_ns);
NO_PADDING(ps_bound, ops);
NO_PADDING(ps_hooks, frontend);
NO_PADDING(ps_place, line);
NO_PADDING(ps_frontend, state);
NO_PADDING(ps_memory_stats, limit);
NO_PADDING(ps_format_options, suffixes);
NO_PADDING(ps_call, flags);
NO_PADDING(ps_op_info, symbol);
NO_PADDING(ps_op_def, context);
NO_PADDING(ps_generator_state, counter);
NO_PADDING(ps_backward_options, location);
NO_PADDING(ps_graph_stats, copied);
NO_PADDING(ps_node_turn, spare);
NO_PADDING(ps_node_spec, location);
NO_PADDING(ps_hook_spec, drop);

/* Those without a size of their own never grow. */
_Static_assert(sizeof(void *) != 8 || sizeof(ps_arg) == 32, "ps_arg travels in arrays");
_Static_assert(sizeof(void *) != 8 || sizeof(ps_index) == 32, "ps_index travels in arrays");
_Static_assert(sizeof(void *) != 8 || sizeof(ps_scalar) == 24, "ps_scalar travels in arrays");
_Static_assert(sizeof(void *) != 8 || sizeof(ps_token) == 24, "ps_token is passed by value");
_Static_assert(sizeof(void *) != 8 || sizeof(ps_trace_event) == 40, "events travel in arrays");
_Static_assert(sizeof(void *) != 8 || sizeof(ps_view) == 64, "ps_view travels in arrays");
_Static_assert(sizeof(void *) != 8 || sizeof(ps_op_arg_info) == 40, "infos travel in arrays");

static size_t size_of(const void *sized)
{
    size_t size;
    memcpy(&size, sized, sizeof size);
    return size;
}

static bool all_zero(const void *from, size_t begin, size_t end)
{
    const unsigned char *bytes = from;
    for (size_t i = begin; i < end; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static ps_status refuse(const char *what, const void *given, size_t least)
{
    if (given == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s is NULL", what);
    return ps__fail(PS_ERR_ARGUMENT, "%s.size is %zu: set it with sizeof; %zu to %d are possible",
                    what, size_of(given), least, PS__SIZED_MOST);
}

ps_status ps__sized_read(const char *what, void *to, size_t known, const void *from, size_t least)
{
    size_t size = from != NULL ? size_of(from) : 0;
    if (size < least || size > PS__SIZED_MOST)
        return refuse(what, from, least);
    if (size > known && !all_zero(from, known, size))
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s has members that version %s of the library does not know: bytes from "
                        "%zu on are not 0",
                        what, ps_version(), known);
    size_t common = size < known ? size : known;
    memcpy(to, from, common);
    memset((char *)to + common, 0, known - common);
    memcpy(to, &known, sizeof known);
    return PS_OK;
}

bool ps__sized_fill(void *to, const void *from, size_t known)
{
    size_t size = to != NULL ? size_of(to) : 0;
    if (size <= sizeof size || size > PS__SIZED_MOST)
        return false;
    size_t common = size < known ? size : known;
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size, common - sizeof size);
    return true;
}

ps_status ps__sized_write(const char *what, void *to, const void *from, size_t known)
{
    return ps__sized_fill(to, from, known) ? PS_OK : refuse(what, to, sizeof(size_t) + 1);
}
