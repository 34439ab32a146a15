// What test_plugin.cpp finds in a shared object that it opens.
#ifndef PLUGIN_HPP
#define PLUGIN_HPP

#include <penstock.hpp>

struct plugin_functions {
    // A thousand operations, of which one has bad positions.
    std::vector<ps::array> (*queue)(const ps::array &x, const ps::array &good, const ps::array &bad,
                                    int failing);
    const unsigned (&lines)[1000];
    // Functions of the plugin's own as tasks: adds 1; throws an exception of its own.
    void (*push)(const ps::array &x, const ps::array &y);
    void (*push_throwing)(const ps::array &x, const ps::array &y);
    // An operation of the plugin's own.
    void (*add_row)(const char *name);
};

#endif
