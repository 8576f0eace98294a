#include "sim/ranks/device.h"

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

int device_count(void)
{
    return 0;
}
