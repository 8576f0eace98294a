/* Stands in for CUDA's runtime where a test has no GPU: device memory is host memory, GL's objects
 * are mapped by reading and writing them through GL, and a copy to the host happens only when it is
 * waited for. Misuse that a GPU would punish by chance ends the program. For tests only; one
 * thread. */
#ifndef TESTS_SUPPORT_FAKE_CUDA_H
#define TESTS_SUPPORT_FAKE_CUDA_H

int fake_cuda_maps(void);   /* calls of cudaGraphicsMapResources since last asked */
int fake_cuda_mapped(void); /* objects that are mapped now */
int fake_cuda_alive(void);  /* streams, events, memory and objects not given back */

#endif
