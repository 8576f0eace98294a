#include "sim/ranks/rank_device.h"
#include "sim/ranks/stretch_device.h"

#include <string.h>

enum status device_open(struct device **out, int number, const struct solver_setup *setup,
                        const struct cpu_sources *sources)
{
    (void)setup;
    (void)sources;
    *out = NULL;
    return status_fail(STATUS_DEVICE, "there is no CUDA device %d: built without CUDA", number);
}

enum status device_accelerate(struct device *device, const struct cpu_sources *sources,
                              double (*out)[3])
{
    (void)device;
    (void)sources;
    (void)out;
    return STATUS_DEVICE;
}

const struct force *device_force(const struct device *device)
{
    (void)device;
    return NULL;
}

const char *device_name(const struct device *device)
{
    (void)device;
    return "";
}

void device_close(struct device **device)
{
    *device = NULL;
}

int device_of_rank(const struct solver_setup *setup)
{
    return strcmp(setup->backend, "cuda") == 0 ? setup->device : -1;
}

enum status stretch_device_open(struct stretch_device **out, int number, size_t total, bool mixed)
{
    (void)total;
    (void)mixed;
    *out = NULL;
    return status_fail(STATUS_DEVICE, "there is no CUDA device %d: built without CUDA", number);
}
