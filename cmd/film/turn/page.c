#include "cmd/film/turn/page.h"

#include "base/functions/fn.h"
#include "base/json/facts.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/overlay/number_text.h"
#include "render/sprites/modes.h"
#include "sim/formats/units.h"
#include "sim/playback/playback.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

extern const char turn_html[], turn_css[], turn_js[];

/* ---- columns ---- */

/* A column's numbers as bytes: 0 means none, 1 is zero, 2 to 255 are logarithmic from low to
 * high. */
struct range {
    double low, high;
};

static bool has_place(float value)
{
    return value > 0 && value < 1e30f;
}

static struct range range_of(const struct page_column *column, size_t count)
{
    struct range range = {INFINITY, 0};
    for (size_t i = 0; i < count; i++)
        if (has_place(column->values[i])) {
            range.low = fmin(range.low, (double)column->values[i]);
            range.high = fmax(range.high, (double)column->values[i]);
        }
    return range.high > 0 ? range : (struct range){1, 1};
}

static uint8_t byte_of(const struct range *range, float value)
{
    if (value == 0)
        return 1;
    if (!has_place(value))
        return 0;
    const double span = fn_log(range->high / range->low);
    const double place = span > 0 ? fn_log((double)value / range->low) / span : 1;
    return (uint8_t)(2 + lrint(253 * place));
}

/* ---- the bodies' bytes ---- */

struct blob {
    uint8_t *bytes;
    size_t size;
};

static void blob_add(struct blob *blob, const void *bytes, size_t size)
{
    blob->bytes = memory_grow(blob->bytes, blob->size + size + 1, 1);
    memcpy(blob->bytes + blob->size, bytes, size);
    blob->size += size;
}

static uint32_t times_of(const struct page *page)
{
    uint32_t times = 0;
    while (times < page->column_times && page->column_frame[times] < page->paths.frames)
        times++;
    return times;
}

/* Floats of columns that never change, otherwise bytes, each the difference from the time before;
 * then the masses as floats. */
static void add_columns(const struct page *page, struct blob *blob)
{
    const size_t bodies = page->paths.bodies;
    const uint32_t times = times_of(page);
    for (int c = 0; c < page->recipe->columns.count; c++) {
        const struct page_column *column = &page->columns[c];
        if (column->constant) {
            blob_add(blob, column->values, bodies * sizeof(float));
            continue;
        }
        const struct range range = range_of(column, times * bodies);
        uint8_t *bytes = memory_new(times * bodies + 1, 1);
        for (size_t i = 0; i < times * bodies; i++)
            bytes[i] = byte_of(&range, column->values[i]);
        for (size_t i = times * bodies; i-- > bodies;)
            bytes[i] = (uint8_t)(bytes[i] - bytes[i - bodies]);
        blob_add(blob, bytes, times * bodies);
        free(bytes);
    }
    if (page->mass)
        blob_add(blob, page->mass, bodies * sizeof(float));
}

static struct blob deflated(const struct blob *blob)
{
    uLongf size = compressBound((uLong)blob->size);
    struct blob out = {memory_new(size, 1), 0};
    if (compress2(out.bytes, &size, blob->bytes, (uLong)blob->size, 6) != Z_OK)
        memory_exhausted();
    out.size = size;
    return out;
}

/* Codes the paths; returns all bytes, deflated. */
static struct blob pack(const struct page *page, double tolerance, struct path_streams *streams)
{
    struct blob all = {0};
    paths_code(&page->paths, tolerance, streams);
    blob_add(&all, streams->bytes, streams->size);
    add_columns(page, &all);
    const struct blob out = deflated(&all);
    free(all.bytes);
    return out;
}

/* ---- the error ---- */

struct seen {
    double eye[3], right[3], up[3], back[3];
    double across, high; /* half of the picture at a depth of one */
    double pixels;       /* per unit of length there */
};

struct measure {
    const struct page *page;
    struct seen *seen; /* [frames] */
    double error, pixels;
};

static double tangent_of(const struct camera_aim *aim)
{
    return fn_tan(aim->fov * (M_PI / 360));
}

static void see(struct seen *out, const struct camera_aim *aim, const struct picture_size *size)
{
    camera_aim_axes(aim, out->right, out->up, out->back);
    memcpy(out->eye, aim->eye, sizeof out->eye);
    out->high = tangent_of(aim);
    out->across = out->high * size->width / size->height;
    out->pixels = size->height / (2 * out->high);
}

/* Pixels of the film that an error spans where the picture shows the body; 0 elsewhere. */
static double pixels_of(const struct seen *seen, const float position[3], double error)
{
    double x = 0, y = 0, depth = 0;
    for (int i = 0; i < 3; i++) {
        const double away = (double)position[i] - seen->eye[i];
        x += away * seen->right[i];
        y += away * seen->up[i];
        depth -= away * seen->back[i];
    }
    const bool inside =
        depth > 0 && fabs(x) <= depth * seen->across && fabs(y) <= depth * seen->high;
    return inside ? error * seen->pixels / depth : 0;
}

static void measure(void *user, size_t body, const struct path_row *rows)
{
    struct measure *measure = user;
    const struct paths *paths = &measure->page->paths;
    const struct path_row *right = paths->rows + body * paths->frames;
    for (uint32_t f = 0; f < paths->frames; f++) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            const double apart = (double)rows[f].position[i] - (double)right[f].position[i];
            square += apart * apart;
        }
        const double error = sqrt(square);
        measure->error = fmax(measure->error, error);
        measure->pixels =
            fmax(measure->pixels, pixels_of(&measure->seen[f], right[f].position, error));
    }
}

static enum status find_error(const struct page *page, double tolerance,
                              const struct path_streams *streams, struct measure *out)
{
    const struct scene *scene = page->film->scene;
    *out =
        (struct measure){.page = page, .seen = memory_new(page->paths.frames, sizeof *out->seen)};
    for (uint32_t f = 0; f < page->paths.frames; f++)
        see(&out->seen[f], &page->moments[f].aim, &scene->output.size);
    const enum status status = paths_decode(&page->paths, tolerance, streams, measure, out);
    free(out->seen);
    return status;
}

/* ---- the tolerance ---- */

/* A quarter of the smallest pixel at the camera's target: stars are drawn sharp. */
static double first_tolerance(const struct page *page)
{
    double least = INFINITY;
    for (uint32_t f = 0; f < page->paths.frames; f++) {
        const struct camera_aim *aim = &page->moments[f].aim;
        const double high = 2 * tangent_of(aim) * camera_aim_distance(aim);
        least = fmin(least, high / page->film->scene->output.size.height);
    }
    return 0.25 * least;
}

/* A sixteenth of the bodies shows which tolerance fits: coding all takes seconds. */
enum { SAMPLE = 16, SAMPLE_FEWEST = 16000 };

static double sampled_tolerance(const struct page *page, double tolerance, size_t room)
{
    struct page few = *page;
    struct path_row *rows =
        memory_new(page->paths.bodies / SAMPLE * page->paths.frames + 1, sizeof *rows);
    few.recipe = &(struct recipe){0}; /* no columns: each takes few bytes */
    few.mass = NULL;
    few.paths.rows = rows;
    few.paths.bodies = page->paths.bodies / SAMPLE;
    for (size_t i = 0; i < few.paths.bodies; i++)
        memcpy(rows + i * page->paths.frames, page->paths.rows + i * SAMPLE * page->paths.frames,
               page->paths.frames * sizeof *rows);
    struct blob columns = {0};
    add_columns(page, &columns);
    const struct blob rest = deflated(&columns);
    for (;; tolerance *= 1.1) {
        struct path_streams streams;
        const struct blob packed = pack(&few, tolerance, &streams);
        const size_t size = packed.size * SAMPLE + rest.size;
        free(packed.bytes);
        path_streams_free(&streams);
        if (size < room - room / 32 || !isfinite(tolerance))
            break;
    }
    free(columns.bytes);
    free(rest.bytes);
    free(rows);
    return tolerance;
}

/* Codes as exactly as there is room for. */
static enum status fit(const struct page *page, size_t room, double *tolerance,
                       struct path_streams *streams, struct blob *out)
{
    enum { TRIES = 64 };
    *tolerance = first_tolerance(page);
    if (page->paths.bodies >= SAMPLE_FEWEST)
        *tolerance = sampled_tolerance(page, *tolerance, room);
    for (int i = 0; i < TRIES; i++, *tolerance *= 1.06) {
        *out = pack(page, *tolerance, streams);
        if (out->size <= room)
            return STATUS_OK;
        path_streams_free(streams);
        free(out->bytes);
        out->bytes = NULL;
    }
    return status_fail(STATUS_RUNTIME,
                       "the paths of %zu bodies do not fit into a page of %d MB; ask for fewer "
                       "bodies or frames",
                       page->paths.bodies, (int)(PAGE_BYTES / 1000000));
}

/* ---- the film as JSON ---- */

static void put_numbers(struct facts *facts, const char *name, const double *numbers, size_t count)
{
    struct facts *list = facts_list(facts, name);
    for (size_t i = 0; i < count; i++)
        facts_number(list, NULL, numbers[i]);
}

static void put_program(struct facts *facts, const struct recipe_program *program)
{
    facts_text(facts, "vertex", program->vertex);
    facts_text(facts, "fragment", program->fragment);
    struct facts *values = facts_object(facts, "values");
    for (size_t i = 0; i < program->value_count; i++) {
        struct facts *list = facts_list(values, program->values[i].name);
        for (size_t k = 0; k < program->values[i].count; k++)
            facts_number(list, NULL, (double)program->values[i].value[k]);
    }
}

static void put_groups(struct facts *facts, const struct page *page)
{
    for (int g = 0; g < page->recipe->group_count; g++) {
        const struct draw_group *group = &page->recipe->groups[g];
        const struct page_group *kept = &page->groups[g];
        const double mass = page->recipe->mass > 0 ? (double)page->recipe->mass : 1;
        double tint[3];
        for (int c = 0; c < 3; c++)
            tint[c] = (double)(page->recipe->is_plain ? page->recipe->plain : group->tint)[c];
        struct facts *item = facts_item(facts, "groups");
        facts_whole(item, "first", kept->first);
        facts_whole(item, "count", kept->count);
        facts_whole(item, "number", kept->number);
        facts_number(item, "light", (double)group->light * kept->share / mass);
        put_numbers(item, "tint", tint, 3);
        facts_flag(item, "given", group->given);
        facts_text(item, "name", group->name);
    }
}

static void put_recipe(struct facts *facts, const struct page *page)
{
    const struct recipe *recipe = page->recipe;
    const struct optics *optics = page->film->scene->look.optics;
    put_program(facts_object(facts, "sprites"), &recipe->sprites);
    put_program(facts_object(facts, "look"), &recipe->look);
    struct facts *passes = facts_object(facts, "passes");
    facts_text(passes, "fullscreen", recipe->fullscreen);
    facts_text(passes, "pass", recipe->pass);
    facts_text(passes, "levels", recipe->levels);
    facts_text(passes, "glow_down", recipe->glow_down);
    facts_text(passes, "glow_smooth", recipe->glow_smooth);
    facts_text(passes, "glow_up", recipe->glow_up);
    facts_text(passes, "bloom_down", recipe->bloom_down);
    facts_text(passes, "bloom_up", recipe->bloom_up);
    struct facts *size = facts_object(facts, "size");
    facts_number(size, "point", recipe->point);
    facts_number(size, "radius", recipe->radius);
    facts_number(size, "smallest", recipe->smallest);
    facts_number(size, "star", optics->star);
    facts_number(size, "finer", optics->finer);
    facts_number(size, "coarser", optics->coarser);
    facts_flag(size, "square", recipe->square);
    facts_flag(size, "adaptive", recipe->adaptive);
    facts_whole(size, "level", recipe->level);
    facts_whole(size, "stars", recipe->stars);
    facts_flag(facts, "tinted", recipe->tinted);
    put_groups(facts, page);
}

static void put_columns(struct facts *facts, const struct page *page)
{
    const uint32_t times = times_of(page);
    struct facts *frames = facts_list(facts, "column_frames");
    for (uint32_t i = 0; i < times; i++)
        facts_whole(frames, NULL, page->column_frame[i]);
    facts_list(facts, "columns");
    for (int c = 0; c < page->recipe->columns.count; c++) {
        const struct page_column *column = &page->columns[c];
        const struct range range = range_of(column, times * page->paths.bodies);
        struct facts *item = facts_item(facts, "columns");
        facts_text(item, "name", column->name);
        facts_flag(item, "constant", column->constant);
        facts_number(item, "none", (double)column->none);
        facts_number(item, "low", range.low);
        facts_number(item, "high", range.high);
    }
    facts_whole(facts, "first_column", (uint64_t)page->recipe->first_column);
    facts_flag(facts, "masses", page->mass != NULL);
}

static struct overlay_clock clock_of(const struct page *page)
{
    const struct film *film = page->film;
    const struct overlay_params *overlay = &film->scene->overlay;
    const struct units_params units = units_complete(&film->scene->bodies.units);
    const struct playback *playback = simulation_playback(film->simulations[0]);
    return (struct overlay_clock){
        .time_myr = units.time_myr,
        .duration = film->script.duration,
        .epoch = playback ? playback_epoch(playback) : 0,
        .event_name = !film->script.counts_from_event ? NULL
                      : overlay->clock_event          ? overlay->clock_event
                                                      : "",
        .event = film->script.event,
        .event_reach = script_event_reach(&film->script),
        .as = overlay->clock_as,
        .cosmology = film->universe.cosmology,
        .age = film->universe.age,
    };
}

/* What changes from frame to frame. */
static void put_moments(struct facts *facts, const struct page *page)
{
    const struct scene *scene = page->film->scene;
    const struct overlay_clock clock = clock_of(page);
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    struct facts *frames = facts_list(facts, "frames"), *aims = facts_list(facts, "aims"),
                 *exposures = facts_list(facts, "exposures"), *fades = facts_list(facts, "fades"),
                 *cards = facts_list(facts, "cards"), *clocks = facts_list(facts, "clocks");
    put_numbers(facts, "times", page->paths.time, page->paths.frames);
    for (uint32_t f = 0; f < page->paths.frames; f++) {
        const struct page_moment *moment = &page->moments[f];
        const double *const parts[] = {moment->aim.eye, moment->aim.target, moment->aim.up};
        facts_whole(frames, NULL, moment->frame);
        for (int i = 0; i < 9; i++)
            facts_number(aims, NULL, parts[i / 3][i % 3]);
        facts_number(aims, NULL, moment->aim.fov);
        facts_number(exposures, NULL, moment->exposure);
        facts_number(fades, NULL,
                     look_fade(&scene->look, moment->frame, scene->output.frames, fps));
        facts_number(cards, NULL, overlay_card(&scene->overlay, (double)moment->frame / fps));
        char text[OVERLAY_TEXT_MAX];
        overlay_clock_say(&clock, page->paths.time[f], text, sizeof text);
        if (scene->overlay.clock)
            facts_text(clocks, NULL, text);
    }
}

static void put_overlay(struct facts *facts, const struct page *page)
{
    const struct film *film = page->film;
    const struct overlay_params *overlay = &film->scene->overlay;
    const struct units_params units = units_complete(&film->scene->bodies.units);
    facts_text(facts, "title", film->scene->output.title);
    facts_flag(facts, "shows_title", overlay->title);
    facts_text(facts, "subtitle", overlay->subtitle);
    facts_flag(facts, "card_covers", overlay->card_covers);
    facts_flag(facts, "scale_bar", overlay->scale_bar);
    facts_number(facts, "length_kpc", units.length_kpc);
    facts_number(facts, "letters", overlay->size);
    facts_number(facts, "caption_fade", overlay->fade);
    facts_list(facts, "captions");
    for (uint32_t i = 0; i < overlay->caption_count; i++) {
        const struct caption_found *found = &film->script.captions[i];
        if (!(found->ends > found->begins))
            continue;
        struct facts *item = facts_item(facts, "captions");
        facts_number(item, "begins", found->begins);
        facts_number(item, "ends", found->ends);
        facts_text(item, "text", found->text ? found->text : overlay->captions[i].text);
    }
}

static void put_paths(struct facts *facts, const struct page *page, double tolerance,
                      const struct path_streams *streams, const struct measure *measure)
{
    struct facts *paths = facts_object(facts, "paths");
    facts_whole(paths, "bodies", page->paths.bodies);
    facts_whole(paths, "moments", streams->moments);
    facts_number(paths, "tolerance", tolerance);
    facts_number(paths, "error", measure->error);
    facts_number(paths, "error_pixels", measure->pixels);
    struct facts *lengths = facts_list(paths, "lengths");
    for (int l = 0; l < PATH_LEVELS; l++)
        for (int s = 0; s < PATH_STREAMS; s++)
            facts_whole(lengths, NULL, streams->length[l][s]);
}

/* Returns JSON that can stand within a script element. */
static char *describe(const struct page *page, double tolerance, const struct path_streams *streams,
                      const struct measure *measure)
{
    const struct scene *scene = page->film->scene;
    struct facts *facts = facts_open();
    facts_whole(facts, "width", scene->output.size.width);
    facts_whole(facts, "height", scene->output.size.height);
    facts_number(facts, "fps", (double)scene->output.fps.num / scene->output.fps.den);
    facts_number(facts, "stretch",
                 scene->output.size.height > scene->output.size.width
                     ? (double)scene->output.size.height / scene->output.size.width
                     : 0);
    facts_number(facts, "glow", scene->look.glow);
    facts_number(facts, "wings", scene->look.optics->wings);
    facts_number(facts, "bloom", scene->look.bloom);
    facts_flag(facts, "prints", look_prints(&scene->look));
    put_overlay(facts, page);
    put_moments(facts, page);
    put_columns(facts, page);
    put_recipe(facts, page);
    put_paths(facts, page, tolerance, streams, measure);
    char *plain = facts_written(&facts, 0, 17), *safe = memory_new(6 * strlen(plain) + 1, 1);
    size_t used = 0;
    for (const char *at = plain; *at; at++) {
        if (*at == '<')
            used += (size_t)sprintf(safe + used, "\\u003c");
        else
            safe[used++] = *at;
    }
    free(plain);
    return safe;
}

/* ---- the text ---- */

/* Writes page.html; a line `<!-- NAME -->` in it is replaced by the part of that name. */
static enum status assemble(const struct page *page, struct sink *sink, const char *json,
                            const char *bytes, size_t size)
{
    const struct {
        const char *mark, *text;
        size_t size;
    } parts[] = {{"<!-- style -->", turn_css, strlen(turn_css)},
                 {"<!-- film -->", json, strlen(json)},
                 {"<!-- bodies -->", bytes, size},
                 {"<!-- script -->", turn_js, strlen(turn_js)}};
    const uint64_t frames = page->paths.frames;
    const char *rest = turn_html;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == STATUS_OK; i++) {
        const char *mark = strstr(rest, parts[i].mark);
        status = sink_write_text(sink, rest, (size_t)(mark - rest), frames);
        if (status == STATUS_OK)
            status = sink_write_text(sink, parts[i].text, parts[i].size, frames);
        rest = mark + strlen(parts[i].mark);
    }
    return status == STATUS_OK ? sink_write_text(sink, rest, strlen(rest), frames) : status;
}

static void tell_error(const struct page *page, const struct measure *measure, bool squeezed)
{
    log_info("the paths of %zu bodies err by at most %.3g lengths, %.2g pixels of the film%s",
             page->paths.bodies, measure->error, measure->pixels,
             squeezed ? ", so that the page stays within 20 MB" : "");
}

enum status page_write(const struct page *page, struct sink *sink)
{
    struct path_streams streams = {0};
    struct measure found = {0};
    struct blob packed = {0};
    double tolerance = 1;
    /* The digits of numbers that are not known yet take a few hundred bytes. */
    char *json = describe(page, tolerance, &streams, &found);
    const size_t texts =
        strlen(json) + strlen(turn_html) + strlen(turn_css) + strlen(turn_js) + 4096;
    free(json);
    if (texts >= PAGE_BYTES)
        return status_fail(STATUS_RUNTIME,
                           "a page of %d MB has no room for %u frames; ask for fewer",
                           (int)(PAGE_BYTES / 1000000), page->paths.frames);
    enum status status = fit(page, (PAGE_BYTES - texts) / 4 * 3, &tolerance, &streams, &packed);
    if (status == STATUS_OK)
        status = find_error(page, tolerance, &streams, &found);
    if (status == STATUS_OK) {
        size_t size;
        char *bytes = text_base64(packed.bytes, packed.size, &size);
        json = describe(page, tolerance, &streams, &found);
        status = assemble(page, sink, json, bytes, size);
        free(json);
        free(bytes);
        tell_error(page, &found, tolerance > first_tolerance(page));
    }
    free(packed.bytes);
    path_streams_free(&streams);
    return status;
}
