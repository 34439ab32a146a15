// What two translation units with the header share.
#ifndef UNITS_HPP
#define UNITS_HPP

#include <penstock.hpp>

ps::array other_sum(const ps::array &x);
ps::array other_failure();
extern const unsigned other_failure_line;
extern ps::array other_static;

#endif
