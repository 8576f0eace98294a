/* Reading files of bodies from the page cache: a file of each format is written into a temporary
 * folder, read a few times and removed. */
#include "cmd/bench/suites/suites.h"

#include "base/clock.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/part.h"
#include "cmd/bench/table.h"
#include "sim/formats/formats.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT, BODIES, SIZE, TIME, RATE, PROCESSOR, BEYOND, COLUMNS };

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

static enum status write_file(const char *path, const char *name, size_t count, bool single)
{
    const struct format *format = choice_find(&body_format_registry, name);
    struct snapshot snapshot;
    enum status status = make(&snapshot, count, single);
    if (status == STATUS_OK)
        status = format->write(path, &snapshot);
    snapshot_free(&snapshot);
    return status;
}

static void time_case(const struct bench_options *options, struct bench_table *table, size_t which,
                      size_t count, const char *path)
{
    const bool single = cases[which].single;
    struct reading reading = {.path = path};
    struct stat found = {.st_size = 0};
    double seconds = 0;
    bench_add_row(table);
    bench_text(table, FORMAT, "%s, float%d", cases[which].format, single ? 32 : 64);
    bench_number(table, BODIES, (double)count);
    enum status status = write_file(path, cases[which].format, count, single);
    if (status == STATUS_OK && stat(path, &found) == 0)
        bench_number(table, SIZE, 1e-6 * (double)found.st_size);
    if (status == STATUS_OK)
        status = bench_median(options, sample_reading, &reading, &seconds);
    bench_result(table, TIME, status, seconds);
    if (status == STATUS_OK) {
        bench_number(table, RATE, 1e-6 * (double)found.st_size / seconds);
        bench_number(table, PROCESSOR, reading.processor);
        bench_number(table, BEYOND, 1e-6 * reading.beyond);
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
        {"processors", "s", 3, false, false},
        {"beyond the bodies", "MB", 3, false, false},
    };
    struct temporary temporary;
    char path[320];
    const size_t count = options->count ? options->count : options->quick ? 200000 : 4000000;
    enum status status = temporary_open(&temporary);
    if (status != STATUS_OK)
        return status;
    struct bench_table *table =
        bench_add_table(report, "files", COLUMNS, columns, "files of bodies, read from memory");
    snprintf(path, sizeof path, "%s/bodies", temporary.folder);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        if (cases[c].quick || !options->quick)
            time_case(options, table, c, count, path);
    temporary_close(&temporary);
    bench_add_note(table,
                   "Positions, velocities, masses and ids, where the format has them, in one "
                   "component; written to a temporary folder and read as it is written.");
    return STATUS_OK;
}

const struct bench_suite suite_files = {
    .name = "files",
    .doc = "files of bodies, read from the page cache",
    .run = run_files,
};
