/* What the programs of this folder use of the library, but for the structs that may grow: those
 * come before, from older.h or newer.h. Written down here by itself, as a header of another version
 * would have it: penstock.h must not be seen. */
#ifndef ABI_CALLS_H
#define ABI_CALLS_H

ps_status ps_last_error_info(ps_error_info *info);
const char *ps_last_error(void);
uint32_t ps_abi_version(void);

ps_status ps_engine_create(const ps_engine_options *options, ps_engine **engine);
ps_status ps_engine_destroy(ps_engine *engine);
ps_status ps_engine_get_stats(ps_engine *engine, ps_engine_stats *stats);
ps_status ps_engine_bound(ps_engine *engine, ps_bound *bound);
ps_status ps_engine_set_bound(ps_engine *engine, const ps_bound *bound);

ps_status ps_var_create(ps_engine *engine, ps_var **var);
void ps_var_release(ps_var *var);
ps_status ps_push(ps_engine *engine, const ps_task_spec *spec);
ps_status ps_task_fail(ps_task *self, ps_status status, const char *format, ...);
ps_status ps_wait_read(ps_var *var, const ps_wait_options *options);
ps_status ps_thread_set_hooks(const ps_hooks *hooks);
ps_status ps_memory_get_stats(ps_memory_stats *stats);

ps_status ps_op_find(const char *name, const ps_op **op);
ps_status ps_op_call(const ps_op *op, const ps_call *call);
ps_status ps_op_get_info(const ps_op *op, ps_op_info *info);
ps_status ps_op_register(const ps_op_def *def, const ps_op **op);
ps_status ps_tensor_to_host(ps_tensor *tensor, void *elements, size_t bytes);
ps_status ps_tensor_format(ps_tensor *tensor, const ps_format_options *options, char *text,
                           size_t capacity, size_t *length);
void ps_tensor_release(ps_tensor *tensor);
ps_status ps_generator_create(uint64_t seed, ps_generator **generator);
void ps_generator_release(ps_generator *generator);
ps_status ps_generator_get_state(ps_generator *generator, ps_generator_state *state);
ps_status ps_generator_set_state(ps_generator *generator, const ps_generator_state *state);

#endif
