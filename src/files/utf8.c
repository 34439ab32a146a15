/* UTF-8: checked, written, cut. */
#include "files/utf8.h"

#include <string.h>

/* By the number of bytes: the smallest character that needs so many. */
static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

static size_t announced(unsigned char first)
{
    return first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
}

size_t ps__utf8_length(const char *text, size_t left)
{
    size_t length = left != 0 ? announced((unsigned char)text[0]) : 0;
    if (length <= 1 || length > left)
        return length > left ? 0 : length;
    uint32_t character = (unsigned char)text[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte >> 6 != 2)
            return 0;
        character = character << 6 | (byte & 0x3Fu);
    }
    bool surrogate = character >= 0xD800 && character < 0xE000;
    return character < least[length] || character > 0x10FFFF || surrogate ? 0 : length;
}

bool ps__utf8_valid(const char *text)
{
    size_t left = strlen(text), length = 1;
    for (; left != 0 && length != 0; text += length, left -= length)
        length = ps__utf8_length(text, left);
    return length != 0;
}

size_t ps__utf8_put(uint32_t character, char *to)
{
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t length = 1;
    while (length < 4 && character >= least[length + 1])
        length++;
    for (size_t i = length; i-- > 1; character >>= 6)
        to[i] = (char)(0x80 | (character & 0x3F));
    to[0] = (char)(lead[length] | character);
    return length;
}

int ps__utf8_clip(const char *text, size_t most)
{
    size_t left = strlen(text), at = 0;
    while (at < left) {
        size_t length = ps__utf8_length(text + at, left - at);
        if (length == 0 || at + length > most)
            break;
        at += length;
    }
    return (int)at;
}
