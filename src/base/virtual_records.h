/* Which core pushed the task of a record, and which touched the record last: for virtual time. */
#ifndef PS_BASE_VIRTUAL_RECORDS_H
#define PS_BASE_VIRTUAL_RECORDS_H

#include <stdint.h>

typedef struct ps__virtual_record {
    uintptr_t key;   /* its address; 0: none */
    uint32_t pusher; /* cores, from 1 on; 0: nobody */
    uint32_t last;
} ps__virtual_record;

/* By whoever has the baton. The entry of that address, made at first use; until the next find. */
ps__virtual_record *ps__virtual_record_find(const void *record);
void ps__virtual_records_clear(void);

#endif
