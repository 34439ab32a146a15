// Lines of the program. What is queued carries one as a number, which is made of two constants: the
// address of the file's name and the line. Nothing is allocated or looked up.
//
// A shared object that includes this stays in memory when it is closed: what it has queued names its
// lines, and may call its functions.
#ifndef PENSTOCK_LOCATION_HPP
#define PENSTOCK_LOCATION_HPP

#include <penstock.h>

#include <dlfcn.h>

namespace penstock
{

namespace detail
{

// Compilers differ in whether inline variables already have this effect. For a program itself it has
// none.
inline bool keep_loaded(const void *inside) noexcept
{
    Dl_info found;
    return dladdr(inside, &found) != 0 &&
           dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
}

// Of each file, and so of each shared object: an inline one could be another's.
[[maybe_unused]] static const bool kept_loaded = keep_loaded(&kept_loaded);

} // namespace detail

// As the last parameter, with its default, it is the line of the call.
class location
{
  public:
    explicit location(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE())
        : id_(ps_location_literal(file, line))
    {
    }

    // Where the language cannot tell.
    static location unknown() noexcept
    {
        location made(nullptr, 0);
        made.id_ = 0;
        return made;
    }

    uint64_t id() const noexcept
    {
        return id_;
    }

  private:
    uint64_t id_;
};

} // namespace penstock

#endif
