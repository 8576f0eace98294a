#include "cmd/bench/device.h"

static enum status none(void)
{
    return status_fail(STATUS_DEVICE, "this program was built without CUDA; build it where nvcc is "
                                      "found, or use --backend cpu");
}

enum status bench_device_open(int ordinal, struct bench_device **out)
{
    (void)ordinal;
    *out = NULL;
    return none();
}

void bench_device_close(struct bench_device **device)
{
    *device = NULL;
}

enum status bench_device_facts(struct bench_device *device, struct bench_device_facts *facts)
{
    (void)device;
    *facts = (struct bench_device_facts){0};
    return none();
}

enum status bench_device_alloc(struct bench_device *device, size_t bytes, void **out)
{
    (void)device, (void)bytes;
    *out = NULL;
    return none();
}

void bench_device_clear(struct bench_device *device)
{
    (void)device;
}

enum status bench_device_upload(struct bench_device *device, void *to, const void *from,
                                size_t bytes)
{
    (void)device, (void)to, (void)from, (void)bytes;
    return none();
}

enum status bench_device_download(struct bench_device *device, void *to, const void *from,
                                  size_t bytes)
{
    (void)device, (void)to, (void)from, (void)bytes;
    return none();
}

enum status bench_device_launch(struct bench_device *device, bench_launch launch, void *user,
                                unsigned turn)
{
    (void)device, (void)launch, (void)user, (void)turn;
    return none();
}

enum status bench_device_median(struct bench_device *device, const struct bench_options *options,
                                bench_launch launch, void *user, double *seconds)
{
    (void)device, (void)options, (void)launch, (void)user;
    *seconds = 0;
    return none();
}
