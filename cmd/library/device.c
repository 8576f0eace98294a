/* Names, attributes, memory types and errors are those of the CUDA Driver API. */
#include "cmd/library/device.h"

#include "cmd/library/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CONTEXT = 1, MEMORY_TYPE = 2, IS_MANAGED = 8, DEVICE_ORDINAL = 9 };
enum { MEMORY_DEVICE = 2, MEMORY_UNIFIED = 4 };
enum { INVALID_VALUE = 1, NOT_INITIALIZED = 3, DEINITIALIZED = 4 };
enum { PORTABLE = 1 };

/* In the order of struct driver. */
static const char *const names[] = {"cuPointerGetAttributes",   "cuCtxPushCurrent_v2",
                                    "cuCtxPopCurrent_v2",       "cuCtxSynchronize",
                                    "cuMemcpyDtoH_v2",          "cuMemHostRegister_v2",
                                    "cuMemHostUnregister",      "cuDeviceGet",
                                    "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2",
                                    "cuGetErrorString"};
enum { FUNCTIONS = sizeof names / sizeof *names };
_Static_assert(sizeof(struct driver) == FUNCTIONS * sizeof(void *), "a name for each function");

/* Whether the program has loaded the driver. It is asked again for each array until it has. */
static bool find_driver(struct device *device)
{
    void *found[FUNCTIONS];
    bool whole = true;
    if (device->library)
        return true;
    device->library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    for (size_t i = 0; device->library && i < FUNCTIONS; i++) {
        found[i] = dlsym(device->library, names[i]);
        whole = whole && found[i];
    }
    if (device->library && whole)
        memcpy(&device->driver, found, sizeof found);
    else
        device_close(device); /* a driver without these functions is older than 2015 */
    return device->library;
}

static int refuse(const struct device *device, int error)
{
    const char *text = NULL;
    if (device->driver.describe(error, &text) != 0 || !text)
        text = "an unknown error";
    return program_fail(FAILED,
                        "cannot copy the array %s from the memory of a GPU: CUDA error %d, %s",
                        device->name, error, text);
}

/* Whether a byte can be read. Addresses of devices cannot, once their memory is freed. */
static bool is_readable(const char *byte)
{
    char copy;
    const struct iovec to = {&copy, 1}, from = {(void *)(uintptr_t)byte, 1};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1 || errno != EFAULT;
}

static int check_host(const char *name, const char *data, size_t size)
{
    return is_readable(data) && is_readable(data + size - 1)
               ? 0
               : program_fail(FAILED,
                              "the array %s is neither in host memory nor in memory that CUDA "
                              "knows; hand it over before it is freed",
                              name);
}

/* Makes the context of the array current; memory of a pool belongs to none, and is read in the
 * primary context of its device. */
static int enter_context(struct device *device, void *context, int ordinal)
{
    int error = 0;
    if (!context) {
        error = device->driver.get_device(&device->handle, ordinal);
        if (error == 0)
            error = device->driver.retain(&context, device->handle);
        device->retained = error == 0;
    }
    if (error == 0)
        error = device->driver.push(context);
    if (error == 0)
        device->context = context;
    return error;
}

int device_enter(struct device *device, const char *name, const void *data, size_t size)
{
    static const int attributes[] = {CONTEXT, MEMORY_TYPE, IS_MANAGED, DEVICE_ORDINAL};
    void *context = NULL;
    unsigned type = 0, managed = 0;
    int ordinal = 0;
    void *values[] = {&context, &type, &managed, &ordinal};
    device->name = name;
    if (size == 0 || !find_driver(device))
        return 0;
    int error = device->driver.get_attributes(4, attributes, values, (uintptr_t)data);
    if (error == INVALID_VALUE || error == NOT_INITIALIZED || error == DEINITIALIZED)
        type = managed = error = 0; /* CUDA does not know the pointer */
    if (error == 0 && type != MEMORY_DEVICE && type != MEMORY_UNIFIED && !managed)
        return check_host(name, data, size);
    if (error == 0)
        error = enter_context(device, context, ordinal);
    if (error == 0)
        error = device->driver.synchronize();
    return error == 0 ? 0 : refuse(device, error);
}

void device_leave(struct device *device)
{
    void *popped;
    if (device->context)
        device->driver.pop(&popped);
    if (device->retained)
        device->driver.release(device->handle);
    device->context = NULL;
    device->retained = false;
}

int device_copy(struct device *device, void *to, const void *from, size_t size)
{
    const int error = device->driver.copy_to_host(to, (uintptr_t)from, size);
    return error == 0 ? 0 : refuse(device, error);
}

void device_pin(struct device *device, void *data, size_t size)
{
    device->driver.pin(data, size, PORTABLE);
}

void device_unpin(struct device *device, void *data)
{
    static const int attributes[] = {CONTEXT};
    void *context = NULL, *values[] = {&context};
    if (device->driver.get_attributes(1, attributes, values, (uintptr_t)data) != 0 || !context ||
        enter_context(device, context, 0) != 0)
        return; /* it was not pinned, or the program has ended its use of the device */
    device->driver.unpin(data);
    device_leave(device);
}

void device_close(struct device *device)
{
    if (device->library)
        dlclose(device->library);
    device->library = NULL;
}
