// Penstock in C++20: arrays whose operations are queued, and run while the program goes on.
//
//     #include <penstock.hpp>
//
//     auto x = ps::ones({2, 3});
//     auto y = ps::exp(x) * 2 - x(0);    // queued
//     std::cout << y << '\n';            // waits
//
// Header-only, over the C interface of penstock.h. docs/cpp.md is the guide. The parts:
//
//   location.hpp, error.hpp   lines of the program, exceptions
//   types.hpp                 element types, numbers, lists of integers, random generators
//   members.hpp, array.hpp    arrays, operands, how operations are called
//   literal.hpp               arrays from braces and ranges
//   index.hpp                 subscripts, views, selections
//   methods.hpp, ops.hpp      made from the table of operations: methods, functions, operators
//   read.hpp                  snapshots, text
//   call.hpp                  operations by name
//   engine.hpp                waiting for all, modes, workers, memory, traces
//   grad.hpp                  recording, gradients
//   push.hpp                  functions of the program as tasks, operations of its own
//   async.hpp                 coroutines, a loop that resumes them
//   future.hpp                x.future(); to be included by itself
#ifndef PENSTOCK_HPP
#define PENSTOCK_HPP

#include <penstock/array.hpp>
#include <penstock/async.hpp>
#include <penstock/call.hpp>
#include <penstock/engine.hpp>
#include <penstock/grad.hpp>
#include <penstock/index.hpp>
#include <penstock/literal.hpp>
#include <penstock/ops.hpp>
#include <penstock/push.hpp>
#include <penstock/read.hpp>

namespace ps = penstock;

#endif
