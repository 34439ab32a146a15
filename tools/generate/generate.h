/* Writes what is made from the table of operations, by asking the library what it has. Each output is
 * a file here and a line in main.c; all go to the standard output. */
#ifndef GENERATE_H
#define GENERATE_H

#include "penstock.h"

/* The row at a place of the table; ends the program if it cannot be told about. */
ps_op_info generate_info(size_t index);

void generate_header(void); /* header.c: include/penstock_ops.h */
void generate_docs(void);   /* docs.c: docs/operations.md */

/* cpp.c: frontends/cpp/include/penstock/methods.hpp and ops.hpp */
void generate_cpp_methods(void);
void generate_cpp_ops(void);
void generate_cpp_rows(void); /* cpp_rows.c: calls for a test, not committed */

#endif
