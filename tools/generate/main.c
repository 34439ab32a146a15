/* generate OUTPUT: `make generate` writes all files, and a test compares each. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*write)(void);
} outputs[] = {{"header", generate_header},
               {"docs", generate_docs},
               {"cpp-methods", generate_cpp_methods},
               {"cpp-ops", generate_cpp_ops},
               {"cpp-rows", generate_cpp_rows}};

ps_op_info generate_info(size_t index)
{
    ps_op_info info = {.size = sizeof info};
    if (ps_op_get_info(ps_op_at(index), &info) != PS_OK) {
        fprintf(stderr, "generate: %s\n", ps_last_error());
        exit(1);
    }
    return info;
}

int main(int argc, char **argv)
{
    if (ps_op_count() == 0 || argc != 2) {
        fprintf(stderr, argc != 2 ? "usage: generate OUTPUT\n" : "generate: no operations\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (strcmp(argv[1], outputs[i].name) == 0) {
            outputs[i].write();
            return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
        }
    fprintf(stderr, "generate: no output \"%s\"\n", argv[1]);
    return 2;
}
