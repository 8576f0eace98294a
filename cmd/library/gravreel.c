#include "cmd/library/gravreel.h"

#include "cmd/library/program.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* For a frame larger than a piece, the call waits until all but the last piece are sent. */
enum { PIECE = 1 << 24 };

/* Sends one piece while the caller fills the other. The simulation then waits only if the program
 * is a frame behind. */
struct sender {
    pthread_t thread;
    bool runs;            /* the thread */
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t changed;
    char *piece[2];
    int own;       /* the piece that the caller fills */
    size_t filled; /* bytes in it */
    size_t left;   /* bytes of the other piece; 0: all sent */
    bool ends;
    int reason; /* of a failure to send; 0: none */
};

struct gravreel_film {
    struct program program;
    int stream; /* -1: closed */
    int code;   /* of the first failure; 0: none */
    bool begun;
    double units[3]; /* 0: unknown */
    struct sender sender;
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

static int send_all(int stream, const char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t sent = write(stream, data + done, size - done);
        if (sent < 0 && errno != EINTR)
            return errno;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return 0;
}

static void *run_sender(void *user)
{
    struct gravreel_film *film = user;
    struct sender *sender = &film->sender;
    pthread_mutex_lock(&sender->lock);
    for (;;) {
        while (sender->left == 0 && !sender->ends)
            pthread_cond_wait(&sender->changed, &sender->lock);
        if (sender->left == 0)
            break;
        const char *data = sender->piece[!sender->own];
        const size_t size = sender->left;
        pthread_mutex_unlock(&sender->lock);
        const int reason = send_all(film->stream, data, size);
        pthread_mutex_lock(&sender->lock);
        sender->reason = reason ? reason : sender->reason;
        sender->left = 0;
        pthread_cond_broadcast(&sender->changed);
    }
    pthread_mutex_unlock(&sender->lock);
    return NULL;
}

/* The thread blocks all signals, so that they go to the simulation's own threads, and a closed pipe
 * is an error of write(). */
static int start_sender(struct gravreel_film *film)
{
    struct sender *sender = &film->sender;
    sigset_t all, before;
    pthread_mutex_init(&sender->lock, NULL);
    pthread_cond_init(&sender->changed, NULL);
    sender->piece[0] = malloc(PIECE);
    sender->piece[1] = malloc(PIECE);
    if (!sender->piece[0] || !sender->piece[1])
        return ENOMEM;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&sender->thread, NULL, run_sender, film);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sender->runs = !failed;
    return failed;
}

/* Waits until everything has been sent or the program has ended. */
static void stop_sender(struct sender *sender)
{
    if (!sender->runs)
        return;
    pthread_mutex_lock(&sender->lock);
    sender->ends = true;
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->lock);
    pthread_join(sender->thread, NULL);
    sender->runs = false;
}

/* Waits for the program's end. */
static int finish(struct gravreel_film *film)
{
    char said[SENTENCE_MAX];
    stop_sender(&film->sender);
    if (film->stream >= 0)
        close(film->stream);
    film->stream = -1;
    const int code = program_wait(&film->program, said);
    if (code != 0)
        return fail(film, code, "%s", said);
    if (film->sender.reason)
        return fail(film, FAILED, "cannot hand over a frame: %s", strerror(film->sender.reason));
    return film->code;
}

/* Hands over what the caller has filled. */
static int flush(struct gravreel_film *film)
{
    struct sender *sender = &film->sender;
    pthread_mutex_lock(&sender->lock);
    while (sender->left > 0)
        pthread_cond_wait(&sender->changed, &sender->lock);
    const int reason = sender->reason;
    sender->own = !sender->own;
    sender->left = reason ? 0 : sender->filled;
    sender->filled = 0;
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->lock);
    return reason ? finish(film) : 0; /* the program has ended, and says why */
}

static int put(struct gravreel_film *film, const void *data, size_t size)
{
    struct sender *sender = &film->sender;
    for (const char *from = data; size > 0;) {
        const size_t room = PIECE - sender->filled, now = size < room ? size : room;
        memcpy(sender->piece[sender->own] + sender->filled, from, now);
        sender->filled += now;
        from += now;
        size -= now;
        if (sender->filled == PIECE && flush(film) != 0)
            return film->code;
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

static int put_array(struct gravreel_film *film, const struct gravreel_array *array, size_t bodies)
{
    const size_t size = types[array->type].size, each = is_vector(array) ? 3 : 1;
    const char *x = array->data;
    const char *y = array->y ? array->y : x + size, *z = array->z ? array->z : y + size;
    const bool apart = array->y || array->z;
    const ptrdiff_t packed = (ptrdiff_t)(apart ? size : each * size);
    const ptrdiff_t stride = array->stride ? array->stride : packed;
    if (!apart && stride == packed)
        return put(film, x, bodies * each * size);
    int code = 0;
    for (size_t i = 0; i < bodies && code == 0; i++) {
        code = put(film, x + (ptrdiff_t)i * stride, size);
        if (code == 0 && each == 3)
            code = put(film, y + (ptrdiff_t)i * stride, size);
        if (code == 0 && each == 3)
            code = put(film, z + (ptrdiff_t)i * stride, size);
    }
    return code;
}

static int put_head(struct gravreel_film *film)
{
    const double *units = film->units;
    film->begun = true;
    return units[0] > 0
               ? put_text(film,
                          "{\"gravreel\": \"frames\", \"format\": 1, \"units\": {\"length_cm\": "
                          "%.17g, \"mass_g\": %.17g, \"velocity_cms\": %.17g}}\n",
                          units[0], units[1], units[2])
               : put_text(film, "{\"gravreel\": \"frames\", \"format\": 1}\n");
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
    const int failed = film->code == 0 ? start_sender(film) : 0;
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
    int code = film->begun ? 0 : put_head(film);
    if (code == 0)
        code = put_text(film, "{\"time\": %.17g, \"bodies\": %zu, \"arrays\": [", time, bodies);
    for (size_t a = 0; a < count && code == 0; a++)
        code = put_text(film, "%s\"%s %s %s\"", a > 0 ? ", " : "", arrays[a].name,
                        types[arrays[a].type].name, arrays[a].unit ? arrays[a].unit : "");
    if (code == 0)
        code = put_text(film, "]}\n");
    for (size_t a = 0; a < count && code == 0; a++)
        code = put_array(film, &arrays[a], bodies);
    return code == 0 ? flush(film) : code;
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
    free(film->sender.piece[0]);
    free(film->sender.piece[1]);
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
