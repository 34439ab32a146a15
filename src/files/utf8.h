/* Text as UTF-8. */
#ifndef PS_FILES_UTF8_H
#define PS_FILES_UTF8_H

#include "penstock.h"

/* How many bytes the first character of `left` bytes takes, 1 to 4; 0 if they begin with none:
 * surrogates, forms that are too long and what lies beyond U+10FFFF are none. */
size_t ps__utf8_length(const char *text, size_t left);
/* Whether all of a text is made of characters. */
bool ps__utf8_valid(const char *text);
/* Writes a character, which is no surrogate, and says how many bytes it took. */
size_t ps__utf8_put(uint32_t character, char *to);
/* How many bytes of a text, at most `most`, end where a character ends: for texts of errors. */
int ps__utf8_clip(const char *text, size_t most);

#endif
