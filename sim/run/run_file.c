#include "base/file.h"
#include "base/json/codec.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "sim/hdf5/store.h"
#include "sim/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FORMAT = 2,
    FRONT = 512,
    HEAD_MOST = 1 << 28,
    MOMENT = 4 + RUN_DIAGNOSED,
    STATES = RUN_SIMULATIONS_MAX + 1,
    CHECKS = RUN_SIMULATIONS_MAX + 2 * STATES,
    COLUMNS_MOST = 3,
    TABLES_MOST =
        4 + BODY_COLUMNS_MAX + RUN_SIMULATIONS_MAX * (3 + COLUMNS_MOST) + 2 + 2 * RUN_PILOTS_MAX,
};

static const char magic[] = "gravreel run\n";

struct run_file {
    int descriptor;
    char *path;
    char hash[HASH_TEXT];                                 /* of the head */
    uint64_t moments, checks;                             /* where these tables are */
    uint64_t rows[RUN_SIMULATIONS_MAX][2 + COLUMNS_MOST]; /* those of the frames */
};

/* ---- the tables, in their order ---- */

struct table {
    char path[96];
    uint64_t size[STORE_RANK_MAX];
    int rank;
    enum store_kind kind;
    void *data; /* written once; NULL: by frames, at *place */
    uint64_t *place;
};

struct tables {
    int count;
    struct table list[TABLES_MOST];
};

static struct table *add(struct tables *tables, enum store_kind kind, uint64_t rows, uint64_t a,
                         uint64_t b)
{
    struct table *table = &tables->list[tables->count++];
    *table = (struct table){.size = {rows, a, b}, .rank = b > 0 ? 3 : a > 0 ? 2 : 1, .kind = kind};
    return table;
}

static void add_data(struct tables *tables, enum store_kind kind, uint64_t rows, uint64_t columns,
                     void *data, const char *path)
{
    struct table *table = add(tables, kind, rows, columns, 0);
    table->data = data;
    snprintf(table->path, sizeof table->path, "%s", path);
}

static uint64_t bytes_of(const struct table *table)
{
    uint64_t count = table->size[0];
    for (int k = 1; k < table->rank; k++)
        count *= table->size[k];
    return count * (table->kind == STORE_FLOATS ? 4 : table->kind == STORE_BYTES ? 1 : 8);
}

static uint64_t stored_frames(const struct run_about *about)
{
    const uint64_t last = about->frames - 1;
    return last / about->every + 1 + (last % about->every > 0);
}

/* Where a frame that is kept is among those stored. */
static uint64_t stored_at(const struct run_about *about, uint64_t frame)
{
    return frame % about->every == 0 ? frame / about->every : stored_frames(about) - 1;
}

static void list_bodies(struct tables *out, const struct bodies *bodies)
{
    char path[64];
    const uint64_t count = bodies->count;
    add_data(out, STORE_DOUBLES, count, 0, bodies->mass, "bodies/mass");
    add_data(out, STORE_DOUBLES, count, 3, bodies->position, "bodies/position");
    add_data(out, STORE_DOUBLES, count, 3, bodies->velocity, "bodies/velocity");
    if (bodies->id)
        add_data(out, STORE_WHOLE, count, 0, bodies->id, "bodies/id");
    for (size_t c = 0; c < bodies->columns.count; c++) {
        snprintf(path, sizeof path, "bodies/column_%zu", c + 1);
        add_data(out, STORE_DOUBLES, count, 0, bodies->columns.list[c].value, path);
    }
}

/* The tables that are written once. */
static void list_data(struct tables *out, const struct run_about *about)
{
    char path[64];
    out->count = 0;
    list_bodies(out, about->bodies);
    for (int s = 0; s < about->simulation_count; s++) {
        snprintf(path, sizeof path, "simulation_%d/acceleration", s + 1);
        add_data(out, STORE_DOUBLES, about->bodies->count, 3, about->simulations[s].acceleration,
                 path);
    }
    for (int p = 0; p < about->pilots.count; p++) {
        const struct run_pilot *pilot = &about->pilots.list[p];
        snprintf(path, sizeof path, "pilot_%d/samples", p + 1);
        if (pilot->motion) {
            add_data(out, STORE_DOUBLES, pilot->samples, pilot->bodies, pilot->motion, path);
            out->list[out->count - 1].size[2] = 6;
            out->list[out->count - 1].rank = 3;
        }
        snprintf(path, sizeof path, "pilot_%d/separation", p + 1);
        if (pilot->separation)
            add_data(out, STORE_DOUBLES, pilot->samples, 0, pilot->separation, path);
    }
}

static void list_tables(struct tables *out, const struct run_about *about, struct run_file *file)
{
    const uint64_t count = about->bodies->count, stored = stored_frames(about);
    list_data(out, about);
    struct table *table = add(out, STORE_DOUBLES, about->frames, MOMENT, 0);
    snprintf(table->path, sizeof table->path, "frames");
    table->place = &file->moments;
    table = add(out, STORE_WHOLE, about->frames, CHECKS, 0);
    snprintf(table->path, sizeof table->path, "checks");
    table->place = &file->checks;
    for (int s = 0; s < about->simulation_count; s++)
        for (int k = 0; k < 2 + about->columns.count; k++) {
            table = add(out, STORE_FLOATS, stored, count, k < 2 ? 3 : 0);
            snprintf(table->path, sizeof table->path, "simulation_%d/frame_%s", s + 1,
                     k == 0   ? "position"
                     : k == 1 ? "velocity"
                              : about->columns.list[k - 2]);
            table->place = &file->rows[s][k];
        }
}

static void hash_data(const struct run_about *about, char out[HASH_TEXT])
{
    struct tables tables;
    struct hash_part parts[TABLES_MOST];
    list_data(&tables, about);
    for (int t = 0; t < tables.count; t++)
        parts[t] = (struct hash_part){tables.list[t].data, bytes_of(&tables.list[t])};
    hash_parts(parts, (size_t)tables.count, out);
}

/* ---- the head ---- */

struct head_simulation {
    char *physics, *backend, *force, *kernel, *model;
};

struct head_component {
    char *name, *galaxy;
    uint64_t first, count;
    bool draw;
    double light, softening;
};

struct head_column {
    char *name, *unit, *words;
    bool single, has_words;
};

struct head_name {
    char *name;
};

struct head_pilot {
    char *key;
    uint64_t bodies, samples;
    bool motion, separation;
};

struct head {
    char *program, *scene, moves[17];
    uint64_t bodies, frames;
    uint32_t every;
    bool ids;
    struct head_simulation simulations[RUN_SIMULATIONS_MAX];
    struct head_name columns[COLUMNS_MOST];
    struct head_pilot pilots[RUN_PILOTS_MAX];
    uint32_t simulation_count, column_count, pilot_count;
    struct head_component *components;
    struct head_column *body_columns;
    uint64_t component_count, body_column_count;
    char data[HASH_TEXT];
    uint64_t *tables, table_count;
};

static const struct json_member simulation_members[] = {
    {"physics", AS_TEXT, MEMBER_AT(struct head_simulation, physics)},
    {"backend", AS_TEXT, MEMBER_AT(struct head_simulation, backend)},
    {"force", AS_TEXT, MEMBER_AT(struct head_simulation, force)},
    {"kernel", AS_TEXT, MEMBER_AT(struct head_simulation, kernel)},
    {"model", AS_TEXT, MEMBER_AT(struct head_simulation, model)},
    {0},
};

static const struct json_member component_members[] = {
    {"name", AS_TEXT, MEMBER_AT(struct head_component, name)},
    {"galaxy", AS_TEXT, MEMBER_AT(struct head_component, galaxy)},
    {"first", AS_WHOLE, MEMBER_AT(struct head_component, first)},
    {"count", AS_WHOLE, MEMBER_AT(struct head_component, count)},
    {"draw", AS_FLAG, MEMBER_AT(struct head_component, draw)},
    {"light", AS_REAL, MEMBER_AT(struct head_component, light)},
    {"softening", AS_REAL, MEMBER_AT(struct head_component, softening)},
    {0},
};

static const struct json_member column_members[] = {
    {"name", AS_TEXT, MEMBER_AT(struct head_column, name)},
    {"unit", AS_TEXT, MEMBER_AT(struct head_column, unit)},
    {"single", AS_FLAG, MEMBER_AT(struct head_column, single)},
    {"has_words", AS_FLAG, MEMBER_AT(struct head_column, has_words)},
    {"words", AS_LINES, MEMBER_AT(struct head_column, words)},
    {0},
};

static const struct json_member name_members[] = {
    {"name", AS_TEXT, MEMBER_AT(struct head_name, name)},
    {0},
};

static const struct json_member pilot_members[] = {
    {"key", AS_TEXT, MEMBER_AT(struct head_pilot, key)},
    {"bodies", AS_WHOLE, MEMBER_AT(struct head_pilot, bodies)},
    {"samples", AS_WHOLE, MEMBER_AT(struct head_pilot, samples)},
    {"motion", AS_FLAG, MEMBER_AT(struct head_pilot, motion)},
    {"separation", AS_FLAG, MEMBER_AT(struct head_pilot, separation)},
    {0},
};

static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = FORMAT, .most = FORMAT},
    {"program", AS_TEXT, MEMBER_AT(struct head, program)},
    {"scene", AS_TEXT, MEMBER_AT(struct head, scene)},
    {"moves", AS_NAME, MEMBER_AT(struct head, moves)},
    {"bodies", AS_WHOLE, MEMBER_AT(struct head, bodies), .least = 1, .most = (uint64_t)1 << 40},
    {"frames", AS_WHOLE, MEMBER_AT(struct head, frames), .least = 1, .most = (uint64_t)1 << 30},
    {"every", AS_WHOLE, MEMBER_AT(struct head, every), .least = 1, .most = (uint64_t)1 << 30},
    {"ids", AS_FLAG, MEMBER_AT(struct head, ids)},
    {"simulations", AS_OBJECT, MEMBER_SHORT_LIST(struct head, simulations, simulation_count),
     .members = simulation_members},
    {"columns", AS_OBJECT, MEMBER_SHORT_LIST(struct head, columns, column_count),
     .members = name_members},
    {"components", AS_OBJECT, MEMBER_LIST(struct head, components, component_count),
     .members = component_members},
    {"body_columns", AS_OBJECT, MEMBER_LIST(struct head, body_columns, body_column_count),
     .members = column_members},
    {"pilots", AS_OBJECT, MEMBER_SHORT_LIST(struct head, pilots, pilot_count),
     .members = pilot_members},
    {"data", AS_HASH, MEMBER_AT(struct head, data)},
    {"tables", AS_WHOLE, MEMBER_LIST(struct head, tables, table_count)},
    {0},
};

static const struct json_form form = {.members = members, .style = STYLE_LINES};

/* A line for each of a column's words. */
static char *join_words(const struct body_words *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = text_begin(&text, &size);
    for (size_t w = 0; words && w < words->count; w++)
        fprintf(file, "%s\n", words->list[w]);
    text_end(file);
    return text;
}

/* The texts are the run's, except those of words. */
static void describe(struct head *head, const struct run_about *about)
{
    const struct bodies *bodies = about->bodies;
    *head = (struct head){.program = (char *)GRAVREEL_VERSION,
                          .scene = about->scene,
                          .bodies = bodies->count,
                          .frames = about->frames,
                          .every = about->every,
                          .ids = bodies->id != NULL,
                          .simulation_count = (uint32_t)about->simulation_count,
                          .column_count = (uint32_t)about->columns.count,
                          .pilot_count = (uint32_t)about->pilots.count,
                          .component_count = bodies->component_count,
                          .body_column_count = bodies->columns.count};
    snprintf(head->moves, sizeof head->moves, "%s", about->moves);
    for (int s = 0; s < about->simulation_count; s++) {
        const struct run_simulation *one = &about->simulations[s];
        head->simulations[s] =
            (struct head_simulation){(char *)one->physics, (char *)one->backend, (char *)one->force,
                                     (char *)one->kernel, (char *)one->model};
    }
    for (int c = 0; c < about->columns.count; c++)
        head->columns[c].name = (char *)about->columns.list[c];
    for (int p = 0; p < about->pilots.count; p++) {
        const struct run_pilot *one = &about->pilots.list[p];
        head->pilots[p] = (struct head_pilot){(char *)one->key, one->bodies, one->samples,
                                              one->motion != NULL, one->separation != NULL};
    }
    head->components = memory_new(bodies->component_count, sizeof *head->components);
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *one = &bodies->components[c];
        head->components[c] = (struct head_component){
            (char *)one->name, (char *)one->galaxy, one->first,    one->count,
            one->draw,         one->light,          one->softening};
    }
    head->body_columns = memory_new(bodies->columns.count + 1, sizeof *head->body_columns);
    for (size_t c = 0; c < bodies->columns.count; c++) {
        const struct body_column *one = &bodies->columns.list[c];
        head->body_columns[c] =
            (struct head_column){(char *)one->name, (char *)one->unit, join_words(one->words),
                                 one->single, one->words != NULL};
    }
    hash_data(about, head->data);
}

static void free_description(struct head *head)
{
    for (uint64_t c = 0; c < head->body_column_count; c++)
        free(head->body_columns[c].words);
    free(head->body_columns);
    free(head->components);
    free(head->tables);
}

/* ---- writing ---- */

static enum status put(const struct run_file *file, const void *data, uint64_t size, uint64_t at)
{
    const char *from = data;
    while (size > 0) {
        const ssize_t done =
            pwrite(file->descriptor, from, size < 1 << 30 ? size : 1 << 30, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return status_fail(STATUS_IO, "cannot write the run '%s': %s", file->path,
                               done < 0 ? strerror(errno) : "nothing was written");
        from += done;
        at += (uint64_t)done;
        size -= (uint64_t)done;
    }
    return STATUS_OK;
}

static enum status fail_to_make(const char *path)
{
    return status_fail(STATUS_IO,
                       "cannot make the run '%s': HDF5 reports an error; is the disk full, or too "
                       "small for a file of this size?",
                       path);
}

/* The groups and tables, with room for a head of `bytes`. at: where they are, the head first. */
static bool make_tables(int descriptor, const struct run_about *about, const struct tables *tables,
                        uint64_t bytes, uint64_t *at)
{
    char name[32];
    struct store *store = store_create_on(descriptor, FRONT);
    if (!store)
        return false;
    bool good = store_put_text(store, "/", "program", "gravreel " GRAVREEL_VERSION) &&
                store_put_text(store, "/", "moves", about->moves) &&
                store_put_count(store, "/", "bodies", about->bodies->count) &&
                store_put_count(store, "/", "frames", about->frames) &&
                store_put_count(store, "/", "every", about->every) &&
                store_put_group(store, "bodies");
    for (int s = 0; s < about->simulation_count && good; s++) {
        snprintf(name, sizeof name, "simulation_%d", s + 1);
        good = store_put_group(store, name);
    }
    for (int p = 0; p < about->pilots.count && good; p++) {
        snprintf(name, sizeof name, "pilot_%d", p + 1);
        good = store_put_group(store, name) &&
               store_put_text(store, name, "key", about->pilots.list[p].key);
    }
    good = good && store_make_space(store, "head", &bytes, 1, STORE_BYTES, &at[0]);
    for (int t = 0; t < tables->count && good; t++) {
        const struct table *table = &tables->list[t];
        good =
            store_make_space(store, table->path, table->size, table->rank, table->kind, &at[t + 1]);
    }
    good = good && store_finish(store);
    store_close(&store);
    return good;
}

static enum status put_head(const struct run_file *file, const char *text, uint64_t room,
                            uint64_t at)
{
    char front[FRONT] = "", hash[HASH_TEXT];
    const uint64_t length = strlen(text);
    char *padded = memory_new(room, 1);
    memset(padded, ' ', room);
    memcpy(padded, text, length);
    hash_parts(&(struct hash_part){padded, room}, 1, hash);
    snprintf(front, sizeof front, "%sformat %d\nhead %" PRIu64 " %" PRIu64 "\nxxh3-128 %s\n", magic,
             FORMAT, at, room, hash);
    enum status status = put(file, padded, room, at);
    if (status == STATUS_OK)
        status = put(file, front, sizeof front, 0);
    free(padded);
    return status;
}

/* What is needed while the file is made. */
struct making {
    struct run_file *file;
    const struct run_about *about;
};

static enum status make(void *user, int descriptor)
{
    const struct making *making = user;
    const struct run_about *about = making->about;
    struct run_file file = *making->file;
    struct tables tables;
    struct head head;
    uint64_t at[TABLES_MOST + 1] = {0};
    file.descriptor = descriptor;
    list_tables(&tables, about, &file);
    describe(&head, about);
    head.table_count = (uint64_t)tables.count;
    head.tables = memory_new((size_t)tables.count, sizeof *head.tables);
    char *text = json_write(&form, &head, NULL);
    /* With the largest offsets in the place of the zeros. */
    const uint64_t room = text ? strlen(text) + 20 * (uint64_t)tables.count + 1 : 0;
    enum status status =
        text ? STATUS_OK
             : status_fail(STATUS_USAGE,
                           "the run '%s' cannot be made: the scene or a name of the bodies is not "
                           "UTF-8, or a number is not finite",
                           file.path);
    free(text);
    if (status == STATUS_OK && !make_tables(descriptor, about, &tables, room, at))
        status = fail_to_make(file.path);
    memcpy(head.tables, at + 1, (size_t)tables.count * sizeof *at);
    for (int t = 0; t < tables.count && status == STATUS_OK; t++)
        if (tables.list[t].data)
            status = put(&file, tables.list[t].data, bytes_of(&tables.list[t]), at[t + 1]);
    if (status == STATUS_OK) {
        text = json_write(&form, &head, NULL);
        status = put_head(&file, text, room, at[0]);
        free(text);
    }
    free_description(&head);
    return status;
}

enum status run_file_create(struct run_file **out, const struct run_about *about, const char *path)
{
    struct run_file begun = {.descriptor = -1, .path = (char *)path};
    enum status status = file_write_by(path, false, make, &(struct making){&begun, about});
    if (status != STATUS_OK)
        return status;
    struct run_about read = {.bodies = NULL};
    status = run_file_open(out, &read, path, true);
    run_about_free(&read);
    return status;
}

/* A checksum of a frame of one simulation. Never 0. */
static uint64_t check_of(const struct run_about *about, int simulation, uint64_t frame,
                         const double *moment, const uint64_t *states, const struct run_rows *rows)
{
    char hash[HASH_TEXT];
    const uint64_t count = rows ? about->bodies->count : 0,
                   number[] = {frame, (uint64_t)simulation};
    struct hash_part parts[5 + COLUMNS_MOST] = {{number, sizeof number},
                                                {moment, MOMENT * sizeof *moment},
                                                {states, 2 * STATES * sizeof *states}};
    size_t used = 3;
    if (rows) {
        parts[used++] = (struct hash_part){rows->position, count * sizeof *rows->position};
        parts[used++] = (struct hash_part){rows->velocity, count * sizeof *rows->velocity};
        for (int c = 0; c < about->columns.count; c++)
            parts[used++] = (struct hash_part){rows->column[c], count * sizeof *rows->column[c]};
    }
    hash_parts(parts, used, hash);
    hash[16] = '\0';
    const uint64_t check = strtoull(hash, NULL, 16);
    return check ? check : 1;
}

static void put_state(const char *text, uint64_t *out)
{
    char half[17] = "";
    for (int k = 0; k < 2 && strlen(text) == HASH_TEXT - 1; k++) {
        memcpy(half, text + 16 * k, 16);
        out[k] = strtoull(half, NULL, 16);
    }
}

static void get_state(const uint64_t *from, char out[HASH_TEXT])
{
    *out = '\0';
    if (from[0] || from[1])
        snprintf(out, HASH_TEXT, "%016" PRIx64 "%016" PRIx64, from[0], from[1]);
}

static void pack(const struct run_moment *moment, double *out, uint64_t *states)
{
    out[0] = moment->time;
    out[1] = moment->interval;
    out[2] = (double)moment->step;
    out[3] = moment->diagnosed;
    memcpy(out + 4, moment->diagnosis, sizeof moment->diagnosis);
    memset(states, 0, 2 * STATES * sizeof *states);
    put_state(moment->state, states);
    for (int s = 0; s < RUN_SIMULATIONS_MAX; s++)
        put_state(moment->states[s], states + 2 * (s + 1));
}

static enum status put_rows(const struct run_file *file, const struct run_about *about, int s,
                            uint64_t frame, const struct run_rows *rows)
{
    const uint64_t at = stored_at(about, frame), row = about->bodies->count * sizeof(float);
    enum status status = put(file, rows->position, 3 * row, file->rows[s][0] + at * 3 * row);
    if (status == STATUS_OK)
        status = put(file, rows->velocity, 3 * row, file->rows[s][1] + at * 3 * row);
    for (int c = 0; c < about->columns.count && status == STATUS_OK; c++)
        status = put(file, rows->column[c], row, file->rows[s][2 + c] + at * row);
    return status;
}

enum status run_file_put(const struct run_file *file, const struct run_about *about, uint64_t frame,
                         const struct run_moment *moment, const struct run_rows *rows)
{
    double numbers[MOMENT];
    uint64_t checks[CHECKS] = {0};
    const bool kept = run_keeps(about, frame);
    enum status status = STATUS_OK;
    pack(moment, numbers, checks + RUN_SIMULATIONS_MAX);
    for (int s = 0; s < about->simulation_count && status == STATUS_OK; s++) {
        checks[s] = check_of(about, s, frame, numbers, checks + RUN_SIMULATIONS_MAX,
                             kept ? &rows[s] : NULL);
        if (kept)
            status = put_rows(file, about, s, frame, &rows[s]);
    }
    if (status == STATUS_OK)
        status = put(file, numbers, sizeof numbers, file->moments + frame * sizeof numbers);
    return status == STATUS_OK
               ? put(file, checks, sizeof checks, file->checks + frame * sizeof checks)
               : status;
}

enum status run_file_sync(const struct run_file *file)
{
    return fdatasync(file->descriptor) == 0
               ? STATUS_OK
               : status_fail(STATUS_IO, "cannot write the run '%s': %s", file->path,
                             strerror(errno));
}

const char *run_file_path(const struct run_file *file)
{
    return file->path;
}

const char *run_file_hash(const struct run_file *file)
{
    return file->hash;
}

/* ---- reading ---- */

static enum status damaged(const struct run_file *file, const char *what)
{
    return status_fail(STATUS_IO, "the run '%s' is damaged: %s; simulate again", file->path, what);
}

static enum status get(const struct run_file *file, void *data, uint64_t size, uint64_t at)
{
    char *to = data;
    while (size > 0) {
        const ssize_t done =
            pread(file->descriptor, to, size < 1 << 30 ? size : 1 << 30, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return status_fail(STATUS_IO, "cannot read the run '%s': %s", file->path,
                               strerror(errno));
        if (done == 0)
            return status_fail(STATUS_IO, "the run '%s' is cut short; simulate again", file->path);
        to += done;
        at += (uint64_t)done;
        size -= (uint64_t)done;
    }
    return STATUS_OK;
}

bool run_is_file(const char *path)
{
    char head[sizeof magic] = "";
    size_t got = 0;
    return file_read_head(path, head, sizeof magic - 1, &got) == STATUS_OK &&
           got == sizeof magic - 1 && memcmp(head, magic, got) == 0;
}

static enum status read_front(const struct run_file *file, uint64_t size, uint64_t *at,
                              uint64_t *bytes, char hash[HASH_TEXT])
{
    char front[FRONT + 1] = "";
    unsigned format = 0;
    if (size < FRONT)
        return status_fail(STATUS_USAGE, "'%s' is not a run of gravreel", file->path);
    enum status status = get(file, front, FRONT, 0);
    if (status != STATUS_OK)
        return status;
    if (strncmp(front, magic, sizeof magic - 1) != 0)
        return status_fail(STATUS_USAGE, "'%s' is not a run of gravreel", file->path);
    if (sscanf(front + sizeof magic - 1,
               "format %9u\nhead %19" SCNu64 " %19" SCNu64 "\nxxh3-128 %32s", &format, at, bytes,
               hash) < 1)
        return damaged(file, "its first line");
    if (format != FORMAT)
        return status_fail(STATUS_USAGE,
                           "the run '%s' has format %u, and this version of gravreel reads format "
                           "%d; use the version that wrote it, or simulate again",
                           file->path, format, FORMAT);
    if (*bytes == 0 || *bytes > HEAD_MOST || *at > INT64_MAX / 2)
        return damaged(file, "its first lines");
    return *at + *bytes <= size
               ? STATUS_OK
               : status_fail(STATUS_IO, "the run '%s' is cut short; simulate again", file->path);
}

/* *head is {0}, and is freed by json_free. */
static enum status read_head(struct run_file *file, uint64_t size, struct head *head)
{
    uint64_t at = 0, bytes = 0;
    char hash[HASH_TEXT] = "", own[HASH_TEXT];
    int format;
    enum status status = read_front(file, size, &at, &bytes, hash);
    if (status != STATUS_OK)
        return status;
    char *text = memory_new(bytes + 1, 1);
    status = get(file, text, bytes, at);
    hash_parts(&(struct hash_part){text, bytes}, 1, own);
    if (status == STATUS_OK && strcmp(own, hash) != 0)
        status = damaged(file, "the checksum of its head does not match");
    memcpy(file->hash, own, sizeof own);
    if (status == STATUS_OK) {
        status = json_read(&form, text, bytes, head, NULL, &format);
        if (status != STATUS_OK)
            status = status_prefix(status, "the head of the run '%s'", file->path);
    }
    free(text);
    return status;
}

static bool copy_text(char *to, size_t size, const char *from)
{
    return snprintf(to, size, "%s", from) < (int)size;
}

static bool take_components(const struct head *head, struct bodies *bodies)
{
    uint64_t next = 0;
    for (uint64_t c = 0; c < head->component_count; c++) {
        const struct head_component *from = &head->components[c];
        struct component *to = &bodies->components[c];
        *to = (struct component){.first = from->first,
                                 .count = from->count,
                                 .draw = from->draw,
                                 .light = from->light,
                                 .softening = from->softening};
        if (from->first != next || from->count > head->bodies - next ||
            !copy_text(to->name, sizeof to->name, from->name) ||
            !copy_text(to->galaxy, sizeof to->galaxy, from->galaxy))
            return false;
        next += from->count;
    }
    return next == head->bodies;
}

static bool take_columns(const struct head *head, struct bodies *bodies, enum status *status)
{
    for (uint64_t c = 0; c < head->body_column_count; c++) {
        const struct head_column *from = &head->body_columns[c];
        if (strlen(from->name) >= BODY_COLUMN_NAME || strlen(from->unit) >= BODY_COLUMN_UNIT ||
            body_columns_find(&bodies->columns, from->name))
            return false;
        *status = body_columns_add(&bodies->columns, from->name, from->unit, from->single,
                                   head->bodies + 1);
        if (*status != STATUS_OK)
            return true;
        struct body_column *column = &bodies->columns.list[c];
        if (!from->has_words)
            continue;
        body_column_begin_words(column);
        char *rest = from->words;
        for (char *word; rest && *rest && (word = strsep(&rest, "\n"));)
            (void)body_column_word(column, word);
    }
    return true;
}

/* Every word that a body has must exist. */
static bool words_exist(const struct bodies *bodies)
{
    for (size_t c = 0; c < bodies->columns.count; c++) {
        const struct body_column *column = &bodies->columns.list[c];
        for (size_t i = 0; column->words && i < bodies->count; i++) {
            const double value = column->value[i];
            if (value == value && !(value >= 0 && value < (double)column->words->count))
                return false;
        }
    }
    return true;
}

static enum status take_bodies(const struct run_file *file, const struct head *head, uint64_t size,
                               struct run_about *about)
{
    static const char what[] = "its head does not describe bodies";
    const uint64_t width = (8 + head->body_column_count) * sizeof(double);
    if (head->component_count < 1 || head->component_count > 1 << 20 ||
        head->body_column_count > BODY_COLUMNS_MAX || head->bodies > size / width)
        return damaged(file, what);
    enum status status = bodies_create(&about->bodies, head->bodies, head->component_count);
    if (status == STATUS_OK && head->ids)
        status = bodies_add_ids(about->bodies, head->bodies + 1);
    if (status != STATUS_OK)
        return status;
    const bool good =
        take_components(head, about->bodies) && take_columns(head, about->bodies, &status);
    return good ? status : damaged(file, what);
}

static bool take_names(const struct head *head, struct column_names *out)
{
    static const char *const known[COLUMNS_MOST] = {COLUMN_DISTANCE, COLUMN_DISPERSION,
                                                    COLUMN_ACCELERATION};
    for (uint32_t c = 0; c < head->column_count; c++) {
        int k = 0;
        while (k < COLUMNS_MOST && strcmp(known[k], head->columns[c].name) != 0)
            k++;
        if (k == COLUMNS_MOST || column_names_have(out, known[k]))
            return false;
        column_names_add(out, known[k]);
    }
    return true;
}

static bool take_simulations(const struct head *head, struct run_about *about)
{
    for (uint32_t s = 0; s < head->simulation_count; s++) {
        const struct head_simulation *from = &head->simulations[s];
        struct run_simulation *to = &about->simulations[about->simulation_count++];
        to->acceleration = malloc((head->bodies + 1) * sizeof *to->acceleration);
        if (!to->acceleration || !copy_text(to->physics, sizeof to->physics, from->physics) ||
            !copy_text(to->backend, sizeof to->backend, from->backend) ||
            !copy_text(to->force, sizeof to->force, from->force) ||
            !copy_text(to->kernel, sizeof to->kernel, from->kernel) ||
            !copy_text(to->model, sizeof to->model, from->model))
            return false;
    }
    return head->simulation_count > 0;
}

static bool take_pilots(const struct head *head, uint64_t size, struct run_about *about)
{
    for (uint32_t p = 0; p < head->pilot_count; p++) {
        const struct head_pilot *from = &head->pilots[p];
        struct run_pilot *to = &about->pilots.list[about->pilots.count++];
        *to = (struct run_pilot){.bodies = from->bodies, .samples = from->samples};
        if (!copy_text(to->key, sizeof to->key, from->key) || from->samples < 1 ||
            from->bodies < 1 || from->bodies > 1 << 20 || from->samples > size / 8 ||
            (from->motion && from->samples > size / sizeof *to->motion / from->bodies))
            return false;
        if (from->motion &&
            !(to->motion = malloc(from->samples * from->bodies * sizeof *to->motion)))
            return false;
        if (from->separation && !(to->separation = malloc(from->samples * sizeof *to->separation)))
            return false;
    }
    return true;
}

static enum status take_head(const struct run_file *file, const struct head *head, uint64_t size,
                             struct run_about *about)
{
    about->frames = head->frames;
    about->every = head->every;
    about->scene = memory_text(head->scene);
    snprintf(about->moves, sizeof about->moves, "%s", head->moves);
    enum status status = take_bodies(file, head, size, about);
    if (status == STATUS_OK &&
        !(take_names(head, &about->columns) && take_simulations(head, about) &&
          take_pilots(head, size, about) && head->frames <= size / (8 * (MOMENT + CHECKS))))
        status = damaged(file, "its head does not describe a run");
    return status;
}

/* Where the tables are, each within the file, and what they have. */
static enum status read_tables(struct run_file *file, const struct head *head, uint64_t size,
                               struct run_about *about)
{
    struct tables tables;
    enum status status = STATUS_OK;
    char hash[HASH_TEXT];
    list_tables(&tables, about, file);
    if (head->table_count != (uint64_t)tables.count)
        return damaged(file, "its head lists other tables");
    for (int t = 0; t < tables.count && status == STATUS_OK; t++) {
        const struct table *table = &tables.list[t];
        unsigned __int128 end = head->tables[t];
        unsigned __int128 bytes = table->kind == STORE_FLOATS ? 4 : 8;
        for (int k = 0; k < table->rank; k++)
            bytes *= table->size[k];
        if (end + bytes > size)
            return status_fail(STATUS_IO, "the run '%s' is cut short; simulate again", file->path);
        if (table->place)
            *table->place = head->tables[t];
        else
            status = get(file, table->data, (uint64_t)bytes, head->tables[t]);
    }
    if (status != STATUS_OK)
        return status;
    hash_data(about, hash);
    if (strcmp(hash, head->data) != 0)
        return damaged(file, "the checksum of its bodies does not match");
    return words_exist(about->bodies) ? STATUS_OK : damaged(file, "its bodies lack words");
}

static enum status open_descriptor(struct run_file *file, bool writes, uint64_t *size)
{
    struct stat found;
    file->descriptor = open(file->path, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (file->descriptor < 0 || fstat(file->descriptor, &found) != 0)
        return status_fail(STATUS_IO, "cannot %s the run '%s': %s", writes ? "write" : "read",
                           file->path, strerror(errno));
    if (!S_ISREG(found.st_mode))
        return status_fail(STATUS_USAGE, "'%s' is not a run of gravreel", file->path);
    *size = (uint64_t)found.st_size;
    if (writes && part_hold(file->descriptor, false) == EWOULDBLOCK)
        return status_fail(STATUS_USAGE,
                           "another process is writing the run '%s'; wait for its end, or name "
                           "another file",
                           file->path);
    return STATUS_OK;
}

enum status run_file_open(struct run_file **out, struct run_about *about, const char *path,
                          bool writes)
{
    struct run_file *file = *out = memory_new(1, sizeof *file);
    struct head head = {0};
    uint64_t size = 0;
    *file = (struct run_file){.descriptor = -1, .path = memory_text(path)};
    enum status status = open_descriptor(file, writes, &size);
    if (status == STATUS_OK)
        status = read_head(file, size, &head);
    if (status == STATUS_OK)
        status = take_head(file, &head, size, about);
    if (status == STATUS_OK)
        status = read_tables(file, &head, size, about);
    json_free(members, &head);
    if (status != STATUS_OK)
        run_file_close(out);
    return status;
}

void run_file_close(struct run_file **file)
{
    if (!*file)
        return;
    if ((*file)->descriptor >= 0)
        (void)close((*file)->descriptor);
    free((*file)->path);
    free(*file);
    *file = NULL;
}

static enum status get_checks(const struct run_file *file, uint64_t frame, uint64_t checks[CHECKS])
{
    const uint64_t size = CHECKS * sizeof *checks;
    return get(file, checks, size, file->checks + frame * size);
}

enum status run_file_count(const struct run_file *file, const struct run_about *about,
                           uint64_t *count)
{
    uint64_t checks[CHECKS];
    enum status status = STATUS_OK;
    bool complete = true;
    for (*count = 0; *count < about->frames && complete && status == STATUS_OK;) {
        status = get_checks(file, *count, checks);
        for (int s = 0; s < about->simulation_count; s++)
            complete &= checks[s] != 0;
        *count += status == STATUS_OK && complete;
    }
    return status;
}

enum status run_file_moment(const struct run_file *file, const struct run_about *about,
                            uint64_t frame, struct run_moment *out)
{
    double numbers[MOMENT];
    uint64_t checks[CHECKS];
    enum status status = get(file, numbers, sizeof numbers, file->moments + frame * sizeof numbers);
    if (status == STATUS_OK)
        status = get_checks(file, frame, checks);
    if (status != STATUS_OK)
        return status;
    *out = (struct run_moment){.time = numbers[0],
                               .interval = numbers[1],
                               .step = numbers[2] >= 0 && numbers[2] < 0x1p53 ? (uint64_t)numbers[2]
                                                                              : 0,
                               .diagnosed = numbers[3] == 1};
    memcpy(out->diagnosis, numbers + 4, sizeof out->diagnosis);
    get_state(checks + RUN_SIMULATIONS_MAX, out->state);
    for (int s = 0; s < RUN_SIMULATIONS_MAX; s++)
        get_state(checks + RUN_SIMULATIONS_MAX + 2 * (s + 1), out->states[s]);
    /* The rows of a frame are checked together with it when they are read. */
    bool same = true;
    for (int s = 0; s < about->simulation_count && !run_keeps(about, frame); s++)
        same &= checks[s] == check_of(about, s, frame, numbers, checks + RUN_SIMULATIONS_MAX, NULL);
    return same ? STATUS_OK : damaged(file, "the checksum of a frame does not match");
}

enum status run_file_rows(const struct run_file *file, const struct run_about *about,
                          int simulation, uint64_t frame, float *block)
{
    const uint64_t at = stored_at(about, frame), row = about->bodies->count * sizeof(float);
    const uint64_t *places = file->rows[simulation];
    struct run_rows rows;
    double numbers[MOMENT];
    uint64_t checks[CHECKS];
    run_rows_at(about, block, &rows);
    enum status status = get(file, rows.position, 3 * row, places[0] + at * 3 * row);
    if (status == STATUS_OK)
        status = get(file, rows.velocity, 3 * row, places[1] + at * 3 * row);
    for (int c = 0; c < about->columns.count && status == STATUS_OK; c++)
        status = get(file, rows.column[c], row, places[2 + c] + at * row);
    if (status == STATUS_OK)
        status = get(file, numbers, sizeof numbers, file->moments + frame * sizeof numbers);
    if (status == STATUS_OK)
        status = get_checks(file, frame, checks);
    if (status != STATUS_OK)
        return status;
    if (checks[simulation] ==
        check_of(about, simulation, frame, numbers, checks + RUN_SIMULATIONS_MAX, &rows))
        return STATUS_OK;
    return status_fail(STATUS_IO,
                       "the run '%s' is damaged: the checksum of frame %" PRIu64
                       " does not match; simulate again",
                       file->path, frame);
}
