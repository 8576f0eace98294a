/* Snapshots that ranks share, and tasks of all ranks, against one process.
 * test_ranks_playback.sh starts this under mpirun with several numbers of ranks.
 * Usage: test_ranks_playback [TEST [FAULT]]
 * FAULT: rank 1 loses a row that it sends (drop), sends one to another's place (place), gives two
 * rows each other's places (swap), or reads the slice of rank 0 (slice). */
#include "base/log.h"
#include "base/memory.h"
#include "tests/support/programs/tasks.h"
#include "base/sort.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/formats/formats.h"
#include "sim/playback/directory.h"
#include "sim/playback/playback.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/files/hdf5_maker.h"
#include "tests/support/test.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* ---- what is made to fail ---- */

static const char *fault = "";

static bool is_planted(const char *name)
{
    return ranks_own() == 1 && strcmp(fault, name) == 0;
}

enum status __real_directory_find(const struct directory *directory, const uint64_t *id,
                                  size_t count, struct whereabouts *out);
enum status __wrap_directory_find(const struct directory *directory, const uint64_t *id,
                                  size_t count, struct whereabouts *out);
enum status __wrap_directory_find(const struct directory *directory, const uint64_t *id,
                                  size_t count, struct whereabouts *out)
{
    const enum status status = __real_directory_find(directory, id, count, out);
    size_t k = 1;
    while (k < count && (out[k].rank != out[0].rank || out[0].rank == DIRECTORY_NOWHERE))
        k++;
    if (status != STATUS_OK || k >= count)
        return status;
    if (is_planted("drop"))
        out[0].rank = DIRECTORY_NOWHERE;
    if (is_planted("place"))
        out[0] = out[k];
    if (is_planted("swap")) {
        const struct whereabouts first = out[0];
        out[0] = out[k];
        out[k] = first;
    }
    return status;
}

enum status __real_format_read_slice(const char *path, const struct format *forced,
                                     const struct column_choice *choice, unsigned part,
                                     unsigned parts, struct snapshot *out);
enum status __wrap_format_read_slice(const char *path, const struct format *forced,
                                     const struct column_choice *choice, unsigned part,
                                     unsigned parts, struct snapshot *out);
enum status __wrap_format_read_slice(const char *path, const struct format *forced,
                                     const struct column_choice *choice, unsigned part,
                                     unsigned parts, struct snapshot *out)
{
    return __real_format_read_slice(path, forced, choice, is_planted("slice") ? 0 : part, parts,
                                    out);
}

/* ---- snapshots ---- */

enum { GAS = 0, HALO = 1, STARS = 4, TYPES = 6, SNAPSHOTS = 4 };

/* A series of GADGET's files. Body i has the id first_id + i, but `twice` that of the body before.
 */
struct series_of {
    const char *name;
    size_t bodies, files;
    bool without_ids, boxed;
    uint64_t first_id;
    int (*type)(size_t i);
    bool (*has)(size_t i, int k); /* whether snapshot k has it; NULL: all do */
    size_t twice;                 /* 0: none */
    int twice_in;                 /* the first snapshot where this is so */
};

static const double BOX = 10;

static void place(const struct series_of *series, size_t i, int k, double x[3], double v[3])
{
    const double r = 1 + (double)i / 10, angle = k + (double)i;
    if (!series->boxed) {
        x[0] = r * cos(angle), x[1] = r * sin(angle), x[2] = (double)i;
        v[0] = -r * sin(angle), v[1] = r * cos(angle), v[2] = 0;
        return;
    }
    for (int c = 0; c < 3; c++) {
        v[c] = 4 * sin((double)(3 * i + (size_t)c));
        x[c] = fmod((double)i * 0.754877666 + c, 1) * BOX + k * v[c];
        x[c] -= floor(x[c] / BOX) * BOX;
    }
}

static void put_type(struct maker *maker, const struct series_of *series, int k, unsigned type,
                     const size_t *body, size_t count)
{
    static const struct maker_layout doubles = {.type = MAKER_F64}, whole = {.type = MAKER_U64};
    double(*x)[3] = memory_new(count, sizeof *x), (*v)[3] = memory_new(count, sizeof *v);
    double *mass = memory_new(count, sizeof *mass), *age = memory_new(count, sizeof *age);
    uint64_t *ids = memory_new(count, sizeof *ids);
    char name[64];
    for (size_t n = 0; n < count; n++) {
        const size_t i = body[n];
        const bool twice = i > 0 && i == series->twice && k >= series->twice_in;
        place(series, i, k, x[n], v[n]);
        ids[n] = series->first_id + i - twice;
        mass[n] = 1 + (double)(i % 5) / 4; /* sums are exact, in any order */
        age[n] = (double)i + 0.1 * k;
    }
    snprintf(name, sizeof name, "PartType%u", type);
    maker_group(maker, name);
    snprintf(name, sizeof name, "PartType%u/Coordinates", type);
    maker_doubles(maker, name, count, 3, x[0], &doubles);
    snprintf(name, sizeof name, "PartType%u/Velocities", type);
    maker_doubles(maker, name, count, 3, v[0], &doubles);
    snprintf(name, sizeof name, "PartType%u/Masses", type);
    maker_doubles(maker, name, count, 0, mass, &doubles);
    snprintf(name, sizeof name, "PartType%u/ParticleIDs", type);
    if (!series->without_ids)
        maker_ids(maker, name, count, ids, &whole);
    snprintf(name, sizeof name, "PartType%u/Age", type);
    if (type != HALO)
        maker_doubles(maker, name, count, 0, age, &doubles);
    free(x);
    free(v);
    free(mass);
    free(age);
    free(ids);
}

/* In another order in each snapshot, where there are ids. */
static void shuffle(size_t *body, size_t count, int k)
{
    uint64_t seed = (uint64_t)k + 1;
    for (size_t n = count; n > 1; n--) {
        const size_t other = (size_t)(uniform(&seed) * (double)n), kept = body[n - 1];
        body[n - 1] = body[other];
        body[other] = kept;
    }
}

static void leave_snapshot(const struct series_of *series, int k)
{
    size_t *of[TYPES] = {0};
    uint64_t total[TYPES] = {0}, files = series->files;
    for (unsigned type = 0; type < TYPES; type++)
        of[type] = memory_new(series->bodies, sizeof *of[type]);
    for (size_t i = 0; i < series->bodies; i++)
        if (!series->has || series->has(i, k))
            of[series->type(i)][total[series->type(i)]++] = i;
    for (unsigned type = 0; type < TYPES && !series->without_ids; type++)
        shuffle(of[type], total[type], k);
    for (size_t f = 0; f < files; f++) {
        uint64_t here[TYPES], first[TYPES];
        char name[64], path[256];
        for (unsigned type = 0; type < TYPES; type++) {
            first[type] = total[type] * f / files;
            here[type] = total[type] * (f + 1) / files - first[type];
        }
        snprintf(name, sizeof name, files > 1 ? "%s_%d.%zu.hdf5" : "%s_%d.hdf5", series->name, k,
                 f);
        snprintf(path, sizeof path, "%s", folder_path(name));
        struct maker *maker = maker_open(path);
        maker_group(maker, "Header");
        maker_wholes(maker, "Header", "NumPart_ThisFile", here, TYPES, 4);
        maker_wholes(maker, "Header", "NumPart_Total", total, TYPES, 4);
        maker_wholes(maker, "Header", "NumFilesPerSnapshot", &files, 0, 4);
        maker_number(maker, "Header", "Time", k);
        if (series->boxed)
            maker_number(maker, "Header", "BoxSize", BOX);
        for (unsigned type = 0; type < TYPES; type++)
            if (here[type] > 0)
                put_type(maker, series, k, type, of[type] + first[type], here[type]);
        maker_close(&maker);
    }
    for (unsigned type = 0; type < TYPES; type++)
        free(of[type]);
}

static const char *leave(const struct series_of *series)
{
    static char pattern[256];
    char name[64];
    for (int k = 0; k < SNAPSHOTS; k++)
        leave_snapshot(series, k);
    snprintf(name, sizeof name, "%s_*.hdf5", series->name);
    snprintf(pattern, sizeof pattern, "%s", folder_path(name));
    return pattern;
}

static int of_several_types(size_t i)
{
    return i % 5 == 0 ? GAS : i % 3 == 0 ? STARS : HALO;
}

static int of_one_type(size_t i)
{
    (void)i;
    return HALO;
}

/* Some are missing at first, in the middle, at last, or more often. */
static bool comes_and_goes(size_t i, int k)
{
    return (i * 2654435761u >> (4 + k)) % 4 != 0;
}

/* Stars form after the first snapshot, one of them in the last one. */
static bool forms(size_t i, int k)
{
    return of_several_types(i) != STARS || (i == 3 ? k == SNAPSHOTS - 1 : k > 0);
}

/* A halo that the first snapshot lacks, and the only body of the last. */
static bool passes_on(size_t i, int k)
{
    return i == 1 ? k > 0 : k < 3;
}

static const struct series_of every_series[] = {
    {"parts", 600, 2, .first_id = 1, .type = of_several_types, .has = comes_and_goes},
    {"form", 400, 1, .type = of_several_types, .has = forms},
    {"rows", 500, 1, .without_ids = true, .type = of_several_types},
    {"few", 3, 1, .type = of_several_types},
    {"pass", 2, 1, .type = of_one_type, .has = passes_on},
    {"box", 300, 1, .boxed = true, .type = of_several_types},
};
enum { SERIES = sizeof every_series / sizeof *every_series };

/* ---- what all ranks do ---- */

enum { TIMES = 7, FRACTIONS = 6, NUMBERS = FRACTIONS + 2, STRIDES = 5, THINNED = 3 };

/* Also backwards, at snapshots, and beyond the ends. */
static const double times[TIMES] = {0, 0.25, 1, 2.75, 0.5, 9, 2};
static const double fractions[FRACTIONS] = {0, 0.1, 0.5, 0.75, 0.999, 1};
static const size_t strides[STRIDES] = {1, 2, 7, 100, 5000};
static const size_t thinned[THINNED] = {1, 2, 50};

struct request {
    enum { ASK_BODIES, ASK_MOTION } what;
    char pattern[256];
};

/* A body at one of the times. */
struct moving {
    double position[3], velocity[3], acceleration[3], age, absent;
};

/* What rank 0 wants, and gets of all ranks. Few bodies are those that are left of all. */
struct answer {
    const struct bodies *want, *few[THINNED];
    const struct moving *few_move; /* [TIMES][of the most few bodies] */
    double numbers[NUMBERS];
    struct bodies *bodies;
    struct moving *moving; /* [TIMES][all bodies] */
    double turning;
};

static struct bodies_params params_of(const char *pattern)
{
    static const char *const columns[] = {"Age", NULL};
    return (struct bodies_params){.model = choose(&model_registry, "snapshots"),
                                  .file = (char *)pattern,
                                  .file_units = choose(&unit_system_registry, "none"),
                                  .use = "",
                                  .columns = columns,
                                  .position_scale = 1,
                                  .velocity_scale = 1,
                                  .mass_scale = 1};
}

/* Every rank has the same components, and its rows of each are those that whole and before say. */
static enum status check_components(const struct bodies *bodies, const struct component *of)
{
    const size_t ranks = (size_t)ranks_count(), n = bodies->component_count;
    for (size_t c = 0; c < n; c++) {
        uint64_t before = 0;
        for (size_t r = 0; r < ranks; r++) {
            const struct component *at = &of[r * n + c];
            if (strcmp(at->name, of[c].name) != 0 || at->draw != of[c].draw ||
                at->light != of[c].light || component_whole(at) != component_whole(&of[c]))
                return status_fail(STATUS_RUNTIME, "component %zu of rank %zu is not rank 0's", c,
                                   r);
            if (at->before != before)
                return status_fail(STATUS_RUNTIME, "%s: %d bodies before rank %zu instead of %d",
                                   at->name, (int)at->before, r, (int)before);
            before += at->count;
        }
        if (before != component_whole(&of[c]))
            return status_fail(STATUS_RUNTIME, "%s: the ranks have %d bodies of %d", of[c].name,
                               (int)before, (int)component_whole(&of[c]));
    }
    return STATUS_OK;
}

/* Puts rows of all ranks in the order of the whole. */
static void arrange(const struct bodies *bodies, const struct component *of, const char *rows,
                    size_t width, char *all)
{
    const size_t ranks = (size_t)ranks_count(), n = bodies->component_count;
    for (size_t r = 0; r < ranks; r++) {
        size_t first = 0;
        for (size_t c = 0; c < n; first += component_whole(&of[c++])) {
            const size_t bytes = of[r * n + c].count * width;
            memcpy(all + (first + of[r * n + c].before) * width, rows, bytes);
            rows += bytes;
        }
    }
}

/* Collective: the rows of `width` bytes of every rank's bodies, to rank 0 in the order of all. */
static enum status collect(const struct bodies *bodies, const void *rows, size_t width, void *all)
{
    const size_t ranks = (size_t)ranks_count(), n = bodies->component_count;
    struct component *of = memory_new(ranks * n, sizeof *of);
    size_t *bytes = memory_new(ranks, sizeof *bytes), sum = 0;
    enum status status = ranks_gather_each(bodies->components, of, n * sizeof *of);
    if (status == STATUS_OK)
        status = check_components(bodies, of);
    for (size_t r = 0; r < ranks; r++)
        for (size_t c = 0; c < n; c++) {
            bytes[r] += of[r * n + c].count * width;
            sum += of[r * n + c].count * width;
        }
    char *got = memory_new(sum + 1, 1);
    if (status == STATUS_OK)
        status = ranks_collect(rows, bodies->count * width, got, bytes, 0);
    if (status == STATUS_OK && ranks_own() == 0)
        arrange(bodies, of, got, width, all);
    free(got);
    free(bytes);
    free(of);
    return status;
}

/* Collective: compares what each rank has with what rank 0 wants. */
static enum status same_everywhere(const char *what, const void *got, const void *wanted,
                                   size_t bytes)
{
    char *want = memory_new(bytes + 1, 1);
    if (ranks_own() == 0)
        memcpy(want, wanted, bytes);
    enum status status = ranks_share(want, bytes, 0);
    if (status == STATUS_OK && memcmp(got, want, bytes) != 0)
        status = status_fail(STATUS_RUNTIME, "%s differ from those alone", what);
    free(want);
    return status;
}

static enum status collect_bodies(const struct bodies *bodies, struct answer *answer)
{
    const size_t all = whole_size(bodies_whole(bodies));
    struct bodies *to = NULL;
    enum status status = bodies_create(&to, all, bodies->component_count);
    if (status == STATUS_OK)
        status = bodies_add_ids(to, all);
    if (status == STATUS_OK)
        status = collect(bodies, bodies->mass, sizeof *to->mass, to->mass);
    if (status == STATUS_OK)
        status = collect(bodies, bodies->position, sizeof *to->position, to->position);
    if (status == STATUS_OK)
        status = collect(bodies, bodies->velocity, sizeof *to->velocity, to->velocity);
    if (status == STATUS_OK)
        status = collect(bodies, bodies->id, sizeof *to->id, to->id);
    for (size_t k = 0; k < bodies->columns.count && status == STATUS_OK; k++) {
        const struct body_column *column = &bodies->columns.list[k];
        status = body_columns_add(&to->columns, column->name, column->unit, column->single, all);
        if (status == STATUS_OK)
            status = collect(bodies, column->value, sizeof(double), to->columns.list[k].value);
    }
    for (size_t c = 0, first = 0; c < bodies->component_count; first += to->components[c++].count) {
        to->components[c] = bodies->components[c];
        to->components[c].first = first;
        to->components[c].count = (size_t)component_whole(&bodies->components[c]);
        to->components[c].whole = to->components[c].before = 0;
    }
    if (answer)
        answer->bodies = to;
    else
        bodies_destroy(&to);
    return status;
}

static void fill_moving(const struct playback *playback, const struct bodies *bodies,
                        const struct playback_state *state, struct moving *out)
{
    for (size_t i = 0; i < bodies->count; i++) {
        playback_part(playback, i, 1, &out[i].position, &out[i].velocity, &out[i].acceleration);
        const double age = bodies->columns.count > 0 ? state->column[0][i] : 0;
        out[i].age = isnan(age) ? -1 : age;
        out[i].absent = state->absent[i];
    }
}

/* On each rank the motion of its bodies; the others' rows follow those of the first time. */
static enum status follow(const struct bodies_params *params, const struct bodies *bodies,
                          struct moving *out, double *turning)
{
    struct playback *playback;
    enum status status = playback_open(&playback, params, bodies);
    if (status == STATUS_OK)
        status = playback_turning(playback, turning);
    for (int t = 0; t < TIMES && status == STATUS_OK; t++) {
        struct playback_state state;
        status = playback_at(playback, times[t], &state);
        if (status == STATUS_OK)
            fill_moving(playback, bodies, &state, out + (size_t)t * bodies->count);
    }
    playback_close(&playback);
    return status;
}

static enum status collect_motion(const struct bodies_params *params, const struct bodies *bodies,
                                  struct answer *answer)
{
    const size_t all = whole_size(bodies_whole(bodies));
    struct moving *own = memory_new(TIMES * bodies->count, sizeof *own),
                  *whole = memory_new(TIMES * all, sizeof *whole);
    double turning;
    enum status status = follow(params, bodies, own, &turning);
    for (size_t t = 0; t < TIMES && status == STATUS_OK; t++)
        status = collect(bodies, own + t * bodies->count, sizeof *own, whole + t * all);
    free(own);
    if (answer) {
        answer->moving = whole;
        answer->turning = turning;
    } else {
        free(whole);
    }
    return status;
}

/* Bodies in a row of numbers each, for comparisons. */
struct numbered_body {
    uint64_t id;
    double mass, position[3], velocity[3], age;
};

static struct numbered_body *rows_of(const struct bodies *bodies)
{
    struct numbered_body *rows = memory_new(bodies->count, sizeof *rows);
    for (size_t i = 0; i < bodies->count; i++) {
        const double age = bodies->columns.count > 0 ? bodies->columns.list[0].value[i] : 0;
        rows[i].id = bodies->id[i];
        rows[i].mass = bodies->mass[i];
        rows[i].age = isnan(age) ? -1 : age;
        memcpy(rows[i].position, bodies->position[i], sizeof rows->position);
        memcpy(rows[i].velocity, bodies->velocity[i], sizeof rows->velocity);
    }
    return rows;
}

/* Every rank gets the same few bodies. */
static enum status check_thinned(const struct bodies *bodies, size_t number,
                                 const struct bodies *want)
{
    struct bodies *few;
    uint64_t count = want ? want->count : 0;
    enum status status = ranks_share(&count, sizeof count, 0);
    if (status == STATUS_OK)
        status = whole_thin(bodies, number < count ? number : (size_t)count, &few);
    if (status != STATUS_OK)
        return status;
    struct numbered_body *rows = rows_of(few), *wanted = want ? rows_of(want) : NULL;
    if (count != few->count || few->shared)
        status = status_fail(STATUS_RUNTIME, "%zu bodies are left of %zu", few->count, number);
    if (status == STATUS_OK)
        status = same_everywhere("few bodies", rows, wanted, few->count * sizeof *rows);
    free(rows);
    free(wanted);
    bodies_destroy(&few);
    return status;
}

/* All of them may follow the same few bodies. */
static enum status check_copies(const struct bodies_params *params, const struct bodies *bodies,
                                const struct moving *want)
{
    struct bodies *few;
    double turning;
    const size_t all = whole_size(bodies_whole(bodies)), most = thinned[THINNED - 1];
    enum status status = whole_thin(bodies, most < all ? most : all, &few);
    if (status != STATUS_OK)
        return status;
    struct moving *own = memory_new(TIMES * few->count, sizeof *own);
    status = follow(params, few, own, &turning);
    if (status == STATUS_OK)
        status =
            same_everywhere("motions of few bodies", own, want, TIMES * few->count * sizeof *own);
    free(own);
    bodies_destroy(&few);
    return status;
}

static double distance(const double x[3])
{
    return hypot(hypot(x[0], x[1]), x[2]);
}

/* Percentiles of numbers, some of them zero or negative; then a sum, and of no number a percentile.
 */
static enum status find_numbers(const struct bodies *bodies, double *out)
{
    double *values = memory_new(bodies->count, sizeof *values);
    enum status status = STATUS_OK;
    for (int f = 0; f < FRACTIONS && status == STATUS_OK; f++) {
        for (size_t i = 0; i < bodies->count; i++)
            values[i] = bodies->id[i] % 7 == 0   ? 0
                        : bodies->id[i] % 5 == 0 ? -1 - bodies->mass[i]
                                                 : distance(bodies->position[i]);
        sort_doubles(values, bodies->count);
        status = whole_percentile(bodies, values, bodies->count, fractions[f], f % 2, &out[f]);
    }
    double sums[2] = {0};
    for (size_t i = 0; i < bodies->count; i++) {
        sums[0] += (double)bodies->id[i];
        sums[1] += 0.25;
    }
    if (status == STATUS_OK)
        status = whole_sum(bodies, sums, 2);
    out[FRACTIONS] = sums[0] + 1e7 * sums[1];
    if (status == STATUS_OK)
        status = whole_percentile(bodies, values, 0, 0.5, false, &out[FRACTIONS + 1]);
    free(values);
    return status;
}

static enum status check_numbers(const struct bodies *bodies, const struct answer *answer)
{
    double numbers[NUMBERS] = {0};
    bool is = ranks_own() == ranks_count() - 1, isnt = false;
    enum status status = find_numbers(bodies, numbers);
    if (status == STATUS_OK)
        status = same_everywhere("percentiles and sums", numbers, answer ? answer->numbers : NULL,
                                 sizeof numbers);
    if (status == STATUS_OK)
        status = whole_any(bodies, &is);
    if (status == STATUS_OK)
        status = whole_any(bodies, &isnt);
    if (status == STATUS_OK && (!is || isnt))
        status = status_fail(STATUS_RUNTIME, "what is true on the last rank is %d, on none %d", is,
                             isnt);
    return status;
}

/* [2 * rows][4] of every stride-th body; all bodies alone. */
static float *sample_of(const struct bodies *bodies, size_t stride, size_t rows)
{
    float *sample = memory_new(2 * rows, sizeof(float[4]));
    for (size_t k = 0; k < rows; k++)
        for (int c = 0; c < 3; c++) {
            sample[4 * k + (size_t)c] = (float)bodies->position[k * stride][c];
            sample[4 * (rows + k) + (size_t)c] = (float)bodies->velocity[k * stride][c];
        }
    return sample;
}

static enum status check_sample(const struct bodies *bodies, size_t stride,
                                const struct bodies *want)
{
    const size_t all = whole_size(bodies_whole(bodies)), rows = (all + stride - 1) / stride;
    float *got = memory_new(2 * rows, sizeof(float[4])), *own = sample_of(bodies, 1, bodies->count),
          *wanted = want ? sample_of(want, stride, rows) : NULL;
    enum status status = STATUS_OK;
    if (bodies->shared)
        status = whole_sample(bodies, own, own + 4 * bodies->count, stride, got);
    if (bodies->shared && status == STATUS_OK)
        status = same_everywhere("samples", got, wanted, 2 * rows * sizeof(float[4]));
    free(got);
    free(own);
    free(wanted);
    return status;
}

static enum status check_bodies(const struct bodies *bodies, struct answer *answer)
{
    enum status status = collect_bodies(bodies, answer);
    if (status == STATUS_OK)
        status = check_numbers(bodies, answer);
    for (int k = 0; k < STRIDES && status == STATUS_OK; k++)
        status = check_sample(bodies, strides[k], answer ? answer->want : NULL);
    for (int k = 0; k < THINNED && status == STATUS_OK; k++)
        status = check_thinned(bodies, thinned[k], answer ? answer->few[k] : NULL);
    return status;
}

static enum status obey(const void *message, size_t bytes, void *own)
{
    const struct request *request = message;
    const struct bodies_params params = params_of(request->pattern);
    struct answer *answer = own;
    struct bodies *bodies;
    (void)bytes;
    enum status status = playback_gather(&params, &bodies);
    if (status != STATUS_OK)
        return bodies ? status_fail(STATUS_RUNTIME, "bodies are left behind") : status;
    if (bodies->shared != ranks_are_together())
        status = status_fail(STATUS_RUNTIME, "bodies are %s", bodies->shared ? "shared" : "alone");
    else if (request->what == ASK_BODIES)
        status = check_bodies(bodies, answer);
    else
        status = collect_motion(&params, bodies, answer);
    if (status == STATUS_OK && request->what == ASK_MOTION)
        status = check_copies(&params, bodies, answer ? answer->few_move : NULL);
    bodies_destroy(&bodies);
    return status;
}

static const struct ranks_task snapshots_task = {obey, sizeof(struct request)};

static enum status ask(const char *pattern, int what, struct answer *answer)
{
    struct request request = {.what = what};
    snprintf(request.pattern, sizeof request.pattern, "%s", pattern);
    return ranks_together(&snapshots_task, &request, sizeof request, answer);
}

/* ---- bodies and their motion ---- */

static struct bodies *gather_alone(const char *pattern)
{
    const struct bodies_params params = params_of(pattern);
    struct bodies *bodies;
    assert_ok(playback_gather(&params, &bodies));
    assert_false(bodies->shared);
    return bodies;
}

static void same_bodies(const char *what, const struct bodies *got, const struct bodies *want)
{
    assert_int_equal(got->count, want->count);
    assert_int_equal(got->component_count, want->component_count);
    for (size_t c = 0; c < want->component_count; c++)
        if (memcmp(&got->components[c], &want->components[c], sizeof *want->components) != 0)
            fail_msg("%s: component %s of %zu bodies, alone %s of %zu", what,
                     got->components[c].name, got->components[c].count, want->components[c].name,
                     want->components[c].count);
    assert_int_equal(got->columns.count, want->columns.count);
    for (size_t k = 0; k < want->columns.count; k++)
        assert_string_equal(got->columns.list[k].name, want->columns.list[k].name);
    struct numbered_body *a = rows_of(got), *b = rows_of(want);
    for (size_t i = 0; i < want->count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("%s: body %zu of %zu has id %d, mass %g and x %.17g, alone %d, %g and %.17g",
                     what, i, want->count, (int)a[i].id, a[i].mass, a[i].position[0], (int)b[i].id,
                     b[i].mass, b[i].position[0]);
    free(a);
    free(b);
}

/* Some of the bodies, at most all. */
static struct bodies *few_of(const struct bodies *bodies, size_t number)
{
    struct bodies *few;
    assert_ok(bodies_copy(&few, bodies));
    if (number < few->count)
        assert_ok(bodies_thin(few, number));
    return few;
}

static void check_series(const char *what, const char *pattern)
{
    struct bodies *want = gather_alone(pattern), *few[THINNED];
    struct answer got = {.want = want};
    assert_ok(find_numbers(want, got.numbers));
    for (int k = 0; k < THINNED; k++)
        got.few[k] = few[k] = few_of(want, thinned[k]);
    const enum status status = ask(pattern, ASK_BODIES, &got);
    if (status != STATUS_OK)
        fail_msg("%s: %s", what, status_text());
    same_bodies(what, got.bodies, want);
    for (int k = 0; k < THINNED; k++)
        bodies_destroy(&few[k]);
    bodies_destroy(&got.bodies);
    bodies_destroy(&want);
}

/* A planted fault is noticed in any. */
static size_t series_count(void)
{
    return *fault ? 1 : SERIES;
}

static void shares_are_the_bodies_of_one(void **state)
{
    (void)state;
    for (size_t n = 0; n < series_count(); n++)
        check_series(every_series[n].name, leave(&every_series[n]));
}

static void same_motion(const char *what, size_t count, const struct moving *got,
                        const struct moving *want)
{
    for (size_t i = 0; i < TIMES * count; i++) {
        const struct moving *a = &got[i], *b = &want[i];
        if (memcmp(a, b, sizeof *a) != 0)
            fail_msg("%s at %g: body %zu of %zu is at %.17g, moves by %.17g, its age is %.17g and "
                     "%g absent; alone %.17g, %.17g, %.17g and %g",
                     what, times[i / count], i % count, count, a->position[0], a->velocity[0],
                     a->age, a->absent, b->position[0], b->velocity[0], b->age, b->absent);
    }
}

static void check_motion(const char *what, const char *pattern)
{
    const struct bodies_params params = params_of(pattern);
    struct bodies *bodies = gather_alone(pattern), *few = few_of(bodies, thinned[THINNED - 1]);
    struct moving *want = memory_new(TIMES * bodies->count, sizeof *want),
                  *few_move = memory_new(TIMES * few->count, sizeof *few_move);
    struct answer got = {.few_move = few_move};
    double turning, of_few;
    assert_ok(follow(&params, bodies, want, &turning));
    assert_ok(follow(&params, few, few_move, &of_few));
    const enum status status = ask(pattern, ASK_MOTION, &got);
    if (status != STATUS_OK)
        fail_msg("%s: %s", what, status_text());
    same_motion(what, bodies->count, got.moving, want);
    assert_true(got.turning == turning);
    free(got.moving);
    free(few_move);
    free(want);
    bodies_destroy(&few);
    bodies_destroy(&bodies);
}

static void motion_is_that_of_one(void **state)
{
    (void)state;
    for (size_t n = 0; n < series_count(); n++)
        check_motion(every_series[n].name, leave(&every_series[n]));
}

/* ---- series that fail ---- */

/* The same status and words as alone, and afterwards the ranks are in step. */
static void fails_as_alone(const char *pattern, enum status status, const char *words)
{
    const struct bodies_params params = params_of(pattern);
    struct bodies *bodies;
    struct answer answer = {0};
    assert_fails(playback_gather(&params, &bodies), status, words);
    assert_fails(ask(pattern, ASK_BODIES, &answer), status, words);
    assert_null(answer.bodies);
    assert_fails(ask(pattern, ASK_MOTION, &answer), status, words);
}

static void ids_that_are_there_twice(void **state)
{
    (void)state;
    struct series_of series = {"twice",       300,         1, .type = of_several_types,
                               .first_id = 1, .twice = 206};
    fails_as_alone(leave(&series), STATUS_USAGE, "twice_0.hdf5 two bodies id 206");
    series.twice_in = 2;
    fails_as_alone(leave(&series), STATUS_USAGE, "twice_2.hdf5 two bodies id 206");
    series = (struct series_of){"twice", 3, 1, .type = of_one_type, .twice = 1};
    fails_as_alone(leave(&series), STATUS_USAGE, "twice_0.hdf5 two bodies id 0");
    series = (struct series_of){"twice", 300, 1, .type = of_several_types, .first_id = 1};
    series.has = forms; /* a star, which is new in the second */
    series.twice_in = 1;
    series.twice = 234;
    fails_as_alone(leave(&series), STATUS_USAGE, "twice_1.hdf5 two bodies id 234");
}

static void damage(const char *name, size_t bytes)
{
    char path[256];
    snprintf(path, sizeof path, "%s", folder_path(name));
    assert_int_equal(bytes > 0 ? truncate(path, (off_t)bytes) : unlink(path), 0);
}

static void snapshots_that_are_damaged(void **state)
{
    (void)state;
    const struct series_of series = {"bad", 300, 1, .type = of_several_types};
    const char *pattern = leave(&series);
    for (int k = SNAPSHOTS - 1; k >= 0; k--) {
        char name[32];
        snprintf(name, sizeof name, "bad_%d.hdf5", k);
        damage(name, 2000);
        fails_as_alone(pattern, STATUS_USAGE, name);
        leave(&series);
    }
    for (int k = 1; k < SNAPSHOTS; k++) {
        char name[32];
        snprintf(name, sizeof name, "bad_%d.hdf5", k);
        damage(name, 0);
    }
    fails_as_alone(pattern, STATUS_USAGE, "--bodies-from bad_0.hdf5");
    damage("bad_0.hdf5", 0);
    fails_as_alone(pattern, STATUS_IO, "no file");
    check_motion("bad", leave(&series));
}

/* ---- tasks ---- */

enum { PAUSES = 4, NOBODY = -1 };

/* A message to a task; filler follows it. Rank `fails` (and `also`) fails before the collective
 * call of this number, the last one after all of them. */
struct order {
    int32_t fails, when, also, also_when;
    bool nests;
};

static char filler(size_t i)
{
    return (char)(i * 7 + 3);
}

static enum status fail_at(const struct order *order, int when)
{
    if (ranks_own() == order->fails && when == order->when)
        return status_fail(STATUS_MISMATCH, "planted failure 17");
    if (ranks_own() == order->also && when == order->also_when)
        return status_fail(STATUS_MISMATCH, "planted failure 17");
    return STATUS_OK;
}

static enum status call(int number)
{
    uint64_t count = 1, *all = memory_new((size_t)ranks_count(), sizeof *all);
    double most = ranks_own();
    const enum status status = number == 0   ? ranks_sum(&count, 1)
                               : number == 1 ? ranks_largest(&most, 1)
                                             : ranks_gather_each(&count, all, sizeof count);
    free(all);
    if (status == STATUS_OK && ((number == 0 && count != (uint64_t)ranks_count()) ||
                                (number == 1 && most != ranks_count() - 1)))
        return status_fail(STATUS_RUNTIME, "call %d of another task", number);
    return status;
}

static enum status take_steps(const void *message, size_t bytes, void *own);
static const struct ranks_task steps_task = {take_steps, 0};

static enum status take_steps(const void *message, size_t bytes, void *own)
{
    struct order order;
    if (bytes < sizeof order || (own != NULL) != (ranks_own() == 0))
        return status_fail(STATUS_RUNTIME, "an order of %zu bytes", bytes);
    memcpy(&order, message, sizeof order);
    for (size_t i = sizeof order; i < bytes; i++)
        if (((const char *)message)[i] != filler(i))
            return status_fail(STATUS_RUNTIME, "byte %zu of %zu is another", i, bytes);
    if (ranks_count() > 1 && !ranks_are_together())
        return status_fail(STATUS_RUNTIME, "the ranks are not together");
    enum status status = STATUS_OK;
    for (int k = 0; k < PAUSES && status == STATUS_OK; k++) {
        status = fail_at(&order, k);
        if (status == STATUS_OK && k < PAUSES - 1)
            status = call(k);
    }
    if (status == STATUS_OK && order.nests) {
        order = (struct order){NOBODY, 0, NOBODY, 0, false};
        status = ranks_together(&steps_task, &order, sizeof order, own);
    }
    return status;
}

static enum status tell(const struct order *order, size_t filled)
{
    int own = 0;
    char *message = memory_new(sizeof *order + filled, 1);
    memcpy(message, order, sizeof *order);
    for (size_t i = sizeof *order; i < sizeof *order + filled; i++)
        message[i] = filler(i);
    const enum status status = ranks_together(&steps_task, message, sizeof *order + filled, &own);
    free(message);
    assert_false(ranks_are_together());
    return status;
}

static const struct order nothing_fails = {NOBODY, 0, NOBODY, 0, false};

/* 64 bytes go with the task; fewer and more. */
static void messages_of_any_length(void **state)
{
    (void)state;
    static const size_t whole[] = {0, 1, 63, 64, 65, 127, 128, 1000, 1 << 20};
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        assert_ok(tell(&nothing_fails,
                       whole[k] > sizeof nothing_fails ? whole[k] - sizeof nothing_fails : 0));
}

static void a_rank_fails(void **state)
{
    (void)state;
    for (int fails = 0; fails < ranks_count(); fails++)
        for (int when = 0; when < PAUSES; when++)
            for (int nests = 0; nests < 2; nests++) {
                const struct order order = {fails, when, NOBODY, 0, nests};
                char words[64] = "planted failure 17";
                if (fails > 0)
                    snprintf(words, sizeof words, "'rank %d' planted failure 17", fails);
                assert_fails(tell(&order, nests ? 200 : 0), STATUS_MISMATCH, words);
                assert_ok(tell(&nothing_fails, 0));
            }
}

static void two_ranks_fail(void **state)
{
    (void)state;
    for (int also = 1; also < ranks_count(); also++)
        for (int when = 0; when < PAUSES; when++)
            for (int also_when = 0; also_when < PAUSES; also_when++) {
                const struct order order = {also - 1, when, also, also_when, false};
                assert_fails(tell(&order, 0), STATUS_MISMATCH, "planted failure 17");
                assert_ok(tell(&nothing_fails, 0));
            }
}

static void tasks_within_tasks(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++)
        assert_ok(tell(&(struct order){NOBODY, 0, NOBODY, 0, true}, (size_t)k * 20));
}

static void *tell_many(void *user)
{
    enum status *status = user;
    for (int k = 0; k < 50 && *status == STATUS_OK; k++) {
        int own = 0;
        const struct order order = {NOBODY, 0, NOBODY, 0, k % 2 == 0};
        *status = ranks_together(&steps_task, &order, sizeof order, &own);
    }
    return NULL;
}

static void tasks_of_several_threads(void **state)
{
    (void)state;
    pthread_t threads[3];
    enum status status[3] = {STATUS_OK, STATUS_OK, STATUS_OK};
    if (ranks_count() == 1) /* then a task is no more than a call */
        return;
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, tell_many, &status[k]), 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(status[k], STATUS_OK);
}

/* ---- the whole ---- */

/* every: with what does not depend on how many ranks there are. */
static int test_on_ranks(bool every)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_the_bodies_of_one),
        cmocka_unit_test(motion_is_that_of_one),
        /* every */
        cmocka_unit_test(messages_of_any_length),
        cmocka_unit_test(a_rank_fails),
        cmocka_unit_test(two_ranks_fail),
        cmocka_unit_test(tasks_within_tasks),
        cmocka_unit_test(tasks_of_several_threads),
        cmocka_unit_test(ids_that_are_there_twice),
        cmocka_unit_test(snapshots_that_are_damaged),
    };
    const size_t count = every ? sizeof tests / sizeof *tests : 2;
    return outcome_of(
        __FILE__, count,
        _cmocka_run_group_tests("tests", tests, count, folder_set_up, folder_tear_down));
}

static const struct ranks_task *const tasks[] = {&snapshots_task, &steps_task, NULL};

int main(int argc, char **argv)
{
    ranks_offer(tasks);
    log_set_level(LOG_WARNING);
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    fault = argc > 2 ? argv[2] : "";
    int code = (int)ranks_open();
    if (code != STATUS_OK) {
        if (*status_text())
            log_error("%s", status_text());
        return code;
    }
    const bool every = argc > 1 || ranks_count() == 3 || getenv("GRAVREEL_TEST_ALL");
    code = ranks_own() > 0 ? ranks_serve() : test_on_ranks(every);
    ranks_close();
    return code;
}
