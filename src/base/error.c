/* What the last failed call on this thread had to say.
 *
 * Each thread that has failed has one note of fixed size, made at its first failure and freed when
 * the thread ends. Thread-local is one pointer: a library that is loaded late finds little room for
 * more. Where there is no memory for a note the pointer goes to a constant with the status and its
 * text; so an out-of-memory error can always be told. A thread on which nothing failed yet has the
 * status PS_OK and the text "". Calls that succeed leave the note alone, and so does
 * ps_last_error_info when it is called wrongly: asking must not destroy the answer.
 *
 * Texts may be passed in that point into the note itself (a caller that adds to the last
 * message), so a new text is always put together beside it first.
 *
 * In the child of a fork the notes of threads that it does not have stay allocated. */
#include "base/error.h"

#include "base/alloc.h"
#include "base/sized.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, OPERATION_BYTES = 256 };

typedef struct note {
    ps_error_info info; /* its texts are those below, or NULL */
    uint64_t count;     /* how often it was written */
    char operation[OPERATION_BYTES];
    char message[MESSAGE_BYTES];
} note;

/* For threads without a note: what is known from the status alone, which may be PS_OK. */
static const ps_error_info bare[] = {
#define BARE(name, number, text) [number] = {.status = PS_##name, .message = text},
    PS_STATUS_LIST(BARE)
#undef BARE
};
static const ps_error_info nothing = {.status = PS_OK, .message = ""};

/* Only ever touched by its own thread. NULL: nothing has failed. Else in `bare` or own_note. */
static __thread const ps_error_info *last __attribute__((tls_model("initial-exec")));

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t note_key; /* the thread's note; written once, before anybody uses it */
static bool have_key;          /* likewise */

/* A destructor that runs later and fails makes a new note, and this is called again for it. */
static void end_thread(void *own)
{
    last = NULL;
    ps__free(own);
}

static void make_note_key(void)
{
    have_key = pthread_key_create(&note_key, end_thread) == 0;
}

/* This thread's note, made if need be; NULL if there is no memory. */
static note *own_note(void)
{
    pthread_once(&key_once, make_note_key);
    note *own = have_key ? pthread_getspecific(note_key) : NULL;
    if (own != NULL || !have_key)
        return own;
    own = ps__calloc(1, sizeof *own);
    if (own != NULL && pthread_setspecific(note_key, own) != 0) {
        ps__free(own);
        return NULL;
    }
    return own;
}

static const ps_error_info *bare_info(ps_status status)
{
    bool known = (size_t)status < sizeof bare / sizeof bare[0];
    return &bare[known ? status : PS_ERR_TASK];
}

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

    note *own = own_note();
    if (own == NULL) {
        last = bare_info(status);
        return status;
    }
    own->count++;
    memcpy(own->message, message, sizeof message);
    own->info = (ps_error_info){.status = status, .message = own->message};
    last = &own->info;
    return status;
}

ps_status ps__fail_info(const ps_error_info *info)
{
    note fresh = {.info = *info};
    if (info->operation)
        copy_text(fresh.operation, sizeof fresh.operation, info->operation);
    copy_text(fresh.message, sizeof fresh.message,
              info->message ? info->message : ps_status_text(info->status));
    note *own = own_note();
    if (own == NULL) {
        last = bare_info(fresh.info.status);
        return fresh.info.status;
    }
    fresh.count = own->count + 1;
    *own = fresh;
    own->info.operation = fresh.info.operation ? own->operation : NULL;
    own->info.message = own->message;
    last = &own->info;
    return fresh.info.status;
}

uint64_t ps__fail_count(void)
{
    const note *own = own_note();
    return own != NULL ? own->count : 0;
}

ps_status ps__foreign_failed(const char *name, const char *what, uint64_t count, ps_status status)
{
    status = ps__status_checked(status);
    if (ps__fail_count() != count)
        return status;
    return ps__fail(status, "%s: its %s failed: %s", name, what, ps_status_text(status));
}

const char *ps_last_error(void)
{
    return last ? last->message : "";
}

ps_status ps_last_error_info(ps_error_info *info)
{
    return ps__sized_fill(info, last ? last : &nothing, sizeof *last) ? PS_OK : PS_ERR_ARGUMENT;
}
