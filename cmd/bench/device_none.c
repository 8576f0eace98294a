#include "cmd/bench/bed.h"

enum status bench_device_open(int ordinal, struct bench_device **out)
{
    (void)ordinal;
    *out = NULL;
    return status_fail(STATUS_DEVICE, "this program was built without CUDA; build it where nvcc is "
                                      "found, or use --backend cpu");
}

void bench_device_close(struct bench_device **device)
{
    *device = NULL;
}

/* Without a device none of the others is called. */
#define NEVER(function, ...)                                                                       \
    enum status function(struct bench_device *device, __VA_ARGS__)                                 \
    {                                                                                              \
        return bench_device_open(0, &device);                                                      \
    }
#define UNUSED __attribute__((unused))

NEVER(bench_device_rates, UNUSED const struct bench_options *options, UNUSED double *memory,
      UNUSED double *to_host)
NEVER(bench_device_facts, UNUSED struct bench_device_facts *facts)
NEVER(bench_device_alloc, UNUSED size_t bytes, UNUSED void **out)
NEVER(bench_device_upload, UNUSED void *to, UNUSED const void *from, UNUSED size_t bytes)
NEVER(bench_device_download, UNUSED void *to, UNUSED const void *from, UNUSED size_t bytes)
NEVER(bench_device_launch, UNUSED bench_launch launch, UNUSED void *user)
NEVER(bench_device_median, UNUSED const struct bench_options *options, UNUSED bench_launch launch,
      UNUSED void *user, UNUSED double *seconds)

void bench_device_clear(struct bench_device *device)
{
    (void)device;
}
