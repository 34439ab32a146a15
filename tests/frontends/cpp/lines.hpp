// A thousand operations on as many lines: see make_lines.py.
#ifndef LINES_HPP
#define LINES_HPP

#include <penstock.hpp>

namespace
{

// The line of the call, in a template: that of its own one.
template <class T>
ps::array taken(const ps::array &x, const ps::array &places, ps::location at = ps::location())
{
    return ps::take(x, places, {}, at);
}

#include "lines.inc"

} // namespace

#endif
