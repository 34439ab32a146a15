/* Names and texts of the status codes, made from the one list in penstock.h; and the version. */
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

const char *ps_version(void)
{
    return VERSION_TEXT(PS_VERSION_MAJOR, PS_VERSION_MINOR, PS_VERSION_PATCH);
}

uint32_t ps_abi_version(void)
{
    return PS_ABI_VERSION;
}
