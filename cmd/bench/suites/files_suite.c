/* Writing files of bodies, and reading them from the page cache: a file of each format is written
 * into a temporary folder a few times, read a few times and removed. */
#include "cmd/bench/suites/suites.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/part.h"
#include "cmd/bench/bound.h"
#include "sim/formats/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FORMAT,
    BODIES,
    SIZE,
    TIME,
    RATE,
    BOUND,
    FRACTION,
    PROCESSOR,
    BEYOND,
    WRITTEN,
    WRITE_BOUND,
    COLUMNS
};

static const struct {
    const char *format;
    bool single, quick;
} cases[] = {
    {"hdf5", true, true}, {"hdf5", false, false}, {"tipsy", true, true}, {"gadget2", true, false},
    {"npy", true, false}, {"npz", true, false},   {"nemo", true, false},
};

/* Numbers from -0.5 to 0.5, in steps that a float32 represents exactly. */
static double number(uint64_t i)
{
    return (double)(splitmix64(i * SPLITMIX_STEP) >> 40) / (1 << 24) - 0.5;
}

static enum status make(struct snapshot *out, size_t count, bool single)
{
    *out = (struct snapshot){.time = 1, .time_known = true, .single = single};
    enum status status = bodies_create(&out->bodies, count, 1);
    if (status == STATUS_OK)
        status = bodies_add_ids(out->bodies, count);
    if (status != STATUS_OK)
        return status;
    snapshot_name_all(out);
    for (size_t i = 0; i < count; i++) {
        out->bodies->mass[i] = 1;
        out->bodies->id[i] = count - i;
        for (int k = 0; k < 3; k++) {
            out->bodies->position[i][k] = number(6 * i + (unsigned)k);
            out->bodies->velocity[i][k] = number(6 * i + 3 + (unsigned)k);
        }
    }
    return STATUS_OK;
}

/* Resets the record of peak memory, if the system supports it. */
static void forget_peak(void)
{
    const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)!write(file, "5", 1);
    close(file);
}

static double processor_seconds(void)
{
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

struct reading {
    const char *path;
    double processor, beyond; /* of the last call; beyond: memory besides the columns, in bytes */
};

static enum status sample_reading(void *user, unsigned calls, double *seconds)
{
    struct reading *reading = user;
    enum status status = STATUS_OK;
    *seconds = 0;
    for (unsigned k = 0; k < calls && status == STATUS_OK; k++) {
        struct snapshot snapshot;
        const double before = (double)machine_memory_now();
        forget_peak();
        const double used = processor_seconds(), since = clock_seconds();
        status = format_read_chosen(reading->path, NULL, &(struct column_choice){0}, &snapshot);
        *seconds += clock_seconds() - since;
        reading->processor = processor_seconds() - used;
        if (status == STATUS_OK)
            reading->beyond =
                (double)machine_peak_memory() - before -
                (double)snapshot.bodies->count * (snapshot.bodies->id ? 8 : 7) * sizeof(double);
        snapshot_free(&snapshot);
    }
    return status;
}

struct writing {
    const char *path;
    const struct format *format;
    struct snapshot snapshot;
};

static enum status sample_writing(void *user, unsigned calls, double *seconds)
{
    const struct writing *writing = user;
    enum status status = STATUS_OK;
    const double since = clock_seconds();
    for (unsigned k = 0; k < calls && status == STATUS_OK; k++)
        status = writing->format->write(writing->path, &writing->snapshot);
    *seconds = clock_seconds() - since;
    return status;
}

/* ---- plain bytes: the bound ---- */

struct plain {
    const char *path;
    size_t size;
    bool write;
};

/* Reads the file into a buffer that stays in the processor's cache, or writes over it from there.
 */
static enum status move_bytes(const struct plain *plain)
{
    static char buffer[1 << 18];
    const int file = plain->write
                         ? open(plain->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
                         : open(plain->path, O_RDONLY | O_CLOEXEC);
    size_t left = file < 0 ? 0 : plain->size;
    for (ssize_t moved = 1; left > 0 && moved > 0; left -= moved > 0 ? (size_t)moved : 0) {
        const size_t most = left < sizeof buffer ? left : sizeof buffer;
        moved = plain->write ? write(file, buffer, most) : read(file, buffer, most);
    }
    if (file < 0 || close(file) != 0 || left > 0)
        return status_fail(STATUS_IO, "cannot read or write '%s': %s", plain->path,
                           strerror(errno));
    return STATUS_OK;
}

/* Reading is timed by the processor, so that other programs do not lower the bound; writing may
 * wait for the file system. */
static enum status sample_plain(void *user, unsigned calls, double *seconds)
{
    const struct plain *plain = user;
    enum status status = STATUS_OK;
    const double used = processor_seconds(), since = clock_seconds();
    for (unsigned k = 0; k < calls && status == STATUS_OK; k++)
        status = move_bytes(plain);
    *seconds = plain->write ? clock_seconds() - since : processor_seconds() - used;
    return status;
}

/* MB/s; 0: unknown. */
static double plain_rate(const struct bench_options *options, struct plain plain)
{
    double seconds = 0;
    if (bench_median(options, sample_plain, &plain, &seconds) != STATUS_OK || !(seconds > 0))
        return 0;
    return 1e-6 * (double)plain.size / seconds;
}

/* ---- rows ---- */

static enum status time_writing(const struct bench_options *options, size_t which, size_t count,
                                const char *path, double *seconds)
{
    struct writing writing = {.path = path,
                              .format = choice_find(&body_format_registry, cases[which].format)};
    enum status status = make(&writing.snapshot, count, cases[which].single);
    if (status == STATUS_OK)
        status = bench_median(options, sample_writing, &writing, seconds);
    snapshot_free(&writing.snapshot);
    return status;
}

/* The median time of reading. The reader's remarks about these made-up bodies are of no use. */
static enum status time_reading(const struct bench_options *options, struct reading *reading,
                                double *seconds)
{
    const enum log_level level = log_get_level();
    if (level == LOG_INFO)
        log_set_level(LOG_WARNING);
    const enum status status = bench_median(options, sample_reading, reading, seconds);
    log_set_level(level);
    return status;
}

static void time_case(const struct bench_options *options, struct bench_table *table, size_t which,
                      size_t count, const char *path)
{
    struct reading reading = {.path = path};
    struct stat found = {.st_size = 0};
    double writing = 0, seconds = 0;
    bench_add_row(table);
    bench_text(table, FORMAT, "%s, float%d", cases[which].format, cases[which].single ? 32 : 64);
    bench_number(table, BODIES, (double)count);
    enum status status = time_writing(options, which, count, path, &writing);
    if (status == STATUS_OK && stat(path, &found) != 0)
        status = status_fail(STATUS_IO, "cannot examine '%s': %s", path, strerror(errno));
    if (status == STATUS_OK)
        status = time_reading(options, &reading, &seconds);
    bench_result(table, TIME, status, seconds);
    if (status == STATUS_OK) {
        const size_t size = (size_t)found.st_size;
        const double megabytes = 1e-6 * (double)size;
        bench_number(table, SIZE, megabytes);
        bench_number(table, RATE, megabytes / seconds);
        bench_bound_rate(table, BOUND, megabytes / seconds,
                         plain_rate(options, (struct plain){path, size, false}));
        bench_number(table, PROCESSOR, reading.processor);
        bench_number(table, BEYOND, 1e-6 * reading.beyond);
        bench_number(table, WRITTEN, megabytes / writing);
        const double most = plain_rate(options, (struct plain){path, size, true});
        if (most > 0)
            bench_number(table, WRITE_BOUND, most);
    }
    (void)unlink(path);
}

static enum status run_files(const struct bench_options *options, struct bench_report *report)
{
    static const struct bench_column columns[COLUMNS] = {
        {"format", "", 0, false, false},
        {"bodies", "", 0, false, false},
        {"file", "MB", 3, false, false},
        {"read in", "s", 3, false, false},
        {"rate", "MB/s", 3, false, true},
        {"bound", "MB/s", 3, false, false},
        {"of the bound", "%", 3, false, false},
        {"processors", "s", 3, false, false},
        {"beyond the bodies", "MB", 3, false, false},
        {"written", "MB/s", 3, false, false},
        {"write bound", "MB/s", 3, false, false},
    };
    struct temporary temporary;
    char path[320];
    const size_t count = options->count ? options->count : options->quick ? 200000 : 4000000;
    enum status status = temporary_open(&temporary);
    if (status != STATUS_OK)
        return status;
    struct bench_table *table = bench_add_table(report, "files", COLUMNS, columns,
                                                "files of bodies, read from memory and written");
    snprintf(path, sizeof path, "%s/bodies", temporary.folder);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        if (cases[c].quick || !options->quick)
            time_case(options, table, c, count, path);
    temporary_close(&temporary);
    bench_add_note(table,
                   "Positions, velocities, masses and ids, where the format has them, in one "
                   "component; written to a temporary folder and read as it is written.");
    bench_note_bound(table, NULL,
                     "plain bytes that one thread reads from the same file, by its processor time, "
                     "or writes over it; conversion and fresh memory "
                     "for the bodies are not counted.");
    return STATUS_OK;
}

const struct bench_suite suite_files = {
    .name = "files",
    .doc = "files of bodies, written and read from the page cache",
    .run = run_files,
};
