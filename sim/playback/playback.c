#include "sim/playback/playback.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/playback/directory.h"
#include "sim/playback/series.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The snapshots kept: the two around the current time, and the next; on ranks, the next one stays
 * as it was read until it becomes one of the two. */
enum { KEPT = 3, NEXT = 2 };

/* The number of rows that go to other ranks at a time. */
enum { ROWS_AT_ONCE = 1 << 20 };

/* Who reads a snapshot, and for whom. */
enum reading {
    READ_ALONE,
    READ_SHARED, /* each rank reads its slice, for the ranks that have the bodies */
    READ_COPIES, /* each rank reads its slice, for all ranks, which have the same bodies */
};

/* A snapshot, in the order of the places. */
struct moment_of {
    size_t index; /* in the series; SIZE_MAX: none */
    double (*position)[3], (*velocity)[3];
    double **column;      /* NaN: no value in the snapshot */
    uint8_t *there;       /* whether the snapshot has the body */
    double box[3], grows; /* edges of the periodic box, and rate of its expansion; 0: none */
};

/* An edge of the periodic box at a moment, with the first two derivatives, and its lower end; edge
 * 0: none. */
struct box_at {
    double edge[3], corner;
};

/* The present time between two snapshots. */
struct instant {
    const struct moment_of *a, *b;
    double u;
    struct hermite by;
    struct box_at box[3]; /* along each axis */
    /* In a comoving frame bodies are interpolated in the scale factor, in which they move nearly
     * uniformly while structures are small (Y. B. Zel'dovich 1970, A&A 5, 84): its first derivative
     * at both snapshots and now, and its second one now. */
    bool comoves;
    double pace[2], rate, bend;
};

/* A row of a slice for another rank. */
struct row {
    uint64_t id;
    uint32_t place, spare;
    double position[3], velocity[3];
    double column[];
};

struct playback {
    struct series series;
    enum reading kind;
    struct ids ids;              /* of these bodies */
    struct directory *directory; /* for READ_SHARED, instead of ids */
    size_t count;
    double (*home)[3];               /* position given for absent bodies; NULL: there are none */
    char (*names)[BODY_COLUMN_NAME]; /* of the columns */
    const char **choice;             /* the same, ended by NULL */
    bool kernel;                     /* BODY_KERNEL is one of them */
    size_t column_count;
    struct moment_of kept[KEPT];
    struct instant now;
    struct moment_of *reading; /* being read by the thread, or NULL */
    pthread_t thread;
    bool started;           /* whether the thread runs; otherwise the snapshot was read at once */
    struct failure failure; /* of the thread */
    struct snapshot ahead;  /* what the thread has read on ranks, which then exchange the rows */
    double (*position)[3], (*velocity)[3], (*acceleration)[3]; /* NULL for READ_SHARED */
    double **column;
    bool *absent;
};

/* ---- reading ---- */

/* Stores a row as body `at` of a snapshot; row->column [column_count]: NAN where the file lacks the
 * column. */
static enum status place_body(struct playback *playback, const struct row *row, size_t at,
                              struct moment_of *to)
{
    const struct bodies_params *params = playback->series.params;
    if (at >= playback->count)
        return status_fail(STATUS_RUNTIME, "body %zu is not among the %zu bodies of this rank", at,
                           playback->count);
    if (to->there[at])
        return status_fail(STATUS_USAGE, "'%s' has two bodies with the id %" PRIu64,
                           playback->series.files[to->index].path, row->id);
    to->there[at] = 1;
    for (int c = 0; c < 3; c++) {
        to->position[at][c] = row->position[c] * params->position_scale;
        to->velocity[at][c] = row->velocity[c] * params->velocity_scale;
    }
    for (size_t k = 0; k < playback->column_count; k++)
        to->column[k][at] = row->column[k];
    return STATUS_OK;
}

/* column [column_count]: the file's columns; NULL: the file lacks this one. */
static void take_row(const struct playback *playback, const struct bodies *from,
                     const double *const *column, size_t i, struct row *out)
{
    out->id = from->id[i];
    memcpy(out->position, from->position[i], sizeof out->position);
    memcpy(out->velocity, from->velocity[i], sizeof out->velocity);
    for (size_t k = 0; k < playback->column_count; k++)
        out->column[k] = column[k] ? column[k][i] : NAN;
}

static size_t row_bytes(const struct playback *playback)
{
    return sizeof(struct row) + playback->column_count * sizeof(double);
}

static enum status place_alone(struct playback *playback, const struct bodies *from,
                               const double *const *column, struct moment_of *to)
{
    struct row *row = memory_new(1, row_bytes(playback));
    enum status status = STATUS_OK;
    for (size_t i = 0, guess = 0; i < from->count && status == STATUS_OK; i++) {
        const size_t at = ids_find(&playback->ids, from->id[i], guess);
        if (at == SIZE_MAX)
            continue;
        guess = at + 1;
        take_row(playback, from, column, i, row);
        status = place_body(playback, row, at, to);
    }
    free(row);
    return status;
}

/* Stores rows that ranks have sent. */
static enum status place_rows(struct playback *playback, const uint8_t *rows, size_t count,
                              struct moment_of *to)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct row *row = (const void *)(rows + i * row_bytes(playback));
        status = place_body(playback, row, row->place, to);
    }
    return status;
}

/* Collective: sends rows first .. first + count - 1 of the slice to the ranks that have them. */
static enum status send_rows(struct playback *playback, const struct bodies *from,
                             const double *const *column, size_t first, size_t count,
                             struct moment_of *to)
{
    const size_t bytes = row_bytes(playback);
    struct whereabouts *where = malloc((count + 1) * sizeof *where);
    uint8_t *rows = malloc((count + 1) * bytes);
    void *got = NULL;
    size_t here = 0;
    enum status status = where && rows
                             ? STATUS_OK
                             : status_fail(STATUS_RUNTIME, "no memory to send %zu bodies", count);
    if (status == STATUS_OK)
        status = directory_find(playback->directory, from->id + first, count, where);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct row *row = (void *)(rows + i * bytes);
        take_row(playback, from, column, first + i, row);
        row->place = where[i].place;
    }
    if (status == STATUS_OK)
        status = directory_send(rows, bytes, where, count, &got, &here);
    free(rows);
    free(where);
    if (status == STATUS_OK)
        status = place_rows(playback, got, here, to);
    free(got);
    return status;
}

static enum status place_shared(struct playback *playback, const struct bodies *from,
                                const double *const *column, struct moment_of *to)
{
    double most = (double)from->count;
    enum status status = ranks_largest(&most, 1);
    for (size_t first = 0; (double)first < most && status == STATUS_OK; first += ROWS_AT_ONCE) {
        const size_t begin = first < from->count ? first : from->count;
        const size_t rest = from->count - begin;
        status =
            send_rows(playback, from, column, begin, rest < ROWS_AT_ONCE ? rest : ROWS_AT_ONCE, to);
    }
    return status;
}

/* Collective: gathers the rows of these bodies, which are few, from all slices on every rank. */
static enum status place_copies(struct playback *playback, const struct bodies *from,
                                const double *const *column, struct moment_of *to)
{
    const size_t bytes = row_bytes(playback), ranks = (size_t)ranks_count();
    size_t count = 0, all = 0, *bytes_of = memory_new(ranks, sizeof *bytes_of);
    uint8_t *own = NULL, *rows = NULL;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (size_t i = 0, guess = 0; i < from->count; i++) {
            const size_t at = ids_find(&playback->ids, from->id[i], guess);
            if (at == SIZE_MAX)
                continue;
            guess = at + 1;
            if (pass) {
                struct row *row = (void *)(own + count * bytes);
                take_row(playback, from, column, i, row);
                row->place = (uint32_t)at;
            }
            count++;
        }
        if (!pass)
            own = memory_new(count + 1, bytes);
    }
    uint64_t mine = count * bytes, *of = memory_new(ranks, sizeof *of);
    enum status status = ranks_gather_each(&mine, of, sizeof mine);
    for (size_t r = 0; r < ranks; r++)
        all += bytes_of[r] = of[r];
    if (status == STATUS_OK) {
        rows = memory_new(all / bytes + 1, bytes);
        status = ranks_gather(own, rows, bytes_of);
    }
    if (status == STATUS_OK)
        status = place_rows(playback, rows, all / bytes, to);
    free(own);
    free(rows);
    free(of);
    free(bytes_of);
    return status;
}

/* An expanding box keeps its centre. */
static double corner_of(const struct series *series, double box, int axis)
{
    return series->centre[axis] > 0 ? series->centre[axis] - box / 2 : 0;
}

/* Whether all bodies are inside the box. Files may state an edge without being periodic, and then
 * bodies leave it. */
static bool is_within(const struct series *series, const struct snapshot *snapshot)
{
    static const double ROUNDING = 1e-6;
    const struct bodies *bodies = snapshot->bodies;
    bool any = false;
    for (int c = 0; c < 3; c++) {
        const double box = snapshot->box[c], corner = corner_of(series, box, c);
        for (size_t i = 0; i < bodies->count && box > 0; i++) {
            const double x = bodies->position[i][c] - corner;
            if (!(x >= -ROUNDING * box && x <= (1 + ROUNDING) * box))
                return false;
        }
        any |= box > 0;
    }
    return any;
}

static enum status read_file(struct playback *playback, size_t index, struct snapshot *out)
{
    const struct column_choice choice = {.names = playback->choice, .kernel = playback->kernel};
    return playback->kind == READ_ALONE ? series_read(&playback->series, index, &choice, out)
                                        : series_read_slice(&playback->series, index, &choice, out);
}

/* Sets the box if all bodies, on ranks those of every slice, are inside it. Collective on ranks. */
static enum status find_box(struct playback *playback, const struct snapshot *snapshot,
                            struct moment_of *to)
{
    const struct series *series = &playback->series;
    const struct bodies_params *params = series->params;
    double outside = is_within(series, snapshot) ? 0 : 1;
    const enum status status =
        playback->kind == READ_ALONE ? STATUS_OK : ranks_largest(&outside, 1);
    to->box[0] = to->box[1] = to->box[2] = to->grows = 0;
    if (outside == 0) {
        for (int c = 0; c < 3; c++)
            to->box[c] = snapshot->box[c] * params->position_scale;
        to->grows = snapshot->expansion * params->velocity_scale / params->position_scale;
    }
    return status;
}

/* Stores the rows of a snapshot, and frees it. Collective on ranks. */
static enum status place_all(struct playback *playback, struct snapshot *snapshot,
                             struct moment_of *to)
{
    static enum status (*const place[])(struct playback *, const struct bodies *,
                                        const double *const *, struct moment_of *) = {
        [READ_ALONE] = place_alone, [READ_SHARED] = place_shared, [READ_COPIES] = place_copies};
    struct bodies *bodies = snapshot->bodies;
    const double **column = memory_new(playback->column_count + 1, sizeof *column);
    for (size_t k = 0; k < playback->column_count; k++) {
        const struct body_column *found = body_columns_find(&bodies->columns, playback->names[k]);
        column[k] = found ? found->value : NULL;
        for (size_t i = 0; found && strcmp(found->name, BODY_KERNEL) == 0 && i < bodies->count; i++)
            found->value[i] *= playback->series.params->position_scale;
    }
    memset(to->there, 0, playback->count);
    enum status status = find_box(playback, snapshot, to);
    if (status == STATUS_OK)
        status = place[playback->kind](playback, bodies, column, to);
    free(column);
    snapshot_free(snapshot);
    return status;
}

static enum status read_into(struct playback *playback, struct moment_of *to)
{
    struct snapshot snapshot;
    enum status status = read_file(playback, to->index, &snapshot);
    return status == STATUS_OK ? place_all(playback, &snapshot, to) : status;
}

/* Runs on the reading thread. On ranks it only reads: the rows are exchanged on the thread that
 * runs the tasks. */
static void *read_ahead(void *user)
{
    struct playback *playback = user;
    failure_keep(&playback->failure,
                 playback->kind == READ_ALONE
                     ? read_into(playback, playback->reading)
                     : read_file(playback, playback->reading->index, &playback->ahead));
    return NULL;
}

/* If the thread cannot be started, the snapshot is read now. */
static void begin_reading(struct playback *playback, struct moment_of *to, size_t index)
{
    to->index = index;
    playback->reading = to;
    playback->started = pthread_create(&playback->thread, NULL, read_ahead, playback) == 0;
    if (!playback->started)
        (void)read_ahead(playback);
}

/* Waits for the thread to end, and returns its failure. */
static enum status stop_reading(struct playback *playback)
{
    if (playback->started)
        pthread_join(playback->thread, NULL);
    playback->started = false;
    if (playback->failure.status != STATUS_OK)
        playback->reading->index = SIZE_MAX;
    playback->reading = NULL;
    return failure_report(&playback->failure);
}

static struct moment_of *find(struct playback *playback, size_t index)
{
    for (int i = 0; i < KEPT; i++)
        if (playback->kept[i].index == index)
            return &playback->kept[i];
    return NULL;
}

static struct moment_of *find_free(struct playback *playback, size_t k)
{
    int i = 0;
    while (playback->kept[i].index == k || playback->kept[i].index == k + 1)
        i++;
    return &playback->kept[i];
}

/* Uses what the thread has read on ranks if it is this snapshot; otherwise reads the snapshot. */
static enum status read_or_take(struct playback *playback, struct moment_of *moment)
{
    struct moment_of *next = &playback->kept[NEXT];
    if (playback->kind == READ_ALONE || next->index != moment->index)
        return read_into(playback, moment);
    enum status status = stop_reading(playback);
    next->index = SIZE_MAX;
    return status == STATUS_OK ? place_all(playback, &playback->ahead, moment) : status;
}

static enum status need(struct playback *playback, size_t k, size_t index)
{
    enum status status = STATUS_OK;
    const bool alone = playback->kind == READ_ALONE;
    struct moment_of *moment = find(playback, index);
    if (alone && playback->reading && (!moment || moment == playback->reading))
        status = stop_reading(playback);
    moment = find(playback, index);
    if (status != STATUS_OK || (moment && moment != playback->reading))
        return status;
    moment = find_free(playback, k);
    moment->index = index;
    status = read_or_take(playback, moment);
    if (status != STATUS_OK)
        moment->index = SIZE_MAX;
    return status;
}

/* Holds snapshots k and k + 1, and starts reading the next. */
static enum status hold(struct playback *playback, size_t k)
{
    enum status status = need(playback, k, k);
    if (status == STATUS_OK)
        status = need(playback, k, k + 1);
    const size_t next = k + 2;
    if (status != STATUS_OK || next >= playback->series.count || find(playback, next))
        return status;
    if (playback->reading)
        status = stop_reading(playback);
    snapshot_free(&playback->ahead);
    if (status == STATUS_OK)
        begin_reading(playback,
                      playback->kind == READ_ALONE ? find_free(playback, k) : &playback->kept[NEXT],
                      next);
    return status;
}

/* ---- between two ---- */

static struct box_at box_between(const struct series *series, const struct moment_of *a,
                                 const struct moment_of *b, const struct hermite *by, int axis)
{
    struct box_at box = {.corner = 0};
    const double from = a->box[axis], to = b->box[axis];
    if (!(from > 0 && to > 0))
        return box;
    hermite_move(by, from, to, a->grows * from, b->grows * to, box.edge);
    const double scale = series->params->position_scale;
    box.corner = scale * corner_of(series, box.edge[0] / scale, axis);
    return box;
}

/* Interpolates a coordinate between the snapshots; out: the value and its two derivatives in time.
 */
static void interpolate(const struct instant *now, const double x[2], const double v[2],
                        double out[3])
{
    if (!now->comoves) {
        hermite_move(&now->by, x[0], x[1], v[0], v[1], out);
        return;
    }
    hermite_move(&now->by, x[0], x[1], v[0] / now->pace[0], v[1] / now->pace[1], out);
    out[2] = out[2] * now->rate * now->rate + out[1] * now->bend;
    out[1] *= now->rate;
}

/* Moves a body on the shortest way in the box; when it leaves the box, it enters on the other side.
 * All periodic images of a body have the velocity of the expansion at their own place. */
static void move(const struct playback *playback, const struct moment_of *a,
                 const struct moment_of *b, size_t i, double x[3], double v[3],
                 double acceleration[3])
{
    const struct instant *now = &playback->now;
    for (int c = 0; c < 3; c++) {
        const double *box = now->box[c].edge;
        const double centre = playback->series.centre[c] * playback->series.params->position_scale;
        const double from = a->position[i][c], to = b->position[i][c];
        const double edge =
            b->box[c] * hermite_rounds(from - centre, to - centre, a->box[c], b->box[c]);
        const double places[2] = {from, to - edge},
                     velocities[2] = {a->velocity[i][c], b->velocity[i][c] - b->grows * edge};
        double out[3];
        interpolate(now, places, velocities, out);
        const double rounds = box[0] > 0 ? floor((out[0] - now->box[c].corner) / box[0]) : 0;
        x[c] = out[0] - rounds * box[0];
        v[c] = out[1] - rounds * box[1];
        acceleration[c] = out[2] - rounds * box[2];
    }
}

/* Between two snapshots both must have a body; at a snapshot, only that one. */
static bool is_there(const struct instant *now, size_t i)
{
    return (now->a->there[i] || now->u == 1) && (now->b->there[i] || now->u == 0);
}

void playback_part(const struct playback *playback, size_t first, size_t count,
                   double (*position)[3], double (*velocity)[3], double (*acceleration)[3])
{
    const struct moment_of *a = playback->now.a, *b = playback->now.b;
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        if (is_there(&playback->now, i)) {
            move(playback, a->there[i] ? a : b, b->there[i] ? b : a, i, position[k], velocity[k],
                 acceleration[k]);
            continue;
        }
        memset(position[k], 0, sizeof *position);
        memset(velocity[k], 0, sizeof *velocity);
        memset(acceleration[k], 0, sizeof *acceleration);
        if (playback->home)
            memcpy(position[k], playback->home[i], sizeof *position);
    }
}

/* A snapshot's own moment shows its own value, even where the other snapshot has none. */
static double mix(const struct instant *now, size_t column, size_t i)
{
    const double from = now->a->column[column][i], to = now->b->column[column][i], u = now->u;
    return u == 0 ? from : u == 1 ? to : (1 - u) * from + u * to;
}

static double pace_of(const struct cosmology *of, double a)
{
    return of->hubble * a * cosmology_rate(of, a);
}

/* Interpolates in the scale factor between snapshots k and k + 1. */
static void find_scale(const struct series *series, size_t k, double u, struct instant *now)
{
    const struct series_file *a = &series->files[k], *b = a + 1;
    const struct cosmology of = series_cosmology(series);
    const double age = a->time + u * (b->time - a->time);
    const double scale = u == 0 ? a->scale : u == 1 ? b->scale : cosmology_scale_at(&of, age);
    const double part = (scale - a->scale) / (b->scale - a->scale);
    now->comoves = true;
    now->by = hermite_at(fmin(fmax(part, 0), 1), b->scale - a->scale);
    now->pace[0] = pace_of(&of, a->scale);
    now->pace[1] = pace_of(&of, b->scale);
    now->rate = pace_of(&of, scale);
    now->bend = of.hubble * of.hubble * cosmology_acceleration(&of, scale);
}

static void blend(struct playback *playback, size_t k, double u)
{
    const struct series_file *files = playback->series.files;
    struct instant *now = &playback->now;
    *now = (struct instant){.a = find(playback, k), .b = find(playback, k + 1), .u = u};
    now->by = hermite_at(u, files[k + 1].time - files[k].time);
    if (series_comoves(&playback->series))
        find_scale(&playback->series, k, u, now);
    for (int c = 0; c < 3; c++)
        now->box[c] = box_between(&playback->series, now->a, now->b, &now->by, c);
    for (size_t i = 0; i < playback->count; i++) {
        playback->absent[i] = !is_there(now, i);
        for (size_t c = 0; c < playback->column_count; c++)
            playback->column[c][i] = playback->absent[i] ? NAN : mix(now, c, i);
    }
    if (playback->kind != READ_SHARED)
        playback_part(playback, 0, playback->count, playback->position, playback->velocity,
                      playback->acceleration);
}

enum status playback_at(struct playback *playback, double time, struct playback_state *out)
{
    const struct series *series = &playback->series;
    const double wanted = series->files[0].time + fmax(time, 0);
    size_t k = 0;
    while (k + 2 < series->count && wanted >= series->files[k + 1].time)
        k++;
    const double from = series->files[k].time, to = series->files[k + 1].time;
    enum status status = hold(playback, k);
    if (status != STATUS_OK)
        return status;
    blend(playback, k, fmin((wanted - from) / (to - from), 1));
    *out = (struct playback_state){
        .position = (const double(*)[3])playback->position,
        .velocity = (const double(*)[3])playback->velocity,
        .acceleration = (const double(*)[3])playback->acceleration,
        .absent = playback->absent,
        .column = (const double *const *)playback->column,
    };
    return STATUS_OK;
}

/* ---- opening ---- */

static bool take_memory(double (**out)[3], size_t count)
{
    return (*out = malloc((count + 1) * sizeof **out)) != NULL;
}

static bool take_columns(double ***out, size_t columns, size_t count)
{
    bool whole = true;
    *out = memory_new(columns + 1, sizeof **out);
    for (size_t k = 0; k < columns; k++)
        whole &= ((*out)[k] = malloc((count + 1) * sizeof(double))) != NULL;
    return whole;
}

static bool take_moment(struct moment_of *moment, size_t columns, size_t count)
{
    moment->there = malloc(count + 1);
    return moment->there && take_memory(&moment->position, count) &&
           take_memory(&moment->velocity, count) && take_columns(&moment->column, columns, count);
}

/* Allocates memory for the present state and for the snapshots, on ranks only for two of them. */
static enum status make_room(struct playback *playback, bool absences)
{
    const size_t n = playback->count, columns = playback->column_count;
    const int kept = playback->kind == READ_ALONE ? KEPT : NEXT;
    bool whole = take_columns(&playback->column, columns, n);
    whole &= (playback->absent = malloc((n + 1) * sizeof *playback->absent)) != NULL;
    if (absences)
        whole &= take_memory(&playback->home, n);
    if (playback->kind != READ_SHARED)
        whole &= take_memory(&playback->position, n) && take_memory(&playback->velocity, n) &&
                 take_memory(&playback->acceleration, n);
    for (int i = 0; i < kept && whole; i++)
        whole &= take_moment(&playback->kept[i], columns, n);
    if (whole)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME,
                       "no memory left for %d snapshots of %zu bodies (%zu bytes); use fewer "
                       "bodies with -n",
                       kept, n,
                       n * ((size_t)kept * (sizeof(double[6]) + 1) +
                            (playback->kind == READ_SHARED ? 0 : sizeof(double[9])) +
                            8 * (size_t)(kept + 1) * columns));
}

static enum status take_ids(struct playback *playback, const struct bodies *bodies)
{
    if (playback->kind == READ_SHARED) {
        struct directory_twice twice;
        return directory_open(&playback->directory, bodies->id, bodies->count, &twice);
    }
    enum status status = ids_open(&playback->ids, bodies->count);
    for (size_t i = 0; i < bodies->count && status == STATUS_OK; i++)
        status = ids_add(&playback->ids, bodies->id[i]);
    return status;
}

static void take_names(struct playback *playback, const struct body_columns *columns)
{
    playback->column_count = columns->count;
    playback->names = memory_new(columns->count + 1, sizeof *playback->names);
    playback->choice = memory_new(columns->count + 1, sizeof *playback->choice);
    for (size_t k = 0; k < columns->count; k++) {
        memcpy(playback->names[k], columns->list[k].name, sizeof *playback->names);
        playback->choice[k] = playback->names[k];
        playback->kernel = playback->kernel || strcmp(playback->names[k], BODY_KERNEL) == 0;
    }
}

enum status playback_open(struct playback **out, const struct bodies_params *params,
                          const struct bodies *bodies)
{
    struct playback *playback = *out = memory_new(1, sizeof *playback);
    struct playback_state start;
    playback->count = bodies->count;
    playback->kind = !ranks_are_together() ? READ_ALONE
                     : bodies->shared      ? READ_SHARED
                                           : READ_COPIES;
    take_names(playback, &bodies->columns);
    for (int i = 0; i < KEPT; i++)
        playback->kept[i].index = SIZE_MAX;
    bool absences = false; /* see playback_gather */
    for (size_t i = 0; i < bodies->count; i++)
        absences |= bodies->mass[i] == 0;
    enum status status = series_open(&playback->series, params);
    if (status == STATUS_OK)
        status = take_ids(playback, bodies);
    if (status == STATUS_OK)
        status = make_room(playback, absences);
    if (status == STATUS_OK && absences)
        memcpy(playback->home, bodies->position, bodies->count * sizeof *playback->home);
    if (status == STATUS_OK)
        status = playback_at(playback, 0, &start);
    if (status != STATUS_OK)
        playback_close(out);
    return status;
}

static void free_columns(double **column, size_t count)
{
    for (size_t k = 0; k < count && column; k++)
        free(column[k]);
    free(column);
}

void playback_close(struct playback **playback)
{
    struct playback *self = *playback;
    if (!self)
        return;
    if (self->reading)
        (void)stop_reading(self);
    snapshot_free(&self->ahead);
    for (int i = 0; i < KEPT; i++) {
        free(self->kept[i].position);
        free(self->kept[i].velocity);
        free(self->kept[i].there);
        free_columns(self->kept[i].column, self->column_count);
    }
    free_columns(self->column, self->column_count);
    free(self->names);
    free(self->choice);
    free(self->absent);
    free(self->home);
    free(self->position);
    free(self->velocity);
    free(self->acceleration);
    ids_close(&self->ids);
    directory_close(&self->directory);
    series_close(&self->series);
    free(self);
    *playback = NULL;
}

static double duration(const struct series *series)
{
    return series->files[series->count - 1].time - series->files[0].time;
}

double playback_duration(const struct playback *playback)
{
    return duration(&playback->series);
}

enum status playback_turning(const struct playback *playback, double *out)
{
    const struct moment_of *a = find((struct playback *)playback, 0),
                           *b = find((struct playback *)playback, 1);
    const struct bodies these = {.shared = playback->kind == READ_SHARED};
    double both_turned[2] = {0};
    for (size_t i = 0; a && b && i < playback->count; i++) {
        const double *v = a->velocity[i], *w = b->velocity[i];
        if (!a->there[i] || !b->there[i])
            continue;
        both_turned[0]++;
        both_turned[1] += v[0] * w[0] + v[1] * w[1] + v[2] * w[2] < 0;
    }
    const enum status status = whole_sum(&these, both_turned, 2);
    *out = both_turned[0] > 0 ? both_turned[1] / both_turned[0] : 0;
    return status;
}

double playback_epoch(const struct playback *playback)
{
    return playback->series.files[0].time;
}

enum status playback_measure(const struct bodies_params *params, struct playback_span *out)
{
    struct series series;
    enum status status = series_open(&series, params);
    if (status == STATUS_OK)
        *out = (struct playback_span){series.count, series.files[0].time, duration(&series)};
    series_close(&series);
    return status;
}
