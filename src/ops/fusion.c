/* The switch for fusion. */
#include "base/environment.h"
#include "ops/op.h"

#include <stdlib.h>
#include <string.h>

enum { UNREAD = 0, OFF, ON };

static _Atomic uint32_t state; /* one of the above; a number by itself: pairs with nothing */

bool ps_fusion(void)
{
    uint32_t now = ps__load(&state);
    if (PS_UNLIKELY(now == UNREAD)) {
        const char *text = getenv("PENSTOCK_FUSION");
        now = text != NULL && strcmp(text, "0") == 0 ? OFF : ON;
        ps__store(&state, now);
    }
    return now == ON;
}

void ps_fusion_set(bool on)
{
    ps__store(&state, on ? ON : OFF);
}
