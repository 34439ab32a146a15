#include "base/number.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain; /* written once, before anybody uses it */

static void make_number(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double ps__number_parse(const char *text, char **end)
{
    pthread_once(&once, make_number);
    return plain != (locale_t)0 ? strtod_l(text, end, plain) : strtod(text, end);
}
