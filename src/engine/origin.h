/* Positions and axes in the texts of errors, as those count who read them: see ps_frontend. The
 * library itself counts from 0. */
#ifndef PS_ENGINE_ORIGIN_H
#define PS_ENGINE_ORIGIN_H

#include "penstock.h"

/* As the frontend of the calling thread states it: for what is refused at a call. */
int64_t ps__stated(int64_t position);

/* As the frontend states it that queued the task: for what fails while it runs. */
int64_t ps__task_stated(const ps_task *task, int64_t position);

#endif
