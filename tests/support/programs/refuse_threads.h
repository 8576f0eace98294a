/* Threads that the system refuses to start. For tests only: a program that links this has its own
 * pthread_create, which usually calls the system's. */
#pragma once

/* How many more threads the calling thread may start; after that the answer is EAGAIN. -1: any
 * number. */
extern _Thread_local int threads_left;
