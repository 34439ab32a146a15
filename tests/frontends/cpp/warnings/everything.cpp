// Everything of the headers that is a template, instantiated: compiled by both compilers with all
// warnings, and not run.
#include <penstock.hpp>
#include <penstock/future.hpp>

#include <chrono>
#include <complex>
#include <list>
#include <ostream>

template class ps::snapshot<float>;
template class ps::snapshot<bool>;
template class ps::snapshot<std::complex<double>>;
template class ps::snapshot<ps::half_bits>;
template class ps::task<>;
template class ps::task<int>;
template class ps::task<ps::array>;
template struct penstock::members<ps::array, ps::array>;
template struct penstock::methods<ps::array>;
template struct penstock::methods<ps::selection>;

template <class T> void use_elements(const ps::array &x)
{
    std::vector<T> vector(2);
    std::array<T, 2> fixed = {};
    T plain[2] = {};
    std::list<T> list(2);
    for (const ps::array &one :
         {ps::array(vector), ps::array(vector, {1, 2}), ps::array(fixed), ps::array(plain),
          ps::array(list), ps::array(std::span<const T, 2>(fixed))}) {
        one.item<T>();
        one.to_vector<T>();
        std::span<const T> span = one.read<T>().span();
        static_cast<void>(span);
    }
    ps::push({x}, {x}, [](auto reads, auto writes) {
        reads[0].template span<const T>();
        reads[0].template at<const T>(0, 1);
        writes[0].template span<T>();
        writes[0].template at<T>(0) = T();
    });
}

template <class T> void use_numbers(const ps::array &x, T number)
{
    ps::array{number, number};
    ps::array({number}, ps::float64);
    ps::array y = x + number;
    y = number - x;
    y = x == number;
    y *= number;
    y(0) = number;
    y(x) += number;
    y() = {number};
    y.clip({.min = number});
    ps::call("full", ps::ints{1}, number);
    ps::where(x, number, x);
}

template <class T> void use_integers(const ps::array &x, T integer)
{
    ps::ones(integer);
    ps::ones({integer, 2});
    ps::ones(std::vector<T>{integer});
    ps::ones(std::array<T, 1>{integer});
    x.sum({.axis = integer});
    x.sum({.axis = {integer, 0}});
    x.shape(integer);
    x(integer);
    x[integer];
    x(ps::slice(integer, integer, integer));
    x(integer, 0, ps::newaxis, ps::ellipsis, ps::newaxis, ps::newaxis);
    x(integer, 0, ps::newaxis, ps::ellipsis, ps::newaxis, ps::newaxis, ps::newaxis, ps::newaxis);
#if defined(__cpp_multidimensional_subscript)
    x[integer, ps::slice(), x];
#endif
}

template <class Place> void use_subscripts(const ps::array &x, const Place &place)
{
    x(place);
    x(place, x);
    x(place, place, place);
    x(place, place, place, place);
    x(place, place, place, place, place);
    x(place, place, place, place, place, place);
    x(place, place, place, place, place, place, place);
    x[place];
    x(place) = 1;
    x(place) += x;
    x(place) = {1, 2};
    x(place)(place).sum();
}

template <class Executor> ps::task<int> use_coroutines(Executor &executor, ps::array x)
{
    ps::array y = co_await x;
    y = co_await (x + 1);
    y = co_await ps::on(executor, y);
    co_return static_cast<int>(y.ndim());
}

ps::task<> use_tasks(ps::loop &loop, ps::array x)
{
    auto inline_executor = [](std::coroutine_handle<> handle) { handle.resume(); };
    co_await use_coroutines(loop, x);
    co_await use_coroutines(inline_executor, x);
}

void use_operations(ps::array &x, std::ostream &stream)
{
    ps::register_op("everything", "x", "x", {.doc = "A test."});
    ps::register_op(
        "everything_else", "x",
        [](auto, auto) {
            return ps::result_form{ps::float32, {}};
        },
        [](auto, auto, ps::block) {});
    ps::call("sum", x, ps::none, true);
    ps::call(std::string("cast"), x, ps::int32);
    ps::call_several("lstm_gates", x, x);
    ps::call_into({x}, "add", x, 1.5f);
    ps::optim::update("sgd_update", std::vector<ps::array>{x}, std::vector<ps::array>{x}, 0.5);
    ps::backward({x}, {.retain = true});
    ps::grad({x}, {x});
    x.wait_for(std::chrono::milliseconds(1));
    ps::wait_all_for(std::chrono::duration<double>(0.5));
    x.future().get();
    stream << x << x(x);
}

void use_everything(ps::array &x, std::ostream &stream)
{
    use_elements<bool>(x), use_elements<int8_t>(x), use_elements<uint64_t>(x);
    use_elements<float>(x), use_elements<std::complex<float>>(x), use_elements<ps::bfloat_bits>(x);
    use_numbers(x, true), use_numbers(x, 'c'), use_numbers(x, 1), use_numbers(x, 1ul);
    use_numbers(x, 1.5f), use_numbers(x, 1.5L), use_numbers(x, std::complex<float>(1, 2));
    use_integers(x, 1), use_integers(x, 1u), use_integers(x, short(1)), use_integers(x, size_t(1));
    use_integers(x, 1ll);
    use_subscripts(x, 0), use_subscripts(x, ps::slice(1)), use_subscripts(x, x);
    use_subscripts(x, x(0)), use_subscripts(x, x(x)), use_subscripts(x, ps::ellipsis);
    use_operations(x, stream);
    ps::loop loop;
    loop.run(use_tasks(loop, x));
}
