/* A thread's settings, one word: see ps_thread_state. Its mode is the lowest part of it. */
#include "engine/state.h"

#include "device/device.h"
#include "engine/internal.h"

#define FUSION (PS_STATE_FUSION_ON | PS_STATE_FUSION_OFF)
#define KNOWN                                                                                      \
    (PS_STATE_MODE | FUSION | PS_STATE_RECORDING | PS_STATE_TRAINING | PS_STATE_PAUSED |           \
     PS_STATE_DEVICE)

static unsigned device_of(uint64_t state)
{
    return (unsigned)((state & PS_STATE_DEVICE) >> PS_STATE_DEVICE_SHIFT);
}

static ps_status check(uint64_t state)
{
    if (state & ~KNOWN)
        return ps__fail(PS_ERR_ARGUMENT, "ps_thread_set_state: unknown bits: 0x%llx",
                        (unsigned long long)(state & ~KNOWN));
    if ((state & PS_STATE_MODE) > PS_MODE_SYNC)
        return ps__fail(PS_ERR_ARGUMENT, "ps_thread_set_state: %d is no mode",
                        (int)(state & PS_STATE_MODE));
    if ((state & FUSION) == FUSION)
        return ps__fail(PS_ERR_ARGUMENT, "ps_thread_set_state: fusion is both on and off");
    if (device_of(state) != 0 && ps__device_numbered(device_of(state)) == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_thread_set_state: there is no device of number %u",
                        device_of(state));
    return PS_OK;
}

static ps_status store(uint64_t state)
{
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    thread->state = state;
    return PS_OK;
}

uint64_t ps_thread_state(void)
{
    const ps__thread *thread = ps__thread_current;
    return thread != NULL ? thread->state : 0;
}

ps_status ps_thread_set_state(uint64_t state)
{
    ps_status status = check(state);
    return status == PS_OK ? store(state) : status;
}

ps_mode ps_thread_mode(void)
{
    return (ps_mode)(ps_thread_state() & PS_STATE_MODE);
}

ps_status ps_thread_set_mode(ps_mode mode)
{
    if ((unsigned)mode > PS_MODE_SYNC)
        return ps__fail(PS_ERR_ARGUMENT, "ps_thread_set_mode: %d is no mode", (int)mode);
    return store((ps_thread_state() & ~PS_STATE_MODE) | (uint64_t)mode);
}

ps_device *ps__thread_device(void)
{
    unsigned number = device_of(ps_thread_state());
    return number != 0 ? ps__device_numbered(number) : NULL;
}
