/* Snapshots in HDF5, which libhdf5 reads in a separate process. */
#include "tests/fuzz/target.h"
#include "tests/support/files/hdf5_maker.h"

#include "base/file.h"
#include "base/log.h"
#include "sim/formats/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BODIES = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct snapshot snapshot;
    const char *path = fuzz_file(data, size);
    log_set_level(LOG_ERROR);
    if (!*path)
        return 0;
    const enum status status = format_read(path, format_of_extension(".hdf5"), &snapshot);
    fuzz_promise(status == STATUS_OK || status == STATUS_USAGE || status == STATUS_IO,
                 "what cannot be read is the file's fault");
    fuzz_promise(status == STATUS_OK || (*status_text() && !strchr(status_text(), '\n')),
                 "it is said in one sentence");
    for (size_t i = 0; status == STATUS_OK && i < snapshot.bodies->count; i++)
        fuzz_promise(isfinite(snapshot.bodies->position[i][0]) && snapshot.bodies->mass[i] >= 0,
                     "what is read is finite");
    snapshot_free(&snapshot);
    return 0;
}

static void put_type(struct maker *maker, const struct maker_layout *layout,
                     const struct maker_layout *ids)
{
    const double numbers[3 * BODIES] = {1, 2, 3};
    const uint64_t whole[BODIES] = {1, 2, 3};
    maker_group(maker, "PartType2");
    maker_doubles(maker, "PartType2/Coordinates", BODIES, 3, numbers, layout);
    maker_doubles(maker, "PartType2/Velocities", BODIES, 3, numbers, layout);
    maker_doubles(maker, "PartType2/Masses", BODIES, 0, numbers, layout);
    maker_ids(maker, "PartType2/ParticleIDs", BODIES, whole, ids);
}

static void make_gadget(const char *path, const struct maker_layout *layout,
                        const struct maker_layout *ids)
{
    const uint64_t here[3] = {0, 0, BODIES}, files = 1;
    struct maker *maker = maker_open(path);
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, 3, 4);
    maker_wholes(maker, "Header", "NumFilesPerSnapshot", &files, 0, 4);
    maker_number(maker, "Header", "Time", 1);
    put_type(maker, layout, ids);
    maker_close(&maker);
}

static void make_amuse(const char *path)
{
    static const char *const names[] = {"mass", "x", "y", "z", "vx", "vy", "vz"};
    const struct maker_layout layout = {.type = MAKER_F64}, keys = {.type = MAKER_U64};
    const double numbers[BODIES] = {1, 2, 3};
    const uint64_t whole[BODIES] = {1, 2, 3};
    char name[64];
    struct maker *maker = maker_open(path);
    maker_group(maker, "data");
    maker_group(maker, "data/0000000001");
    maker_ids(maker, "data/0000000001/keys", BODIES, whole, &keys);
    maker_group(maker, "data/0000000001/attributes");
    for (size_t i = 0; i < 7; i++) {
        snprintf(name, sizeof name, "data/0000000001/attributes/%s", names[i]);
        maker_doubles(maker, name, BODIES, 0, numbers, &layout);
        maker_text(maker, name, "units", i == 0 ? "kg" : i < 4 ? "m" : "m * s**-1", true);
    }
    maker_close(&maker);
}

static void make_arrays(const char *path)
{
    const struct maker_layout layout = {.type = MAKER_F64}, wholes = {.type = MAKER_U64};
    const double numbers[3 * BODIES] = {1, 2, 3};
    const uint64_t whole[BODIES] = {1, 2, 3};
    struct maker *maker = maker_open(path);
    maker_doubles(maker, "pos", BODIES, 3, numbers, &layout);
    maker_doubles(maker, "vel", BODIES, 3, numbers, &layout);
    maker_doubles(maker, "mass", BODIES, 0, numbers, &layout);
    maker_doubles(maker, "heat", BODIES, 0, numbers, &layout);
    maker_doubles(maker, "time", 1, 0, numbers, &layout);
    maker_ids(maker, "id", BODIES, whole, &wholes);
    maker_ids(maker, "galaxy", BODIES, whole, &wholes);
    maker_close(&maker);
}

/* Its positions are in another file, which does not exist. */
static void make_pointer(const char *path)
{
    const uint64_t here[3] = {0, 0, BODIES};
    struct maker *maker = maker_open(path);
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, 3, 4);
    maker_group(maker, "PartType2");
    maker_virtual_table(maker, "PartType2/Coordinates", BODIES, "there.0.hdf5", "x");
    maker_close(&maker);
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const struct maker_layout layouts[][2] = {
        {{.type = MAKER_F64}, {.type = MAKER_U64}},
        {{.type = MAKER_F32, .big_endian = true}, {.type = MAKER_I32, .big_endian = true}},
        {{.type = MAKER_F64, .chunk = 7}, {.type = MAKER_U64, .chunk = 7}},
        {{.type = MAKER_F64, .chunk = 8, .gzip = true, .shuffle = true},
         {.type = MAKER_I64, .chunk = 8, .scale_offset = true, .fletcher = true}},
        {{.type = MAKER_F32, .compact = true}, {.type = MAKER_U32, .compact = true}},
        {{.type = MAKER_F22, .chunk = 8, .nbit = true},
         {.type = MAKER_U36, .chunk = 8, .nbit = true, .gzip = true}},
        {{.type = MAKER_F16}, {.type = MAKER_U36}},
    };
    enum { LAYOUTS = sizeof layouts / sizeof *layouts };
    char path[] = "/tmp/gravreel-seed-XXXXXX";
    const int file = mkstemp(path);
    fuzz_promise(file >= 0, "there is room for seeds");
    for (size_t i = 0; i <= LAYOUTS + 2; i++) {
        char *data;
        size_t size;
        if (i < LAYOUTS)
            make_gadget(path, &layouts[i][0], &layouts[i][1]);
        else if (i == LAYOUTS)
            make_amuse(path);
        else if (i == LAYOUTS + 1)
            make_arrays(path);
        else
            make_pointer(path);
        fuzz_promise(file_read(path, 1 << 20, &data, &size) == STATUS_OK, "seeds can be read");
        take(user, data, size);
        free(data);
    }
    close(file);
    unlink(path);
}
