#include "cmd/film/tags.h"

#include "base/clock.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/start/panels.h"
#include "render/picture/picture.h"
#include "scenes/print.h"
#include "sim/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A hash of rows of a width. */
struct hashing {
    struct hash_stream *stream;
    size_t width;
};

static enum status add_rows(void *user, const double *rows, size_t count)
{
    const struct hashing *hashing = user;
    hash_add(hashing->stream, rows, count * hashing->width * sizeof *rows);
    return STATUS_OK;
}

/* The hash that the run has, whose frames are in single precision. Of some of its simulations there
 * is none. */
static void find_hash(const struct film *film, int from, int to, char out[HASH_TEXT])
{
    int number = 0;
    const struct run *run = simulation_run(film->simulations[from], &number);
    const struct run_moment *moment = run_moment(run, simulation_frame(film->simulations[from]));
    if (to - from == 1)
        snprintf(out, HASH_TEXT, "%s", moment->states[number]);
    else if (to - from == run_about(run)->simulation_count)
        snprintf(out, HASH_TEXT, "%s", moment->state);
}

/* Hashes the states of simulations `from` to `to` - 1. */
static enum status hash_states(const struct film *film, int from, int to, char out[HASH_TEXT])
{
    enum status status = STATUS_OK;
    *out = '\0';
    if (film->run) {
        find_hash(film, from, to, out);
        return STATUS_OK;
    }
    struct hashing hashing = {hash_open(), 0};
    for (int i = from; i < to; i++)
        for (enum simulation_rows k = ROWS_MASS; k <= ROWS_VELOCITY && status == STATUS_OK; k++) {
            hashing.width = simulation_row_width(k);
            status = simulation_pass(film->simulations[i], k, add_rows, &hashing);
        }
    hash_end(&hashing.stream, status == STATUS_OK ? out : NULL);
    return status;
}

enum status film_state_hash(const struct film *film, char out[HASH_TEXT])
{
    return hash_states(film, 0, film->simulation_count, out);
}

enum status film_state_hash_one(const struct film *film, int i, char out[HASH_TEXT])
{
    return hash_states(film, i, i + 1, out);
}

static enum status find_creation(char *out, size_t size)
{
    struct tm utc;
    bool given;
    enum status status = clock_source_date(&utc, &given);
    if (status != STATUS_OK || !given)
        return status;
    strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return STATUS_OK;
}

static void add(struct tags *tags, const char *name, const char *value)
{
    if (*value)
        tags_add(tags, name, value);
}

enum status film_tags_make(struct tags *tags, const struct film *film, const struct sink_plan *plan)
{
    *tags = (struct tags){0};
    const struct scene *scene = film->scene;
    const struct solver *solver = simulation_solver(film->simulations[0]);
    char created[32] = "", state[HASH_TEXT] = "", hash[17], seed[32];
    enum status status = find_creation(created, sizeof created);
    if (status == STATUS_OK && plan)
        status = film_state_hash(film, state);
    if (status != STATUS_OK || (ranks_are_together() && ranks_own() > 0))
        return status;
    char *text = scene_print(scene);
    /* A device's description may have the number of threads, on which the film must not depend. */
    char *made_on = text_format("%s, %s", solver->model, solver->kernel);
    scene_hash(scene, hash);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)scene->bodies.seed);
    add(tags, "title", *scene->output.title ? scene->output.title : "gravreel");
    add(tags, "comment",
        "made with gravreel " GRAVREEL_VERSION "; `gravreel info FILE` prints the scene");
    add(tags, "creation_time", created);
    add(tags, "gravreel_version", GRAVREEL_VERSION);
    add(tags, FILM_TAG_SCENE, text);
    add(tags, FILM_TAG_SCENE_HASH, hash);
    add(tags, FILM_TAG_SEED, seed);
    add(tags, "gravreel_device", made_on);
    add(tags, "gravreel_renderer", renderer_description(film->renderer));
    add(tags, FILM_TAG_ENCODER, plan ? plan->description : "");
    add(tags, "gravreel_libraries", plan ? plan->libraries : "");
    add(tags, FILM_TAG_FIRST_STATE, state);
    if (scene->output.alpha->kind != ALPHA_NONE)
        add(tags, ALPHA_TAG, scene->output.alpha->name);
    free(text);
    free(made_on);
    return STATUS_OK;
}

void film_frames_print(uint64_t first, uint64_t last, uint64_t of, char out[FILM_FRAMES_TEXT])
{
    snprintf(out, FILM_FRAMES_TEXT, "%" PRIu64 "..%" PRIu64 " of %" PRIu64, first, last, of);
}

bool film_frames_read(const char *text, uint64_t *first, uint64_t *last, uint64_t *of)
{
    char again[FILM_FRAMES_TEXT];
    if (sscanf(text, "%" SCNu64 "..%" SCNu64 " of %" SCNu64, first, last, of) != 3 ||
        *first > *last || *last >= *of)
        return false;
    film_frames_print(*first, *last, *of, again);
    return strcmp(again, text) == 0;
}

static const char *const few[] = {
    "title", "comment", "creation_time", "gravreel_version", FILM_TAG_SCENE_HASH, ALPHA_TAG, NULL};
static const char *const none[] = {NULL};

static const struct film_metadata metadatas[] = {
    {"packed",
     "one tag of one line, which has the scene and what the file was made with and is itself a "
     "valid scene",
     NULL, true},
    {"full", "the same, each in a tag of its own", NULL, false},
    {"short", "title, program and the scene's hash", few, false},
    {"none", "nothing", none, false},
};
const struct registry film_metadata_registry = REGISTRY_OF("metadata", metadatas);

static bool is_kept(const char *name, const char *const *kept)
{
    for (; *kept; kept++)
        if (strcmp(*kept, name) == 0)
            return true;
    return false;
}

void film_tags_keep(struct tags *tags, const struct film_metadata *metadata)
{
    if (!metadata)
        metadata = (const void *)choice_at(&film_metadata_registry, 0);
    tags_unpack(tags);
    if (metadata->packed)
        tags_pack(tags);
    if (!metadata->kept)
        return;
    struct tags all = *tags;
    *tags = (struct tags){0};
    for (size_t i = 0; i < all.count; i++)
        if (is_kept(all.list[i].name, metadata->kept))
            tags_add(tags, all.list[i].name, all.list[i].value);
    tags_free(&all);
}
