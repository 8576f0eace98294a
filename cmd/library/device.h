/* Arrays in the memory of CUDA devices, copied by the driver that the program has loaded itself:
 * nothing of CUDA is linked, and nothing is loaded here. Only for the library's own files. A struct
 * device begins as zeros and is used by one thread at a time. Functions that return int return 0,
 * or leave a sentence. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device {
    void *library; /* libcuda.so.1; NULL: the program has not loaded it */
    struct driver {
        int (*get_attributes)(unsigned count, const int *attributes, void **values, uintptr_t at);
        int (*push)(void *context);
        int (*pop)(void **context);
        int (*synchronize)(void);
        int (*copy_to_host)(void *to, uintptr_t from, size_t size);
        int (*pin)(void *data, size_t size, unsigned flags);
        int (*unpin)(void *data);
        int (*get_device)(int *handle, int number);
        int (*retain)(void **context, int handle);
        int (*release)(int handle);
        int (*describe)(int error, const char **text);
    } driver;
    void *context; /* of the array that is being copied; NULL: it is in host memory */
    int handle;    /* of its device, if the context is the primary one, retained here */
    bool retained;
    const char *name; /* of the array, for sentences */
};

/* Finds where the array at `data`, of `size` bytes, is. If it is in the memory of a device, or in
 * managed memory: makes its context current and waits for everything that has been queued there.
 * device_leave ends it, also after a failure. */
int device_enter(struct device *device, const char *name, const void *data, size_t size);
void device_leave(struct device *device);

/* Copies from the array's memory to the host's, between device_enter and device_leave, if the array
 * has a context. */
int device_copy(struct device *device, void *to, const void *from, size_t size);

/* Pins host memory, so that copies from the device run at the full speed of the bus, until
 * device_unpin; it is no error if that fails. Between device_enter and device_leave, likewise. */
void device_pin(struct device *device, void *data, size_t size);
void device_unpin(struct device *device, void *data);

void device_close(struct device *device);
