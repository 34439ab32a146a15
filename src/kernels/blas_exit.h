/* Around each call of the BLAS library, so that exit waits for those under way. */
#ifndef PS_KERNELS_BLAS_EXIT_H
#define PS_KERNELS_BLAS_EXIT_H

/* Once the process exits, `begin` does not return. */
void ps__blas_call_begin(void);
void ps__blas_call_end(void);

#endif
