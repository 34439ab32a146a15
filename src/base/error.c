/* What the last failed call on this thread had to say.
 *
 * Each thread has one note of fixed size, so that failing never allocates: an out-of-memory error
 * can always be told. A thread on which nothing failed yet has the status PS_OK and the text "".
 * Calls that succeed leave the note alone, and so does ps_last_error_info when it is called
 * wrongly: asking must not destroy the answer.
 *
 * Texts may be passed in that point into the note itself (a caller that adds to the last
 * message), so a new text is always put together beside it first. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, OPERATION_BYTES = 256 };

struct note {
    ps_status status;
    bool has_operation;
    uint64_t sequence;
    uint64_t location;
    char operation[OPERATION_BYTES];
    char message[MESSAGE_BYTES];
};

/* Only ever touched by its own thread. */
static _Thread_local struct note last;

/* Ends a text that did not fit with "...", not in the middle of a UTF-8 character. */
static void mark_as_cut(char *text, size_t capacity)
{
    size_t end = capacity - sizeof "...";
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
        end--;
    memcpy(text + end, "...", sizeof "...");
}

static void copy_text(char *to, size_t capacity, const char *from)
{
    size_t length = strnlen(from, capacity);
    if (length < capacity) {
        memcpy(to, from, length + 1);
        return;
    }
    memcpy(to, from, capacity);
    mark_as_cut(to, capacity);
}

ps_status ps__fail(ps_status status, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length < 0) /* the format could not be written out: the status still can */
        copy_text(message, sizeof message, ps_status_text(status));
    else if ((size_t)length >= sizeof message)
        mark_as_cut(message, sizeof message);

    last.status = status;
    last.has_operation = false;
    last.sequence = 0;
    last.location = 0;
    memcpy(last.message, message, sizeof message);
    return status;
}

ps_status ps__fail_info(const ps_error_info *info)
{
    struct note fresh = {.status = info->status,
                         .has_operation = info->operation != NULL,
                         .sequence = info->sequence,
                         .location = info->location};
    if (info->operation)
        copy_text(fresh.operation, sizeof fresh.operation, info->operation);
    copy_text(fresh.message, sizeof fresh.message,
              info->message ? info->message : ps_status_text(info->status));
    last = fresh;
    return info->status;
}

const char *ps_last_error(void)
{
    return last.message;
}

ps_status ps_last_error_info(ps_error_info *info)
{
    if (!info || info->size < sizeof *info)
        return PS_ERR_ARGUMENT;
    info->status = last.status;
    info->sequence = last.sequence;
    info->operation = last.has_operation ? last.operation : NULL;
    info->location = last.location;
    info->message = last.message;
    return PS_OK;
}
