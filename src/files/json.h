/* A strict reader of JSON for headers of files: objects, arrays, texts and whole numbers, asked for
 * one after the other by whoever knows what must come. So nesting is as deep as the caller's code, and
 * nothing recurses, whatever the text holds.
 *
 * Texts are decoded where they lie, which never makes them longer, and end with a zero. */
#ifndef PS_FILES_JSON_H
#define PS_FILES_JSON_H

#include "files/source.h"

typedef struct ps__json {
    const ps__source *source; /* for texts of errors */
    char *start, *at, *end;
} ps__json;

/* The next key of an object, with its colon; *key is NULL at the end of the object. *inside is false
 * before the first call. */
ps_status ps__json_key(ps__json *json, bool *inside, char **key);
/* Whether an array has another item, which is read next. *inside as above. */
ps_status ps__json_item(ps__json *json, bool *inside, bool *more);
ps_status ps__json_text(ps__json *json, char **text);
/* Fractions, exponents and what does not fit are refused. */
ps_status ps__json_number(ps__json *json, int64_t *value);
/* Nothing but white space is left. */
ps_status ps__json_end(ps__json *json);

#endif
