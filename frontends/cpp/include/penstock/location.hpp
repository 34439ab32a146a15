// Lines of the program. What is queued carries one as a number, which is made of two constants: the
// address of the file's name and the line. Nothing is allocated or looked up.
#ifndef PENSTOCK_LOCATION_HPP
#define PENSTOCK_LOCATION_HPP

#include <penstock.h>

namespace penstock
{

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
