/* The reader of one format of bodies, FORMAT, for any bytes. Seeds are small files by the format's
 * own writer and, if the real data are beside the project, the beginnings of real files. */
#include "tests/fuzz/target.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/formats/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_finite(const struct bodies *bodies, size_t i)
{
    bool finite = isfinite(bodies->mass[i]) && bodies->mass[i] >= 0;
    for (int k = 0; k < 3; k++)
        finite = finite && isfinite(bodies->position[i][k]) && isfinite(bodies->velocity[i][k]);
    return finite;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct snapshot snapshot, units;
    const struct format *format = choice_find(&body_format_registry, FORMAT);
    const char *path = fuzz_file(data, size);
    log_set_level(LOG_ERROR);
    if (!*path)
        return 0;
    if (format_read_units(path, format, &units) == STATUS_OK)
        fuzz_promise(!units.bodies, "units are read without bodies");
    snapshot_free(&units);
    if (format_read(path, format, &snapshot) == STATUS_OK) {
        snapshot_sort(&snapshot);
        size_t next = 0;
        for (size_t i = 0; i < snapshot.bodies->count; i++)
            fuzz_promise(is_finite(snapshot.bodies, i), "what is read is finite");
        for (size_t c = 0; c < snapshot.bodies->component_count; c++) {
            fuzz_promise(snapshot.bodies->components[c].first == next, "components follow");
            next += snapshot.bodies->components[c].count;
        }
        fuzz_promise(next == snapshot.bodies->count && next > 0, "components hold all bodies");
        for (size_t c = 0; c < snapshot.bodies->columns.count; c++) {
            const struct body_column *column = &snapshot.bodies->columns.list[c];
            fuzz_promise(*column->name && column->value, "columns have names and numbers");
            (void)body_column_range(column, snapshot.bodies->count); /* reads them all */
        }
    } else
        fuzz_promise(status_text()[0] && !snapshot.bodies, "a failure has a sentence");
    snapshot_free(&snapshot);
    if (format_read_chosen(path, format, &(struct column_choice){.kernel = true}, &snapshot) ==
        STATUS_OK) {
        const struct body_columns *columns = &snapshot.bodies->columns;
        const struct body_column *kernel = body_columns_find(columns, BODY_KERNEL);
        fuzz_promise(columns->count == (kernel != NULL), "nothing is read beside kernels");
        for (size_t i = 0; kernel && i < snapshot.bodies->count; i++)
            fuzz_promise(isnan(kernel->value[i]) ||
                             (kernel->value[i] > 0 && isfinite(kernel->value[i])),
                         "a kernel has a radius");
    }
    snapshot_free(&snapshot);
    return 0;
}

/* Additional columns, one of which only some bodies have. */
static void add_columns(struct bodies *bodies)
{
    static const char *const names[] = {"rho", "age", "hsml"};
    for (int c = 0; c < 3; c++) {
        if (body_columns_add(&bodies->columns, names[c], c == 1 ? "Gyr" : "", c, bodies->count) !=
            STATUS_OK)
            memory_exhausted();
        for (size_t i = 0; i < bodies->count; i++)
            bodies->columns.list[c].value[i] = c && i % 2 ? NAN : 0.25 * (double)i;
    }
}

/* Bodies in two components. */
static struct snapshot make(size_t count, bool single, bool ids)
{
    struct snapshot out = {.time = 1.5, .time_known = true, .single = single};
    if (bodies_create(&out.bodies, count, 2) != STATUS_OK ||
        (ids && bodies_add_ids(out.bodies, count) != STATUS_OK))
        memory_exhausted();
    struct component *parts = out.bodies->components;
    parts[0] = (struct component){.name = "halo", .count = count / 2, .light = 1};
    parts[1] = (struct component){
        .name = "stars", .first = count / 2, .count = count - count / 2, .light = 1};
    for (size_t i = 0; i < count; i++) {
        out.bodies->mass[i] = (double)(1 + i % 3);
        for (size_t k = 0; ids && k == 0; k++)
            out.bodies->id[i] = 1 + count - i;
        for (int k = 0; k < 3; k++) {
            out.bodies->position[i][k] = (double)i - k;
            out.bodies->velocity[i][k] = 0.5 * k;
        }
    }
    return out;
}

static void take_file(fuzz_take take, void *user, const char *path, size_t limit)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    char *data = memory_new(limit, 1);
    const size_t size = fread(data, 1, limit, file);
    fclose(file);
    take(user, data, size);
    free(data);
}

static void take_real(fuzz_take take, void *user)
{
    static const char *const names[] = {"tipsy/galaxy_20K.bin",
                                        "tipsy/king_soft.bin",
                                        "gadget2/galaxy_littleendian.dat",
                                        "gadget2/galaxy_bigendian.dat",
                                        "gadget_hdf5/snapshot_000.hdf5",
                                        "smalln/figure8.mpv",
                                        "smalln/input16"};
    const char *folder = getenv("GRAVREEL_TEST_DATA"), *source = getenv("GRAVREEL_TEST_SOURCE");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4096];
        const struct format *found;
        if (folder)
            snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        else
            snprintf(path, sizeof path, "%s/../shared/data/%s", source ? source : ".", names[i]);
        if (access(path, R_OK) == 0 && format_of_file(path, NULL, &found) == STATUS_OK &&
            strcmp(found->name, FORMAT) == 0)
            take_file(take, user, path, 4000);
    }
}

void fuzz_seeds(fuzz_take take, void *user)
{
    const struct format *format = choice_find(&body_format_registry, FORMAT);
    char path[] = "/tmp/gravreel-fuzz-XXXXXX";
    const int file = mkstemp(path);
    for (int n = 0; n < 4 && file >= 0; n++) {
        struct snapshot snapshot = make(n < 2 ? 3 : 40, n & 1, n != 2);
        if (n > 0)
            add_columns(snapshot.bodies);
        if (format->write(path, &snapshot) == STATUS_OK)
            take_file(take, user, path, 1 << 16);
        snapshot_free(&snapshot);
    }
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    take_real(take, user);
}
