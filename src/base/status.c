/* Names, texts and kinds of the status codes, of which penstock.h has the one list; and the version. */
#include "penstock.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *ps_status_name(ps_status status)
{
    switch (status) {
#define NAME_CASE(name, number, text)                                                              \
    case PS_##name:                                                                                \
        return "PS_" #name;
        PS_STATUS_LIST(NAME_CASE)
#undef NAME_CASE
    }
    return "PS_UNKNOWN";
}

const char *ps_status_text(ps_status status)
{
    switch (status) {
#define TEXT_CASE(name, number, text)                                                              \
    case PS_##name:                                                                                \
        return text;
        PS_STATUS_LIST(TEXT_CASE)
#undef TEXT_CASE
    }
    return "unknown status";
}

ps_error_kind ps_status_kind(ps_status status)
{
    switch (status) {
    case PS_ERR_ARGUMENT:
    case PS_ERR_ENVIRONMENT:
        return PS_ERROR_VALUE;
    case PS_ERR_TYPE:
        return PS_ERROR_TYPE;
    case PS_ERR_INDEX:
        return PS_ERROR_INDEX;
    case PS_ERR_MEMORY:
        return PS_ERROR_MEMORY;
    case PS_ERR_TIMEOUT:
        return PS_ERROR_TIMEOUT;
    default:
        return PS_ERROR_RUNTIME;
    }
}

const char *ps_version(void)
{
    return VERSION_TEXT(PS_VERSION_MAJOR, PS_VERSION_MINOR, PS_VERSION_PATCH);
}

uint32_t ps_abi_version(void)
{
    return PS_ABI_VERSION;
}
