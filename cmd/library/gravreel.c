#include "cmd/library/gravreel.h"

#include "cmd/library/device.h"
#include "cmd/library/program.h"
#include "cmd/library/sender.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

struct gravreel_film {
    struct program program;
    char *output; /* NULL: unknown */
    int stream;   /* -1: closed */
    int code;     /* of the first failure; 0: none */
    bool begun;
    double units[3];  /* 0: unknown */
    char *components; /* as in the line of a frame; NULL: none */
    struct sender sender;
    struct device device;
    bool pinned[SENDER_SIZE / SENDER_PART];
};

/* Keeps the film's first failure. */
static int fail(struct gravreel_film *film, int code, const char *format, ...)
{
    char text[SENTENCE_MAX];
    va_list args;
    if (film->code != 0)
        return film->code;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    film->code = code;
    return program_fail(code, "%s", text);
}

/* ---- the stream ---- */

/* Waits for the program's end. */
static int finish(struct gravreel_film *film)
{
    char said[SENTENCE_MAX];
    sender_stop(&film->sender);
    if (film->stream >= 0) /* a closed socket would mean that this process has ended */
        shutdown(film->stream, SHUT_WR);
    const int code = program_wait(&film->program, said);
    if (film->stream >= 0)
        close(film->stream);
    film->stream = -1;
    if (code > 128 && film->output && !strpbrk(film->output, "%#"))
        return fail(film, code, "%s; complete frames are kept in '%s.bodies'", said, film->output);
    if (code != 0)
        return fail(film, code, "%s", said);
    if (film->sender.reason)
        return fail(film, FAILED, "cannot hand over a frame: %s", strerror(film->sender.reason));
    return film->code;
}

/* Waits for room in the ring: so many bytes at *to. 0: the film has failed. */
static size_t wait_for_room(struct gravreel_film *film, char **to)
{
    const size_t room = sender_room(&film->sender, to);
    if (room == 0)
        finish(film); /* the program has ended, and says why */
    return room;
}

static int put(struct gravreel_film *film, const void *data, size_t size)
{
    for (const char *from = data; size > 0;) {
        char *to;
        const size_t room = wait_for_room(film, &to), now = size < room ? size : room;
        if (now == 0)
            return film->code;
        memcpy(to, from, now);
        film->sender.filled += now;
        from += now;
        size -= now;
    }
    return 0;
}

/* Copies from the device that device_enter has found into the ring, at `to`. */
static int copy(struct gravreel_film *film, char *to, const void *from, size_t size)
{
    const size_t part = (size_t)(to - film->sender.ring) / SENDER_PART;
    if (!film->pinned[part])
        device_pin(&film->device, film->sender.ring + part * SENDER_PART, SENDER_PART);
    film->pinned[part] = true;
    if (device_copy(&film->device, to, from, size) != 0)
        film->code = FAILED;
    return film->code;
}

static int put_device(struct gravreel_film *film, const char *from, size_t size)
{
    while (size > 0) {
        char *to;
        const size_t room = wait_for_room(film, &to), now = size < room ? size : room;
        if (now == 0 || copy(film, to, from, now) != 0)
            return film->code;
        film->sender.filled += now;
        from += now;
        size -= now;
    }
    return 0;
}

static int put_text(struct gravreel_film *film, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    const int length = program_print(text, sizeof text, format, args);
    va_end(args);
    return length >= 0 ? put(film, text, (size_t)length)
                       : fail(film, FAILED, "a name or unit is too long");
}

static const struct {
    const char *name;
    size_t size;
} types[] = {{"f4", 4}, {"f8", 8}, {"i4", 4}, {"i8", 8}, {"u4", 4}, {"u8", 8}};

static bool is_vector(const struct gravreel_array *array)
{
    return strcmp(array->name, "pos") == 0 || strcmp(array->name, "vel") == 0;
}

static int check_array(struct gravreel_film *film, const struct gravreel_array *array)
{
    const char *name = array->name ? array->name : "";
    if (!*name || strcspn(name, " \t\n\"\\") != strlen(name))
        return fail(film, FAILED, "an array is called '%s'; use letters, digits and _", name);
    if (array->unit && strcspn(array->unit, "\n\"\\") != strlen(array->unit))
        return fail(film, FAILED, "the unit of the array %s has a character that no unit has",
                    name);
    if ((unsigned)array->type >= sizeof types / sizeof *types)
        return fail(film, FAILED, "the array %s has an unknown type; use one of enum gravreel_type",
                    name);
    return array->data ? 0 : fail(film, FAILED, "the array %s has no data", name);
}

/* Bodies in host memory, without the gaps. */
static int put_rows(struct gravreel_film *film, struct rows rows, size_t bodies)
{
    const size_t row = rows.each * rows.size;
    while (bodies > 0) {
        char *to, across[3 * sizeof(double)]; /* from one part of the ring to the next */
        const size_t room = wait_for_room(film, &to) / row, now = room < bodies ? room : bodies;
        if (film->code != 0)
            return film->code;
        rows_pack(now > 0 ? to : across, &rows, now > 0 ? now : 1);
        film->sender.filled += now * row;
        if (now == 0 && put(film, across, row) != 0)
            return film->code;
        rows = rows_after(&rows, now > 0 ? now : 1);
        bodies -= now > 0 ? now : 1;
    }
    return 0;
}

/* Bodies on a device: copied with the gaps, which the thread leaves out, because the device is idle
 * meanwhile. */
static int put_device_rows(struct gravreel_film *film, struct rows rows, size_t bodies)
{
    const size_t most = rows_within(&rows, SENDER_PART);
    while (bodies > 0) {
        const size_t now = most < bodies ? most : bodies;
        struct rows raw = rows;
        size_t low;
        const size_t span = rows_span(&rows, now, &low), size = rows_pieces(&rows) * span;
        char *to = sender_raw_room(&film->sender, size);
        if (!to)
            return finish(film);
        for (size_t p = 0; p < rows_pieces(&rows); p++) {
            raw.from[p] = to + p * span + low;
            if (copy(film, to + p * span, rows.from[p] - low, span) != 0)
                return film->code;
        }
        sender_add_raw(&film->sender, size, &raw, now);
        rows = rows_after(&rows, now);
        bodies -= now;
    }
    return 0;
}

/* Enters the memory of the array, which is the same for x, y and z. */
static int enter(struct gravreel_film *film, const char *name, const struct rows *rows,
                 size_t bodies)
{
    const void *first = NULL;
    size_t low;
    const size_t span = rows_span(rows, bodies, &low), pieces = rows_pieces(rows);
    for (size_t p = pieces; p-- > 0;) { /* x is the last, and stays entered */
        device_leave(&film->device);
        if (device_enter(&film->device, name, rows->from[p] - low, span) != 0)
            return film->code = FAILED;
        if (p + 1 < pieces && film->device.context != first)
            return fail(film, FAILED,
                        "the array %s has x, y and z in the memory of different devices; hand over "
                        "all of them in one",
                        name);
        first = film->device.context;
    }
    return 0;
}

static int put_array(struct gravreel_film *film, const struct gravreel_array *array, size_t bodies)
{
    const size_t size = types[array->type].size, each = is_vector(array) ? 3 : 1;
    const struct rows rows = rows_of(array->data, array->y, array->z, array->stride, size, each);
    const bool packed = rows_are_packed(&rows);
    int code = enter(film, array->name, &rows, bodies);
    if (code == 0 && film->device.context)
        code = packed ? put_device(film, rows.from[0], bodies * each * size)
                      : put_device_rows(film, rows, bodies);
    else if (code == 0)
        code =
            packed ? put(film, rows.from[0], bodies * each * size) : put_rows(film, rows, bodies);
    device_leave(&film->device);
    return code;
}

/* The time tells the streams of ranks from those of an earlier run. */
static int put_head(struct gravreel_film *film)
{
    const double *units = film->units;
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    film->begun = true;
    int code = put_text(film, "{\"gravreel\": \"frames\", \"format\": 1, \"begun\": %.3f",
                        (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
    if (code == 0 && units[0] > 0)
        code = put_text(film,
                        ", \"units\": {\"length_cm\": %.17g, \"mass_g\": %.17g, "
                        "\"velocity_cms\": %.17g}",
                        units[0], units[1], units[2]);
    return code == 0 ? put(film, "}\n", 2) : code;
}

/* ---- the functions of gravreel.h ---- */

static struct gravreel_film *create(void)
{
    struct gravreel_film *film = calloc(1, sizeof *film);
    program_fail(0, "%s", "");
    if (!film) {
        program_fail(FAILED, "no memory left to begin a film");
        return NULL;
    }
    film->stream = -1;
    film->program.messages = -1;
    return film;
}

static struct gravreel_film *begin(struct gravreel_film *film, const char *output)
{
    const int failed = film->code == 0 ? sender_start(&film->sender, film->stream) : 0;
    if (failed)
        fail(film, FAILED, "cannot begin '%s': %s", output, strerror(failed));
    return film;
}

EXPORT struct gravreel_film *gravreel_open(const char *output, const char *const *options)
{
    const char *const more[] = {"--frames-from", "-", "-o", output, NULL};
    int ends[2] = {-1, -1};
    struct gravreel_film *film = create();
    if (!film)
        return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        fail(film, FAILED, "cannot begin '%s': %s", output, strerror(errno));
        return film;
    }
    film->code = program_start(&film->program, "render", options, more, ends[0]);
    film->output = strdup(output);
    film->stream = ends[1];
    close(ends[0]);
    return begin(film, output);
}

EXPORT struct gravreel_film *gravreel_open_stream(const char *path)
{
    struct gravreel_film *film = create();
    if (!film)
        return NULL;
    film->stream = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (film->stream < 0)
        fail(film, FAILED, "cannot write '%s': %s", path, strerror(errno));
    return begin(film, path);
}

EXPORT int gravreel_units(struct gravreel_film *film, double length, double mass, double velocity)
{
    if (!film || film->code != 0)
        return film ? film->code : FAILED;
    if (film->begun)
        return fail(film, FAILED, "units are given after the first frame; give them before");
    if (!(length > 0 && mass > 0 && velocity > 0))
        return fail(film, FAILED, "units of %g cm, %g g and %g cm/s must be above 0", length, mass,
                    velocity);
    film->units[0] = length;
    film->units[1] = mass;
    film->units[2] = velocity;
    return 0;
}

EXPORT int gravreel_components(struct gravreel_film *film, size_t count, const char *const *names,
                               const size_t *counts)
{
    static const char before[] = ", \"components\": {";
    size_t size = sizeof before + 2, at = sizeof before - 1;
    if (!film || film->code != 0)
        return film ? film->code : FAILED;
    for (size_t c = 0; c < count; c++) {
        if (!names[c] || strcspn(names[c], "\n\"\\") != strlen(names[c]))
            return fail(film, FAILED, "component %zu has a name that no component has", c);
        size += strlen(names[c]) + 32;
    }
    free(film->components);
    film->components = count > 0 ? malloc(size) : NULL;
    if (count > 0 && !film->components)
        return fail(film, FAILED, "no memory left for the names of components");
    if (count > 0)
        memcpy(film->components, before, sizeof before);
    for (size_t c = 0; c < count; c++)
        at += (size_t)snprintf(film->components + at, size - at, "%s\"%s\": %zu", c > 0 ? ", " : "",
                               names[c], counts[c]);
    if (count > 0)
        memcpy(film->components + at, "}", 2);
    return 0;
}

EXPORT int gravreel_frame(struct gravreel_film *film, double time, size_t bodies,
                          const struct gravreel_array *arrays, size_t count)
{
    if (!film || film->code != 0)
        return film ? film->code : FAILED;
    for (size_t a = 0; a < count; a++)
        if (check_array(film, &arrays[a]) != 0)
            return film->code;
    if (!(time - time == 0))
        return fail(film, FAILED, "a frame's time is %g, not a finite number", time);
    sender_begin(&film->sender);
    int code = film->begun ? 0 : put_head(film);
    if (code == 0)
        code = put_text(film, "{\"time\": %.17g, \"bodies\": %zu, \"arrays\": [", time, bodies);
    for (size_t a = 0; a < count && code == 0; a++)
        code = put_text(film, "%s\"%s %s %s\"", a > 0 ? ", " : "", arrays[a].name,
                        types[arrays[a].type].name, arrays[a].unit ? arrays[a].unit : "");
    if (code == 0)
        code = put(film, "]", 1);
    if (code == 0 && film->components)
        code = put(film, film->components, strlen(film->components));
    if (code == 0)
        code = put(film, "}\n", 2);
    for (size_t a = 0; a < count && code == 0; a++)
        code = put_array(film, &arrays[a], bodies);
    if (code == 0 && sender_hand_over(&film->sender) != 0)
        code = finish(film);
    return code;
}

EXPORT int gravreel_bodies(struct gravreel_film *film, double time, size_t bodies,
                           const double *mass, const double *position, const double *velocity)
{
    const struct gravreel_array arrays[] = {
        {.name = "pos", .type = GRAVREEL_F8, .data = position},
        {.name = "vel", .type = GRAVREEL_F8, .data = velocity},
        {.name = "mass", .type = GRAVREEL_F8, .data = mass},
    };
    return gravreel_frame(film, time, bodies, arrays, mass ? 3 : 2);
}

EXPORT int gravreel_close(struct gravreel_film *film)
{
    if (!film)
        return FAILED;
    const int code = finish(film);
    program_close(&film->program);
    for (size_t p = 0; p < sizeof film->pinned; p++)
        if (film->pinned[p])
            device_unpin(&film->device, film->sender.ring + p * SENDER_PART);
    device_close(&film->device);
    free(film->components);
    free(film->output);
    sender_free(&film->sender);
    free(film);
    return code;
}

EXPORT const char *gravreel_error(void)
{
    return program_sentence();
}

EXPORT const char *gravreel_version(void)
{
    return GRAVREEL_VERSION;
}
