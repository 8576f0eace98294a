#include "cmd/bench/time.h"

#include "base/clock.h"
#include "base/sort.h"

enum { SAMPLES_MAX = 15, CALLS_MAX = 2000, LONG = 20 };

static double median(double *values, int count)
{
    sort_doubles(values, (size_t)count);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

enum status bench_median(const struct bench_options *options, bench_sample sample, void *user,
                         double *seconds)
{
    const double target = options->quick ? 2e-3 : 20e-3, enough = options->quick ? 0.02 : 0.3;
    const int least = options->quick ? 3 : 5;
    double values[SAMPLES_MAX], first = 0, spent = 0;
    int count = 0;
    *seconds = 0;
    enum status status = sample(user, 1, &first);
    /* The first call may include start-up costs; the second determines how many calls make a
     * sample. */
    if (status == STATUS_OK && first < target)
        status = sample(user, 1, &first);
    if (status == STATUS_OK && first >= LONG * target)
        values[count++] = spent = first; /* long enough that start-up costs do not matter */
    double calls = first > 0 ? target / first : CALLS_MAX;
    unsigned batch = calls < 1 ? 1 : calls > CALLS_MAX ? CALLS_MAX : (unsigned)calls;
    while (status == STATUS_OK && count < SAMPLES_MAX && (count < least || spent < enough)) {
        double took = 0;
        status = sample(user, batch, &took);
        values[count++] = took / batch;
        spent += took;
    }
    if (status == STATUS_OK)
        *seconds = median(values, count);
    return status;
}

struct cpu_work {
    void (*work)(void *user);
    void *user;
};

static enum status sample_cpu(void *user, unsigned calls, double *seconds)
{
    const struct cpu_work *cpu = user;
    double start = clock_seconds();
    for (unsigned k = 0; k < calls; k++)
        cpu->work(cpu->user);
    *seconds = clock_seconds() - start;
    return STATUS_OK;
}

enum status bench_median_cpu(const struct bench_options *options, void (*work)(void *user),
                             void *user, double *seconds)
{
    struct cpu_work cpu = {work, user};
    return bench_median(options, sample_cpu, &cpu, seconds);
}
