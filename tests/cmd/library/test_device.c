/* Arrays in the memory of CUDA devices: the stream of a film has the bytes that the same arrays
 * give in host memory. The driver is a stand-in (cuda.h); on a GPU, library.cu does the same. */
#include "tests/support/test.h"

#include "cmd/library/gravreel.h"
#include "tests/cmd/library/cuda.h"
#include "tests/support/files/folder.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

enum { N = 5000, NUMBERS = 8 * N };

static struct stand_in *cuda; /* NULL: not loaded yet */
static double doubles[NUMBERS];
static float floats[NUMBERS];

static int set_up(void **state)
{
    for (int i = 0; i < NUMBERS; i++)
        doubles[i] = floats[i] = (float)(1 + 1e-4 * i);
    return folder_set_up(state);
}

/* Loads the stand-in, as a program loads the driver, or clears what it has counted. */
static void load(void)
{
    if (!cuda) {
        void *library = dlopen(CUDA_STAND_IN, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            fail_msg("%s", dlerror());
        cuda = dlsym(library, "stand_in");
    }
    memset(cuda->fails, 0, sizeof cuda->fails);
    cuda->pushed = cuda->synchronized = cuda->copies = 0;
    cuda->most = 0;
}

/* Memory of device `number` with these bytes in it, of which the last are still to be written there
 * by work that is queued. */
static char *on_device(const void *data, size_t size, enum where where, int number)
{
    char *at = cuda->allocate(size, where, number);
    if (where == HOST_PINNED)
        memcpy(at, data, size);
    else
        cuda->queue(at, data, size);
    return at;
}

static struct gravreel_film *open_stream(void)
{
    struct gravreel_film *film = gravreel_open_stream(folder_path("stream"));
    assert_non_null(film);
    return film;
}

/* The bytes of a stream of one frame, without the first line, which has the time. The caller frees
 * them. */
static char *stream_of(const struct gravreel_array *arrays, size_t count, size_t bodies,
                       size_t *size)
{
    struct gravreel_film *film = open_stream();
    if (gravreel_frame(film, 0.5, bodies, arrays, count) != 0 || gravreel_close(film) != 0)
        fail_msg("%s", gravreel_error());
    FILE *file = fopen(folder_path("stream"), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    for (int c = 0; c != '\n' && c != EOF; --*size)
        c = getc(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void assert_same(const struct gravreel_array *one, const struct gravreel_array *other,
                        size_t count, size_t bodies)
{
    size_t size[2];
    char *host = stream_of(one, count, bodies, &size[0]);
    char *device = stream_of(other, count, bodies, &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(host, device, size[0]);
    free(host);
    free(device);
}

TEST(without_cuda_nothing_is_loaded)
{
    size_t size;
    const struct gravreel_array pos = {.name = "pos", .type = GRAVREEL_F8, .data = doubles};
    char *bytes = stream_of(&pos, 1, N, &size);
    assert_memory_equal(bytes + size - 24 * N, doubles, 24 * N);
    free(bytes);
    assert_null(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD));
}

/* Ways in which the numbers of bodies lie in memory; offsets and stride in numbers. */
static const struct {
    const char *what, *name;
    int y, z, stride; /* 0: NULL, no gap */
    int first;
} layouts[] = {
    {"masses", "mass", 0, 0, 0, 0},
    {"one after the other", "pos", 0, 0, 0, 0},
    {"a fourth number of each", "pos", 0, 0, 4, 0},
    {"masses with gaps", "mass", 0, 0, 4, 3},
    {"backwards", "pos", 0, 0, -3, 3 * (N - 1)},
    {"x, y and z apart", "vel", N, 2 * N, 0, 0},
    {"x, y and z apart, with gaps, backwards", "vel", 2 * N, 4 * N, -2, 2 * (N - 1)},
};

TEST(the_same_bytes_as_from_host_memory)
{
    load();
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (int where = OF_DEVICE; where <= HOST_PINNED; where++)
            for (int wide = 0; wide < 2; wide++) {
                const char *host = wide ? (const char *)doubles : (const char *)floats;
                const size_t each = wide ? 8 : 4;
                const char *there = on_device(host, NUMBERS * each, (enum where)where, wide);
                struct gravreel_array arrays[2];
                for (int a = 0; a < 2; a++) {
                    const char *at = (a == 0 ? host : there) + (size_t)layouts[l].first * each;
                    arrays[a] = (struct gravreel_array){
                        .name = layouts[l].name,
                        .type = wide ? GRAVREEL_F8 : GRAVREEL_F4,
                        .data = at,
                        .y = layouts[l].y ? at + (size_t)layouts[l].y * each : NULL,
                        .z = layouts[l].z ? at + (size_t)layouts[l].z * each : NULL,
                        .stride = layouts[l].stride * (ptrdiff_t)each};
                }
                load();
                assert_same(&arrays[0], &arrays[1], 1, N);
                assert_false(cuda->wrong);
                assert_int_equal(cuda->copies > 0, where != HOST_PINNED);
                assert_int_equal(cuda->synchronized > 0, where != HOST_PINNED);
                assert_int_equal(cuda->pinned, 0); /* unpinned in the end */
                assert_int_equal(cuda->retained, 0);
            }
}

/* Each array is asked for: one frame may have arrays of both devices and of the host. */
TEST(arrays_of_several_devices_and_the_host)
{
    load();
    struct gravreel_array host[] = {
        {.name = "pos", .type = GRAVREEL_F4, .data = floats},
        {.name = "vel", .type = GRAVREEL_F8, .data = doubles, .stride = 32},
        {.name = "mass", .type = GRAVREEL_F8, .data = doubles + 7},
    };
    struct gravreel_array there[3];
    memcpy(there, host, sizeof host);
    there[0].data = on_device(floats, sizeof floats, OF_DEVICE, 0);
    there[1].data = on_device(doubles, sizeof doubles, OF_POOL, 1);
    assert_same(host, there, 3, N);
    assert_same(host, there, 3, 0); /* no bodies at all */
    assert_false(cuda->wrong);
}

/* Gaps are copied with the numbers, in pieces of at most a part of the buffer, or without if they
 * are larger than that. */
TEST(wide_gaps)
{
    enum { ROWS = 20 };
    for (size_t gap = 1 << 18; gap <= 5 << 20; gap = gap == 1 << 18 ? 5 << 20 : gap + 1) {
        load();
        char *host = calloc(ROWS, gap);
        for (size_t i = 0; i < ROWS; i++)
            memcpy(host + i * gap, &doubles[3 * i], 24);
        const struct gravreel_array pos = {
            .name = "pos", .type = GRAVREEL_F8, .data = host, .stride = (ptrdiff_t)gap};
        struct gravreel_array there = pos;
        there.data = on_device(host, ROWS * gap, OF_DEVICE, 0);
        assert_same(&pos, &there, 1, ROWS);
        assert_int_equal(cuda->copies, gap == 1 << 18 ? 2 : ROWS);
        assert_true(cuda->most <= 1 << 22);
        assert_false(cuda->wrong);
        free(host);
    }
}

/* A frame that is larger than all of the buffer, in bodies that lie across its parts. */
TEST(more_than_the_buffer)
{
    enum { MANY = 5600000 };
    load();
    size_t size;
    double *host = malloc(sizeof *host * 3 * MANY);
    for (size_t i = 0; i < (size_t)3 * MANY; i++)
        host[i] = (double)i;
    for (int gaps = 0; gaps < 2; gaps++) {
        const size_t bodies = gaps ? MANY / 4 * 3 : MANY; /* 134 MB */
        const struct gravreel_array pos = {
            .name = "pos",
            .type = GRAVREEL_F8,
            .data = on_device(host, sizeof *host * (gaps ? 4 : 3) * bodies, OF_DEVICE, 0),
            .stride = gaps ? 32 : 0};
        char *bytes = stream_of(&pos, 1, bodies, &size);
        const char *numbers = bytes + size - 24 * bodies;
        for (size_t i = 0; i < bodies; i++)
            if (memcmp(numbers + 24 * i, host + (gaps ? 4 : 3) * i, 24) != 0)
                fail_msg("body %zu has other numbers", i);
        free(bytes);
    }
    assert_false(cuda->wrong);
    free(host);
}

/* Hands over pos; returns the code, which further frames and the film's end have, too. */
static int refused(const struct gravreel_array *pos, const char *words)
{
    struct gravreel_film *film = open_stream();
    const int code = gravreel_frame(film, 0, N, pos, 1);
    if (code != 0)
        assert_sentence(gravreel_error(), words);
    assert_int_equal(gravreel_frame(film, 1, N, pos, 1), code);
    assert_int_equal(gravreel_close(film), code);
    assert_false(cuda->wrong);
    assert_int_equal(cuda->pinned, 0);
    assert_int_equal(cuda->retained, 0);
    return code;
}

TEST(errors_of_the_driver_are_sentences)
{
    load();
    struct gravreel_array pos = {.name = "pos", .type = GRAVREEL_F4};
    for (int where = OF_DEVICE; where <= OF_POOL; where++)
        for (int call = 0; call < CALLS; call++)
            for (int gaps = 0; gaps < 2; gaps++) {
                load();
                pos.data = on_device(floats, sizeof floats, (enum where)where, 0);
                pos.stride = gaps ? 16 : 0;
                cuda->fails[call] = call == PUSH ? 709 : call == COPY ? 999 : 700;
                const bool harmless = call == PIN || (call == RETAIN && where != OF_POOL);
                assert_int_equal(refused(&pos, call == PUSH ? "array pos context is destroyed 709"
                                               : call == COPY
                                                   ? "array pos unknown error 999"
                                                   : "array pos illegal memory access 700"),
                                 harmless ? 0 : 1);
            }
}

TEST(pointers_that_cuda_does_not_know_are_the_hosts)
{
    const struct gravreel_array pos = {.name = "pos", .type = GRAVREEL_F8, .data = doubles};
    static const int errors[] = {0, 1, 3,
                                 4}; /* success, invalid value, not or no longer initialized */
    for (int e = 0; e < 4; e++) {
        load();
        cuda->fails[ATTRIBUTES] = errors[e];
        assert_int_equal(refused(&pos, ""), 0);
        assert_int_equal(cuda->pushed + cuda->copies, 0);
    }
}

TEST(memory_that_was_freed)
{
    load();
    const struct gravreel_array pos = {
        .name = "pos", .type = GRAVREEL_F8, .data = cuda->allocate(24 * N, FREED, 0)};
    assert_int_equal(refused(&pos, "array pos neither host memory freed"), 1);
}

TEST(coordinates_on_different_devices)
{
    load();
    const struct gravreel_array pos = {.name = "pos",
                                       .type = GRAVREEL_F8,
                                       .data = on_device(doubles, 8 * N, OF_DEVICE, 0),
                                       .y = on_device(doubles, 8 * N, OF_DEVICE, 1),
                                       .z = on_device(doubles, 8 * N, OF_DEVICE, 0)};
    assert_int_equal(refused(&pos, "array pos different devices"), 1);
    const struct gravreel_array mixed = {
        .name = "pos", .type = GRAVREEL_F8, .data = doubles, .y = pos.y, .z = pos.y};
    assert_int_equal(refused(&mixed, "array pos different devices"), 1);
}

TESTS(set_up, folder_tear_down)
