/* Descriptions of work as such: see work.h. */
#include "backend/work.h"

#include <string.h>

#define CAN_FAIL PS__WORK_CAN_FAIL
#define FOREIGN PS__WORK_FOREIGN

const ps__work_info ps__work_infos[PS__WORK_KINDS] = {
#define WORK(kind, what, traits) [PS__WORK_##kind] = {what, traits},
#include "backend/work.def"
#undef WORK
};

/* FNV-1a, eight bytes at a time. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const char *at = bytes;
    for (; count != 0; at += 8) {
        uint64_t word = 0;
        size_t n = count < 8 ? count : 8;
        memcpy(&word, at, n);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
        count -= n;
    }
    return hash;
}

/* What it computes, and not where its values lie. */
static uint64_t mix_program(uint64_t hash, const ps__program *program)
{
    if (program == NULL)
        return hash;
    hash = mix(hash, program, offsetof(ps__program, tiles));
    hash = mix(hash, program->types, ps__program_value(program, program->instructions));
    hash = mix(hash, program->literal, program->literals * sizeof program->literal[0]);
    hash = mix(hash, program->instruction, program->instructions * sizeof program->instruction[0]);
    return mix(hash, program->store, program->stores * sizeof program->store[0]);
}

uint64_t ps__work_hash(const ps__work *work)
{
    const char *bytes = (const char *)work;
    const ps__program *program = NULL;
    size_t at = work->bytes; /* of the pointer to a program */
    if (work->kind == PS__WORK_MAP)
        at = offsetof(ps__work_map, program);
    else if (work->kind == PS__WORK_REDUCE)
        at = offsetof(ps__work_reduce, program);
    else if (work->kind == PS__WORK_UPDATE)
        at = offsetof(ps__work_update, program);
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), bytes, at);
    if (at == work->bytes)
        return hash;
    memcpy(&program, bytes + at, sizeof program);
    at += sizeof program;
    return mix(mix_program(hash, program), bytes + at, work->bytes - at);
}
