/* What the files of batch norm share. */
#ifndef PS_BACKEND_CPU_BATCH_NORM_H
#define PS_BACKEND_CPU_BATCH_NORM_H

#include "backend/cpu/cpu.h"

/* Operands of the way back, behind its outputs. */
enum { PS__NORM_X = 3, PS__NORM_FLOW, PS__NORM_MEAN, PS__NORM_VAR };

/* batch_norm_columns.c: work that has blocks. */
ps_status ps__batch_norm_columns(const ps__lane *lane, const ps__work_batch_norm *work,
                                 const ps__operand *operands);
ps_status ps__batch_norm_columns_back(const ps__lane *lane, const ps__work_batch_norm *work,
                                      const ps__operand *operands);

#endif
