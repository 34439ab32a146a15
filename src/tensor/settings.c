/* What the environment says about tensors: PENSTOCK_FUSION, PENSTOCK_AT_ONCE and PENSTOCK_ISA. A
 * malformed value is an error when the first tensor is made. */
#include "base/environment.h"
#include "kernels/set.h"
#include "tensor/tensor.h"

enum { UNREAD = 0, OFF, ON };

/* Each is one of the above, a number by itself: pairs with nothing. */
static _Atomic uint32_t fusion;
static _Atomic uint32_t at_once;

static ps_status read_switch(const char *name, _Atomic uint32_t *value)
{
    static const char *const words[] = {"0", "off", "1", "on"};
    unsigned choice = 3;
    ps_status status = ps__env_choice(name, words, 4, &choice);
    uint32_t unread = UNREAD; /* what a program has set by then stays */
    (void)ps__cas(value, &unread, choice >= 2 ? ON : OFF);
    return status;
}

static ps_status read_fusion(void)
{
    return read_switch("PENSTOCK_FUSION", &fusion);
}

bool ps_fusion(void)
{
    if (PS_UNLIKELY(ps__load(&fusion) == UNREAD))
        (void)read_fusion(); /* reported by ps__settings_check */
    return ps__load(&fusion) == ON;
}

bool ps__fusion_here(void)
{
    uint64_t state = ps_thread_state();
    return state & (PS_STATE_FUSION_ON | PS_STATE_FUSION_OFF) ? state & PS_STATE_FUSION_ON
                                                              : ps_fusion();
}

void ps_fusion_set(bool on)
{
    ps__store(&fusion, on ? ON : OFF);
}

bool ps__at_once(void)
{
    return ps__load(&at_once) == ON; /* before it is read there are no tensors */
}

void ps__at_once_set(bool on)
{
    ps__store(&at_once, on ? ON : OFF);
}

ps_status ps__settings_check(void)
{
    ps_status status = read_fusion();
    if (status == PS_OK)
        status = read_switch("PENSTOCK_AT_ONCE", &at_once);
    return status == PS_OK ? ps__kernels_check() : status;
}
