/* Reading JSON. */
#include "files/json.h"

#include "files/utf8.h"

#include <string.h>

/* ---- single bytes ---------------------------------------------------------------------- */

static ps_status unexpected(const ps__json *json, const char *wanted)
{
    size_t place = (size_t)(json->at - json->start);
    if (json->at == json->end)
        return ps__source_fail(json->source, "the header ends at byte %zu where %s should be",
                               place, wanted);
    return ps__source_fail(json->source, "byte %zu of the header is 0x%02X where %s should be",
                           place, (unsigned)(unsigned char)*json->at, wanted);
}

static void skip_space(ps__json *json)
{
    while (json->at != json->end && memchr(" \t\n\r", *json->at, 4) != NULL)
        json->at++;
}

/* Takes the byte if it is next. */
static bool take_if(ps__json *json, char byte)
{
    skip_space(json);
    if (json->at == json->end || *json->at != byte)
        return false;
    json->at++;
    return true;
}

static ps_status take(ps__json *json, char byte, const char *name)
{
    return take_if(json, byte) ? PS_OK : unexpected(json, name);
}

ps_status ps__json_end(ps__json *json)
{
    skip_space(json);
    return json->at == json->end ? PS_OK : unexpected(json, "its end");
}

/* ---- texts ----------------------------------------------------------------------------- */

static int hex_digit(char byte)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *found = byte != 0 ? strchr(digits, byte) : NULL;
    int value = found != NULL ? (int)(found - digits) : -1;
    return value < 16 ? value : value - 6;
}

static ps_status read_hex(ps__json *json, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++, json->at++) {
        int digit = json->at != json->end ? hex_digit(*json->at) : -1;
        if (digit < 0)
            return unexpected(json, "a hexadecimal digit");
        *value = *value << 4 | (uint32_t)digit;
    }
    return PS_OK;
}

/* The second half of a character that takes two escapes. */
static ps_status read_low(ps__json *json, uint32_t *character)
{
    uint32_t low = 0;
    ps_status status = PS_OK;
    bool follows = json->end - json->at >= 2 && json->at[0] == '\\' && json->at[1] == 'u';
    if (follows) {
        json->at += 2;
        status = read_hex(json, &low);
    }
    if (status == PS_OK && low >> 10 != 0xDC00 >> 10)
        return ps__source_fail(json->source,
                               "byte %zu of the header: \\u%04X is half of a character, and the "
                               "other half does not follow",
                               (size_t)(json->at - json->start), (unsigned)*character);
    *character = 0x10000 + ((*character & 0x3FF) << 10 | (low & 0x3FF));
    return status;
}

static ps_status read_unicode(ps__json *json, char **to)
{
    uint32_t character;
    ps_status status = read_hex(json, &character);
    if (status != PS_OK)
        return status;
    if (character == 0)
        return ps__source_fail(json->source,
                               "byte %zu of the header: texts with a null character are not read",
                               (size_t)(json->at - json->start));
    if (character >> 10 == 0xDC00 >> 10)
        return ps__source_fail(json->source,
                               "byte %zu of the header: \\u%04X is the second half of a character "
                               "without the first",
                               (size_t)(json->at - json->start), (unsigned)character);
    if (character >> 10 == 0xD800 >> 10)
        status = read_low(json, &character);
    if (status == PS_OK)
        *to += ps__utf8_put(character, *to);
    return status;
}

/* Behind a backslash. */
static ps_status read_escape(ps__json *json, char **to)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *found = json->at != json->end && *json->at != 0 ? strchr(names, *json->at) : NULL;
    if (found != NULL) {
        *(*to)++ = meanings[found - names];
        json->at++;
        return PS_OK;
    }
    if (json->at == json->end || *json->at != 'u')
        return unexpected(json, "an escape");
    json->at++;
    return read_unicode(json, to);
}

static ps_status read_character(ps__json *json, char **to)
{
    if (json->at != json->end && *json->at == '\\') {
        json->at++;
        return read_escape(json, to);
    }
    size_t length = ps__utf8_length(json->at, (size_t)(json->end - json->at));
    if (length == 0 || (unsigned char)*json->at < 0x20)
        return unexpected(json, "a character or the end of a text");
    memmove(*to, json->at, length);
    *to += length;
    json->at += length;
    return PS_OK;
}

ps_status ps__json_text(ps__json *json, char **text)
{
    ps_status status = take(json, '"', "a text");
    char *to = json->at;
    *text = to;
    while (status == PS_OK && (json->at == json->end || *json->at != '"'))
        status = read_character(json, &to);
    if (status != PS_OK)
        return status;
    json->at++;
    *to = 0; /* at the latest where the quote was */
    return PS_OK;
}

/* ---- numbers --------------------------------------------------------------------------- */

static bool is_digit(const ps__json *json)
{
    return json->at != json->end && *json->at >= '0' && *json->at <= '9';
}

/* The digits, as a number with that sign; false if it does not fit. */
static bool read_digits(ps__json *json, int sign, int64_t *value)
{
    bool fits = true;
    for (*value = 0; is_digit(json); json->at++)
        fits = fits && !__builtin_mul_overflow(*value, 10, value) &&
               !__builtin_add_overflow(*value, sign * (*json->at - '0'), value);
    return fits;
}

ps_status ps__json_number(ps__json *json, int64_t *value)
{
    skip_space(json);
    char *first = json->at;
    int sign = take_if(json, '-') ? -1 : 1;
    if (!is_digit(json))
        return unexpected(json, "a whole number");
    char *digits = json->at;
    bool fits = read_digits(json, sign, value);
    if (*digits == '0' && json->at - digits > 1)
        return ps__source_fail(json->source, "byte %zu of the header: a number begins with 0",
                               (size_t)(digits - json->start));
    if (json->at != json->end && memchr(".eE", *json->at, 3) != NULL)
        return unexpected(json, "the end of a whole number");
    if (!fits)
        return ps__source_fail(json->source, "byte %zu of the header: %.*s does not fit in 64 bits",
                               (size_t)(first - json->start),
                               json->at - first < 40 ? (int)(json->at - first) : 40, first);
    return PS_OK;
}

/* ---- objects and arrays ---------------------------------------------------------------- */

/* The opening sign or a comma; *more is false at the closing sign. */
static ps_status next_part(ps__json *json, const char *signs, const char *name, bool *inside,
                           bool *more)
{
    bool first = !*inside;
    ps_status status = first ? take(json, signs[0], name) : PS_OK;
    *inside = true;
    *more = status == PS_OK && !take_if(json, signs[1]);
    return *more && !first ? take(json, ',', "a comma or the end of the list") : status;
}

ps_status ps__json_key(ps__json *json, bool *inside, char **key)
{
    bool more;
    ps_status status = next_part(json, "{}", "an object", inside, &more);
    *key = NULL;
    if (status == PS_OK && more)
        status = ps__json_text(json, key);
    return status == PS_OK && more ? take(json, ':', "a colon") : status;
}

ps_status ps__json_item(ps__json *json, bool *inside, bool *more)
{
    return next_part(json, "[]", "an array", inside, more);
}
