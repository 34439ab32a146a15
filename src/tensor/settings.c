/* What the environment says about tensors: PENSTOCK_FUSION and PENSTOCK_ISA. A malformed value is an
 * error when the first tensor is made. */
#include "base/environment.h"
#include "kernels/set.h"
#include "tensor/tensor.h"

enum { UNREAD = 0, OFF, ON };

static _Atomic uint32_t fusion; /* one of the above; a number by itself: pairs with nothing */

static ps_status read_fusion(void)
{
    static const char *const words[] = {"0", "off", "1", "on"};
    unsigned choice = 3;
    ps_status status = ps__env_choice("PENSTOCK_FUSION", words, 4, &choice);
    uint32_t unread = UNREAD; /* what a program has set by then stays */
    (void)ps__cas(&fusion, &unread, choice >= 2 ? ON : OFF);
    return status;
}

bool ps_fusion(void)
{
    if (PS_UNLIKELY(ps__load(&fusion) == UNREAD))
        (void)read_fusion(); /* reported by ps__settings_check */
    return ps__load(&fusion) == ON;
}

void ps_fusion_set(bool on)
{
    ps__store(&fusion, on ? ON : OFF);
}

ps_status ps__settings_check(void)
{
    ps_status status = read_fusion();
    return status == PS_OK ? ps__kernels_check() : status;
}
