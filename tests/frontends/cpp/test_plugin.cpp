// A shared object that queues and is closed before anybody waits.
#include "gate.hpp"
#include "plugin/plugin.hpp"

#include <doctest/doctest.h>
#include <dlfcn.h>

namespace
{

// The plugin while it is open.
class opened
{
  public:
    opened() : handle_(dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL))
    {
        REQUIRE(handle_ != nullptr);
    }
    opened(const opened &) = delete;
    opened &operator=(const opened &) = delete;
    ~opened()
    {
        CHECK(dlclose(handle_) == 0);
    }
    const plugin_functions *operator->() const
    {
        return static_cast<const plugin_functions *>(dlsym(handle_, "plugin"));
    }

  private:
    void *handle_;
};

} // namespace

TEST_CASE("lines of a plugin that was closed, a hundred times of a hundred")
{
    const ps::array x{1.0, 2.0, 3.0}, good{0, 2}, bad{0, 7};
    for (int run = 0; run < 100; run++) {
        const int failing = (run * 379 + 49) % 1000;
        unsigned line;
        std::vector<ps::array> all;
        {
            opened plugin;
            all = plugin->queue(x, good, bad, failing);
            line = plugin->lines[failing];
        }
        REQUIRE(all.size() == 1000);
        for (size_t i = 0; i < all.size(); i++)
            if (i != static_cast<size_t>(failing))
                all[i].wait();
        try {
            all[static_cast<size_t>(failing)].wait();
            FAIL("nothing was thrown");
        } catch (const ps::out_of_range &error) {
            CHECK(error.line() == line);
            CHECK(std::string(error.file()).ends_with("lines.inc"));
        }
    }
}

TEST_CASE("functions of a plugin that was closed")
{
    gate closed;
    auto y = ps::empty({1}), z = ps::empty({1});
    {
        opened plugin;
        plugin->push(closed.array(), y);
        plugin->push_throwing(closed.array(), z);
        plugin->add_row("cpp_plugin_tenfold");
    }
    auto tenfold = ps::call("cpp_plugin_tenfold", y);
    closed.open();
    CHECK(y.item<float>() == 2.0f);
    CHECK(tenfold.item<float>() == 20.0f);
    try {
        z.wait();
        FAIL("nothing was thrown");
    } catch (const ps::failure &error) {
        CHECK(std::string(error.what()).starts_with("the plugin's own error"));
        CHECK(std::string(error.file()).ends_with("plugin.cpp"));
    }
}
