// Operations by name: those that are added while the program runs, and any of the table.
//
//     auto y = ps::call("clip", x, 0, 1);
//     ps::call_into({w}, "sgd_update", w, g, 0.1);
//
// Arguments stand in the order of the signature; those left out at the end, and `none`, are defaults.
// Lists are ints{2, 3}, arrays or vectors of arrays.
#ifndef PENSTOCK_CALL_HPP
#define PENSTOCK_CALL_HPP

#include <penstock/ops.hpp>

namespace penstock
{

// A row's name, and the line that it stands in.
class named
{
  public:
    named(const char *name, location at = location()) : name_(name), at_(at) {}
    named(const std::string &name, location at = location()) : name_(name.c_str()), at_(at) {}
    const char *name() const noexcept
    {
        return name_;
    }
    location at() const noexcept
    {
        return at_;
    }

  private:
    const char *name_;
    location at_;
};

namespace detail
{

template <class T> ps_arg call_arg(const T &x)
{
    if constexpr (std::is_same_v<T, none_t>)
        return arg(ints(none));
    else if constexpr (std::is_convertible_v<const T &, const char *>)
        return ps_arg_text(x);
    else if constexpr (std::is_same_v<T, std::string>)
        return ps_arg_text(x.c_str());
    else if constexpr (std::is_same_v<T, std::vector<array>>)
        return arg(arrays(x));
    else if constexpr (std::is_constructible_v<operand, const T &>)
        return operand(x).arg();
    else
        return arg(x); // ints, arrays, dtype, generator, a choice
}

// The row, and how many results it has.
inline size_t find_named(const named &which, row &found)
{
    ps_op_info info = {};
    info.size = sizeof info;
    check(ps_op_find(which.name(), &found.op), which.at().id(), which.name());
    check(ps_op_get_info(found.op, &info), which.at().id(), which.name());
    return info.noutputs;
}

// One integer where the row takes several.
inline void make_lists(const row &found, ps_arg *args, size_t count, int64_t *room)
{
    ps_op_info info = {};
    info.size = sizeof info;
    ps_op_get_info(found.op, &info);
    for (size_t i = 0; i < count && i < info.nargs; i++)
        if (info.args[i].kind == PS_ARG_INTS && args[i].kind == PS_ARG_INT) {
            room[i] = args[i].as.integer;
            args[i] = ps_arg_ints(&room[i], 1);
        }
}

template <class... Args>
void call_named(row &found, location at, ps_tensor **results, size_t count, const Args &...args)
{
    ps_arg list[sizeof...(Args) + 1] = {call_arg(args)...};
    int64_t room[sizeof...(Args) + 1];
    make_lists(found, list, sizeof...(Args), room);
    queue_into(found, list, sizeof...(Args), at.id(), results, count);
}

} // namespace detail

// The result of a row that has one.
template <class... Args> array call(const named &which, const Args &...args)
{
    detail::row found{which.name()};
    size_t count = detail::find_named(which, found);
    if (count != 1)
        detail::raise_own(PS_ERROR_VALUE,
                          std::string(which.name()) + " has " + std::to_string(count) +
                              " results: use call_several",
                          which.name(), which.at().id());
    ps_tensor *result = nullptr;
    detail::call_named(found, which.at(), &result, 1, args...);
    return array::adopt(result);
}

// The results of a row with any number of them.
template <class... Args> std::vector<array> call_several(const named &which, const Args &...args)
{
    detail::row found{which.name()};
    std::vector<array> made(detail::find_named(which, found));
    std::vector<ps_tensor *> results(made.size(), nullptr);
    detail::call_named(found, which.at(), results.data(), results.size(), args...);
    for (size_t i = 0; i < made.size(); i++)
        made[i] = array::adopt(results[i]);
    return made;
}

// Writes the results into arrays that there are, which may be among the operands.
template <class... Args>
void call_into(const arrays &outputs, const named &which, const Args &...args)
{
    detail::row found{which.name()};
    size_t count = detail::find_named(which, found);
    if (count != outputs.size())
        detail::raise_own(PS_ERROR_VALUE,
                          std::string(which.name()) + " has " + std::to_string(count) +
                              " results, not " + std::to_string(outputs.size()),
                          which.name(), which.at().id());
    std::vector<ps_tensor *> results;
    for (const array &output : outputs)
        results.push_back(output.checked(which.at()));
    detail::call_named(found, which.at(), results.data(), count, args...);
}

namespace optim
{

// An update of many sets of arrays at once, in place: a vector has one array for each set, everything
// else is for all. What the row's output i gives replaces the arrays of its argument i.
//
//     ps::optim::update("momentum_update", weights, momenta, gradients, 0.1);
template <class... Args>
void update(const named &which, const std::vector<array> &first, const Args &...args)
{
    detail::row found{which.name()};
    detail::find_named(which, found);
    const ps_arg list[] = {detail::call_arg(first), detail::call_arg(args)...};
    for (const ps_arg &one : list)
        if (one.kind == PS_ARG_TENSORS && one.count != first.size())
            detail::raise_own(PS_ERROR_VALUE,
                              std::string(which.name()) + ": there are " +
                                  std::to_string(first.size()) + " and " +
                                  std::to_string(one.count) + " arrays",
                              which.name(), which.at().id());
    ps_update all = {};
    all.size = sizeof all;
    all.count = first.size();
    all.args = list;
    all.nargs = sizeof...(Args) + 1;
    all.location = which.at().id();
    if (ps_op_update(found.op, &all) != PS_OK)
        detail::raise_call(which.name(), found.op, list, all.nargs, which.at().id());
}

} // namespace optim
} // namespace penstock

#endif
