/* Threads that the system refuses to start. For tests only: a program that links this has its own
 * pthread_create, which usually calls the system's. */
#ifndef TESTS_SUPPORT_REFUSE_THREADS_H
#define TESTS_SUPPORT_REFUSE_THREADS_H

/* How many more threads the calling thread may start; after that the answer is EAGAIN. -1: any
 * number. */
extern _Thread_local int threads_left;

#endif
