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
 * Where a task was queued is found when somebody asks, not when it failed: that may run code of
 * the language that queued it, which needs a thread of its own kind and no lock of ours. If that
 * code fails calls of the library, the note is afterwards as it was.
 *
 * All notes are in one list: the child of a fork frees those of the threads that it does not have. */
#include "base/error.h"

#include "base/alloc.h"
#include "base/frontend.h"
#include "base/lock.h"
#include "base/sized.h"
#include "base/twofold.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MESSAGE_BYTES = 1024,
    OPERATION_BYTES = 256,
    FILE_BYTES = 1024,
    FUNCTION_BYTES = 256,
    PLACE_BYTES = FILE_BYTES + 32,
    TEXT_BYTES = MESSAGE_BYTES + 2 * OPERATION_BYTES + 2 * PLACE_BYTES + 128
};

typedef struct failure {
    ps_error_info info; /* its texts are those of the note, static (gradient_of), or NULL */
    char operation[OPERATION_BYTES];
    char message[MESSAGE_BYTES];
} failure;

/* The file of a line, and the text for it. */
typedef struct line_text {
    char file[FILE_BYTES];
    char place[PLACE_BYTES];
    uint32_t line;
} line_text;

typedef struct note {
    failure what;              /* first: `last` points to its info */
    uint64_t count;            /* how often it was written */
    bool placed;               /* where it was queued has been looked for */
    struct note *next, **link; /* in `notes`; link: what points to it. Guarded by notes_lock */
    line_text queued, asked;
    char function[FUNCTION_BYTES];
    char text[TEXT_BYTES];
} note;

/* For threads without a note: what is known from the status alone, which may be PS_OK. */
static const ps_error_info bare[] = {
#define BARE(name, number, words) [number] = {.status = PS_##name, .message = words, .text = words},
    PS_STATUS_LIST(BARE)
#undef BARE
};
static const ps_error_info nothing = {.status = PS_OK, .message = "", .text = ""};

/* Only ever touched by its own thread. NULL: nothing has failed. Else in `bare` or own_note. */
static __thread const ps_error_info *last __attribute__((tls_model("initial-exec")));

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t note_key; /* the thread's note; written once, before anybody uses it */
static bool have_key;          /* likewise */

/* A leaf: nothing is called while it is held. A fork takes it last. */
static ps__lock notes_lock;
static note *notes; /* of all threads; guarded by notes_lock */

static void list_note(note *own)
{
    ps__lock_take(&notes_lock);
    own->next = notes;
    own->link = &notes;
    if (notes != NULL)
        notes->link = &own->next;
    notes = own;
    ps__unlock(&notes_lock);
}

static void unlist_note(note *own)
{
    ps__lock_take(&notes_lock);
    *own->link = own->next;
    if (own->next != NULL)
        own->next->link = own->link;
    ps__unlock(&notes_lock);
}

/* A destructor that runs later and fails makes a new note, and this is called again for it. */
static void end_thread(void *own)
{
    last = NULL;
    unlist_note(own);
    ps__free(own);
}

static void make_note_key(void)
{
    have_key = pthread_key_create(&note_key, end_thread) == 0;
}

/* This thread's note, or NULL. */
static note *note_there(void)
{
    pthread_once(&key_once, make_note_key);
    return have_key ? pthread_getspecific(note_key) : NULL;
}

/* This thread's note, made if need be; NULL if there is no memory. */
static note *own_note(void)
{
    note *own = note_there();
    if (own != NULL || !have_key)
        return own;
    own = ps__calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    if (pthread_setspecific(note_key, own) != 0) {
        ps__free(own);
        return NULL;
    }
    list_note(own);
    return own;
}

void ps__errors_fork_prepare(void)
{
    ps__lock_take(&notes_lock);
}

void ps__errors_fork_parent(void)
{
    ps__unlock(&notes_lock);
}

void ps__errors_fork_child(void)
{
    ps__unlock(&notes_lock);
    note *own = note_there();
    for (note *each = notes, *next; each != NULL; each = next) {
        next = each->next;
        if (each == own)
            continue;
        unlist_note(each);
        ps__free(each);
    }
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

/* Makes it this thread's last failure. */
static ps_status keep(const failure *fresh)
{
    note *own = own_note();
    ps_status status = fresh->info.status;
    if (own == NULL) {
        last = bare_info(status);
        return status;
    }
    own->what = *fresh;
    own->count++;
    own->placed = false;
    ps_error_info *info = &own->what.info;
    info->message = info->text = own->what.message;
    if (info->operation != NULL)
        info->operation = own->what.operation;
    last = info;
    return status;
}

static ps_status keep_written(failure *fresh, const char *format, va_list arguments)
{
    int length = vsnprintf(fresh->message, sizeof fresh->message, format, arguments);
    if (length < 0) /* the format could not be written out: the status still can */
        copy_text(fresh->message, sizeof fresh->message, ps_status_text(fresh->info.status));
    else if ((size_t)length >= sizeof fresh->message)
        mark_as_cut(fresh->message, sizeof fresh->message);
    return keep(fresh);
}

ps_status ps__fail(ps_status status, const char *format, ...)
{
    failure fresh = {.info = {.status = status}};
    va_list arguments;
    va_start(arguments, format);
    keep_written(&fresh, format, arguments);
    va_end(arguments);
    return status;
}

ps_status ps__fail_axis(const char *format, ...)
{
    failure fresh = {.info = {.status = PS_ERR_ARGUMENT, .kind = PS_ERROR_AXIS}};
    va_list arguments;
    va_start(arguments, format);
    keep_written(&fresh, format, arguments);
    va_end(arguments);
    return PS_ERR_ARGUMENT;
}

ps_status ps__fail_info(const ps_error_info *info)
{
    ps__twofold lines;
    (void)ps__twofold_lines(info->location, &lines);
    failure fresh = {.info = {.status = info->status,
                              .sequence = info->sequence,
                              .operation = info->operation, /* `keep` sets its own */
                              .location = lines.forward,
                              .more = info->more,
                              .gradient_of = lines.of,
                              .backward = lines.backward}};
    if (info->operation)
        copy_text(fresh.operation, sizeof fresh.operation, info->operation);
    copy_text(fresh.message, sizeof fresh.message,
              info->message ? info->message : ps_status_text(info->status));
    return keep(&fresh);
}

uint64_t ps__fail_count(void)
{
    const note *own = note_there();
    return own != NULL ? own->count : 0;
}

ps_status ps__foreign_failed(const char *name, const char *what, uint64_t count, ps_status status)
{
    status = ps__status_checked(status);
    if (ps__fail_count() != count)
        return status;
    return ps__fail(status, "%s: its %s failed: %s", name, what, ps_status_text(status));
}

void ps__fail_apart(void (*body)(void *arg), void *arg)
{
    const note *own = note_there();
    const ps_error_info *before = last;
    failure kept;
    if (own == NULL || before != &own->what.info) { /* a constant, or nothing */
        body(arg);
        last = before;
        return;
    }
    kept = own->what;
    uint64_t count = own->count;
    body(arg);
    if (own->count != count)
        (void)keep(&kept);
}

const char *ps_last_error(void)
{
    return last ? last->message : "";
}

/* ---- Where it was queued ----------------------------------------------------------------- */

static void write_line(line_text *to, const ps_place *place)
{
    const char *shown = place->shown != NULL ? place->shown : place->file;
    copy_text(to->file, sizeof to->file, place->file);
    copy_text(to->place, sizeof to->place - 32, shown);
    to->line = place->line <= UINT32_MAX ? (uint32_t)place->line : 0;
    size_t length = strlen(to->place);
    if (to->line != 0)
        snprintf(to->place + length, sizeof to->place - length, ", line %" PRIu32, to->line);
}

static void write_queued(note *own, const ps_place *place)
{
    ps_error_info *info = &own->what.info;
    write_line(&own->queued, place);
    info->file = own->queued.file;
    info->place = own->queued.place;
    info->line = own->queued.line;
    if (place->function != NULL) {
        copy_text(own->function, sizeof own->function, place->function);
        info->function = own->function;
    }
}

static void write_asked(note *own, const line_text *line)
{
    ps_error_info *info = &own->what.info;
    own->asked = *line;
    info->backward_file = own->asked.file;
    info->backward_place = own->asked.place;
    info->backward_line = own->asked.line;
}

/* All parts are cut such that they fit. */
static char *end_of(char *text)
{
    return text + strlen(text);
}

static void write_text(note *own, const char *language)
{
    ps_error_info *info = &own->what.info;
    char *to = own->text, *end = own->text + sizeof own->text;
    snprintf(to, sizeof own->text, "%s (in %s, ", info->message, info->operation);
    to = end_of(to);
    if (info->gradient_of != NULL)
        snprintf(to, (size_t)(end - to), "for the gradient of %.*s, ", OPERATION_BYTES,
                 info->gradient_of);
    to = end_of(to);
    if (info->place != NULL)
        snprintf(to, (size_t)(end - to), "queued at %s", info->place);
    else if (language != NULL)
        snprintf(to, (size_t)(end - to), "queued in %s", language);
    else
        snprintf(to, (size_t)(end - to), "queued operation %" PRIu64, info->sequence);
    to = end_of(to);
    snprintf(to, (size_t)(end - to), "%s%s)", info->backward_place != NULL ? "; backward at " : "",
             info->backward_place != NULL ? info->backward_place : "");
    info->text = own->text;
}

/* Of a task that failed. A frontend's texts last until it is asked again. */
static void find_place(note *own)
{
    failure kept = own->what;
    uint64_t count = own->count;
    ps_place place;
    line_text line;
    const char *language, *unused;
    bool asked = kept.info.backward != 0 && ps__place_find(kept.info.backward, &place, &unused);
    if (asked)
        write_line(&line, &place);
    bool found = ps__place_find(kept.info.location, &place, &language);
    if (own->count != count) /* calls have failed meanwhile */
        own->what = kept;
    last = &own->what.info;
    own->placed = true;
    if (asked)
        write_asked(own, &line);
    if (found)
        write_queued(own, &place);
    write_text(own, language);
}

ps_status ps_last_error_info(ps_error_info *info)
{
    size_t before = offsetof(ps_error_info, kind); /* what needs no place */
    if (info != NULL && info->size > before && last != NULL && last->operation != NULL) {
        note *own = own_note(); /* is there: a task's failure is in no other */
        if (own != NULL && !own->placed)
            find_place(own);
    }
    ps_error_info told = last != NULL ? *last : nothing;
    if (told.kind == PS_ERROR_RUNTIME) /* none was noted */
        told.kind = ps_status_kind(told.status);
    return ps__sized_fill(info, &told, sizeof told) ? PS_OK : PS_ERR_ARGUMENT;
}
