#include "render/sprites/sprites.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/density/density.h"
#include "render/density/density_map.h"
#include "render/sprites/captured.h"
#include "render/sprites/modes.h"
#include "render/sprites/program.h"
#include "render/sprites/splats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- samples ---- */

static const double golden = 0.61803398874989485, silver = 0.41421356237309505;

static double fraction(double value)
{
    return value - floor(value);
}

void sprite_samples_make(struct sprite_sample *out, unsigned count)
{
    double mean = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0;
        for (unsigned k = 0; k < count; k++)
            before += fraction((k + 0.5) * silver) < fraction((i + 0.5) * silver);
        out[i].x = (float)((i + 0.5) / count - 0.5);
        out[i].y = (float)(fraction((i + 0.5) * golden) - 0.5);
        out[i].moment = (float)((before + 0.5) / count - 0.5);
        mean += out[i].y / count;
    }
    for (unsigned i = 0; i < count; i++)
        out[i].y -= (float)mean;
}

/* ---- sprites ---- */

extern const char shader_activity_glsl[], shader_colour_map_glsl[], shader_sprite_levels_glsl[];

/* With at least this many samples, each at its own time, the samples themselves show motion. */
enum { MOMENTS_FEWEST = 8 };

/* The largest product of bodies and samples for which half floats are used. They lose faint
 * contributions to a large sum: 0.3 % of all light and 0.6 % of the brightest hundredth at half of
 * ADDED_IN_HALF_FLOATS, 4 % and 7 % at eight times as many. Full floats cost a software renderer
 * nothing, and a GPU two and a half times the time. */
enum { ADDED_IN_HALF_FLOATS = 1 << 17, ADDED_BY_A_GPU = 1 << 21 };

struct sprites {
    struct sprites_setup setup; /* without groups */
    const struct draw_mode *mode;
    bool by_density; /* the colour needs a density map */
    struct sprite_size size;
    struct gl_target target;
    struct pyramid pyramid;   /* only created for adaptive sprites */
    struct splats splats;     /* only created when sprites are computed */
    struct captured captured; /* only created when sprites are captured */
    float lone;               /* radius of a body without neighbours */
    struct sprite_program program;
    struct sprite_program stars; /* only created if stars_apart() */
    struct body_array bodies;
    struct body_array counted; /* the same bodies for `cells`; only created with it */
    struct density_map cells;  /* only created for counts and density colours */
    struct gl_pass activity;
    GLint activity_corner;
    GLuint vertex_array; /* for full-screen passes */
    double shutter;
    bool streaks; /* motion is drawn along paths, not by samples */
    struct sprite_sample samples[SPRITE_SAMPLES_MAX];
    unsigned sample_count;
    float mass; /* mass of a body with the group's light; 1: all bodies have it */
    float plain[3];
    bool tinted; /* colours depend on the groups */
    float saturation;
    int group_count;
    struct draw_group *groups;
    struct light_sum sum;
    float *summed; /* the light in host memory; NULL: this process is alone */
    float *crowd;  /* the density map in host memory; NULL: likewise, or there is no such map */
};

/* The product of bodies and samples, here or in all processes. */
static uint64_t added(const struct sprites *sprites, bool whole)
{
    uint64_t count = 0;
    for (int g = 0; g < sprites->group_count; g++) {
        const struct draw_group *group = &sprites->groups[g];
        count += (whole ? draw_group_whole(group) : group->count) * sprites->sample_count;
    }
    return count;
}

static size_t bodies(const struct sprites *sprites)
{
    size_t end = 0;
    for (int g = 0; g < sprites->group_count; g++)
        if (end < sprites->groups[g].first + sprites->groups[g].count)
            end = sprites->groups[g].first + sprites->groups[g].count;
    return end;
}

static enum status create_target(struct sprites *sprites, const struct sprites_setup *setup,
                                 const struct gl_context *context)
{
    const uint32_t margin = sprites->size.margin;
    if (setup->width + 2 * margin > (uint32_t)context->texture_size_max ||
        setup->height + 2 * margin > (uint32_t)context->texture_size_max)
        return status_fail(STATUS_USAGE,
                           "a picture of %ux%u is larger than this GL can draw (%d with a margin "
                           "of %u); ask for a smaller --size",
                           setup->width, setup->height, context->texture_size_max, margin);
    const bool exact = setup->colour; /* squares of depths differ by little */
    const uint64_t across = 2 * (uint64_t)setup->look.copies + 1, images = across * across * across;
    const bool deep =
        sprites->size.adaptive || setup->look.trails > 0 || sprites->streaks || exact ||
        (setup->sum.add && !setup->look.mode->counts) ||
        added(sprites, true) * images > (context->software ? ADDED_IN_HALF_FLOATS : ADDED_BY_A_GPU);
    enum status status = gl_target_create(&sprites->target, deep ? GL_RGBA32F : GL_RGBA16F,
                                          (GLsizei)(setup->width + 2 * margin),
                                          (GLsizei)(setup->height + 2 * margin));
    gl_target_smooth(&sprites->target);
    return status;
}

/* The target that is added up over all processes: the light, or the counts. */
static const struct gl_target *sum_of(const struct sprites *sprites)
{
    return sprites->mode->counts ? &sprites->cells.target : &sprites->target;
}

static enum status create_sum(struct sprites *sprites, const struct light_sum *sum)
{
    const struct gl_target *light = sum_of(sprites);
    const size_t bytes = (size_t)light->width * (size_t)light->height * 4 * sizeof(float);
    sprites->sum = *sum;
    if (!sum->add)
        return STATUS_OK;
    sprites->summed = malloc(bytes);
    return sprites->summed ? STATUS_OK
                           : status_fail(STATUS_RUNTIME,
                                         "no memory left to add up the light of several processes, "
                                         "%zu bytes; ask for a smaller --size",
                                         bytes);
}

static enum status create_activity(struct sprites *sprites, const struct sprites_setup *setup,
                                   const struct gl_context *context)
{
    struct cell_grid grid;
    cell_grid_activity(&grid, setup->look.cells, setup->whole_width, setup->whole_height);
    char *shade = text_format("%s%s", shader_colour_map_glsl, shader_activity_glsl);
    enum status status = gl_pass_create(&sprites->activity, context, "activity", shade, "", 0);
    free(shade);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(&sprites->activity);
    sprite_program_set_map(sprites->activity.program, &setup->look);
    glUniform1i(gl_pass_uniform(&sprites->activity, "cells"), 0);
    glUniform1f(gl_pass_uniform(&sprites->activity, "side"), (GLfloat)grid.side);
    glUniform1f(gl_pass_uniform(&sprites->activity, "fullest"),
                (GLfloat)look_full_fullest(&setup->look, &setup->found));
    sprites->activity_corner = gl_pass_uniform(&sprites->activity, "corner_cell");
    return density_map_create(&sprites->cells, &grid, false, setup->absences, sprites->size.quads);
}

static bool captures(const struct sprites *sprites)
{
    return sprites->captured.atlas != NULL;
}

static enum sprite_kind kind_of(const struct sprites *sprites, bool splats)
{
    if (captures(sprites))
        return sprites->streaks ? SPRITE_STREAKS_CAPTURED : SPRITE_CAPTURED;
    if (sprites->streaks)
        return splats ? SPRITE_STREAK_SPLATS : SPRITE_STREAKS;
    return splats ? SPRITE_SPLATS : SPRITE_DRAWN;
}

/* Stars stay points in motion, so they are drawn without the geometry shader of streaks, which
 * takes a quarter of a software renderer's time. */
static bool stars_apart(const struct sprites *sprites, bool splats)
{
    return sprites->streaks && !splats && sprites->size.stars > 0 && !sprites->size.quads;
}

static struct column_names columns_of(const struct sprites *sprites,
                                      const struct sprites_setup *setup)
{
    struct column_names names;
    sprites_setup_columns(setup, sprites->size.adaptive, &names);
    return names;
}

static enum status create_light(struct sprites *sprites, const struct sprites_setup *setup,
                                const struct gl_context *context)
{
    GLsizei width = sprites->target.width, height = sprites->target.height;
    enum status status = STATUS_OK;
    if (sprites->size.adaptive) {
        const uint32_t whole =
            setup->whole_width > setup->whole_height ? setup->whole_width : setup->whole_height;
        const int level = sprites->size.level;
        if (captured_suits(context, setup, &sprites->size)) {
            sprite_levels_plan(&sprites->pyramid.levels, level, (uint32_t)width, (uint32_t)height,
                               whole);
            status = captured_create(&sprites->captured, setup, &sprites->pyramid.levels);
        } else {
            status = pyramid_create(&sprites->pyramid, context, level, (uint32_t)width,
                                    (uint32_t)height, whole);
        }
        width = sprites->pyramid.levels.width;
        height = sprites->pyramid.levels.height;
    }
    const bool splats = status == STATUS_OK && sprites->size.adaptive &&
                        splats_suit(context, &sprites->pyramid.levels, bodies(sprites),
                                    columns_of(sprites, setup).count);
    if (status == STATUS_OK)
        status = sprite_program_create(&sprites->program, setup, &sprites->size,
                                       kind_of(sprites, splats), width, height);
    if (status == STATUS_OK && stars_apart(sprites, splats))
        status = sprite_program_create(&sprites->stars, setup, &sprites->size,
                                       captures(sprites) ? SPRITE_CAPTURED : SPRITE_DRAWN, width,
                                       height);
    if (status == STATUS_OK && splats)
        status = splats_create(&sprites->splats, sprites->program.program, setup,
                               &sprites->pyramid.levels, added(sprites, false), sprites->streaks);
    if (status != STATUS_OK || !sprites->by_density)
        return status;
    struct cell_grid grid;
    cell_grid_density(&grid, setup->whole_width, setup->whole_height);
    if (setup->sum.share)
        sprites->crowd =
            memory_new((size_t)grid.columns * (size_t)grid.rows, sizeof *sprites->crowd);
    return density_map_create(&sprites->cells, &grid, true, setup->absences, sprites->size.quads);
}

static enum status fill(struct sprites *sprites, const struct sprites_setup *setup,
                        const struct gl_context *context)
{
    const struct look_params *look = &setup->look;
    enum status status = sprites_setup_check(setup);
    if (status != STATUS_OK)
        return status;
    sprites->setup = *setup;
    sprites->setup.groups = NULL;
    sprites->mode = look->mode;
    sprites->by_density = sprites_setup_colour(setup)->by_density;
    sprite_size_choose(&sprites->size, setup, context->point_size_max);
    sprites->vertex_array = setup->vertex_array;
    sprites->lone = (float)look_full_spacing(look, &setup->found);
    sprites->shutter = look->shutter;
    sprites->sample_count = look->samples;
    sprites->streaks = look->shutter > 0 && look->samples < MOMENTS_FEWEST && !look->mode->counts;
    sprite_samples_make(sprites->samples, sprites->sample_count);
    sprites->mass = look->weight->by_mass ? (float)setup->found.mean_mass : 1;
    for (int c = 0; c < 3; c++)
        sprites->plain[c] = (float)look->plain[c];
    sprites->tinted = sprites_setup_colour(setup)->tint != TINT_NONE;
    sprites->saturation = (float)look->saturation;
    sprites->group_count = setup->group_count;
    sprites->groups = memory_new((size_t)setup->group_count, sizeof *sprites->groups);
    for (int g = 0; g < setup->group_count; g++)
        sprites->groups[g] = setup->groups[g];
    status = create_target(sprites, setup, context);
    if (status != STATUS_OK)
        return status;
    const struct column_names names = columns_of(sprites, setup);
    const struct column_names counted = {{COLUMN_ABSENT}, setup->absences};
    body_array_create(&sprites->bodies, &setup->bodies, setup->reference, &names,
                      sprites->size.quads && !sprites->streaks);
    if (sprites->by_density || look->mode->counts)
        body_array_create(&sprites->counted, &setup->bodies, 0, &counted, sprites->size.quads);
    status = look->mode->counts ? create_activity(sprites, setup, context)
                                : create_light(sprites, setup, context);
    return status == STATUS_OK ? create_sum(sprites, &setup->sum) : status;
}

enum status sprites_create(struct sprites **out, const struct sprites_setup *setup,
                           const struct gl_context *context)
{
    *out = memory_new(1, sizeof **out);
    enum status status = fill(*out, setup, context);
    if (status != STATUS_OK)
        sprites_destroy(out);
    return status;
}

void sprites_tune(struct sprites *sprites, const struct look_params *look)
{
    sprites->setup.look = *look;
    sprite_size_tune(&sprites->size, &sprites->setup);
    sprites->shutter = look->shutter;
    sprites->saturation = (float)look->saturation;
    if (sprites->program.program)
        sprite_program_tune(sprites->program.program, &sprites->setup, &sprites->size);
    if (sprites->stars.program)
        sprite_program_tune(sprites->stars.program, &sprites->setup, &sprites->size);
    if (sprites->mode->counts) {
        gl_pass_use(&sprites->activity);
        sprite_program_set_map(sprites->activity.program, look);
    }
}

void sprites_destroy(struct sprites **sprites)
{
    struct sprites *self = *sprites;
    if (!self)
        return;
    gl_pass_destroy(&self->activity);
    splats_destroy(&self->splats);
    captured_destroy(&self->captured);
    pyramid_destroy(&self->pyramid);
    sprite_program_destroy(&self->stars);
    sprite_program_destroy(&self->program);
    density_map_destroy(&self->cells);
    body_array_destroy(&self->counted);
    body_array_destroy(&self->bodies);
    gl_target_destroy(&self->target);
    free(self->groups);
    free(self->summed);
    free(self->crowd);
    free(self);
    *sprites = NULL;
}

static void count(struct sprites *sprites, const struct sprite_sights *sights)
{
    density_map_begin(&sprites->cells, sights->poses, sprites->target.width,
                      sprites->target.height);
    for (size_t i = 0; i < sights->count; i++)
        density_map_add(&sprites->cells, &sights->poses[i], &sprites->counted, sprites->groups,
                        sprites->group_count);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, sprites->cells.target.texture);
}

/* Counts the bodies of all processes. */
static enum status count_all(struct sprites *sprites, const struct sprite_sights *sights)
{
    const struct light_sum *sum = &sprites->sum;
    const struct gl_target *cells = &sprites->cells.target;
    count(sprites, sights);
    if (!sprites->crowd)
        return STATUS_OK;
    gl_target_read(cells, GL_RED, sprites->crowd);
    enum status status = gl_check("reading a density map back");
    if (status == STATUS_OK)
        status =
            sum->share(sum->user, sprites->crowd, (size_t)cells->width * (size_t)cells->height);
    if (status != STATUS_OK)
        return status;
    gl_target_write(cells, GL_RED, sprites->crowd);
    glBindTexture(GL_TEXTURE_2D, cells->texture);
    return STATUS_OK;
}

static void map_counts(struct sprites *sprites)
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, sprites->cells.target.texture);
    glBindVertexArray(sprites->vertex_array);
    gl_pass_use(&sprites->activity);
    gl_pass_draw(&sprites->activity, &sprites->target);
}

static void draw_activity(struct sprites *sprites, const struct sprite_sights *sights)
{
    const double side = sprites->cells.grid.side;
    const struct camera_pose *pose = sights->poses;
    count(sprites, sights);
    gl_pass_use(&sprites->activity);
    glUniform2f(sprites->activity_corner, (GLfloat)(pose->corner[0] / side),
                (GLfloat)(pose->corner[1] / side));
    map_counts(sprites);
}

/* `times`: sprites per body, starting with star number `first`; 0 is the body itself. */
static void draw_groups(struct sprites *sprites, const struct sprite_program *program,
                        unsigned first, unsigned times)
{
    const struct captured_kind kind = {
        .streaks = sprites->streaks && program == &sprites->program,
        .star = program->first_star,
        .first = first,
        .times = times,
    };
    glUniform1ui(program->first_star, first);
    for (int g = 0; g < sprites->group_count; g++) {
        const struct draw_group *group = &sprites->groups[g];
        glUniform1f(program->light, group->light / (sprites->mass * (float)sprites->sample_count));
        glUniform3fv(program->tint, 1, sprites->mode->plain ? sprites->plain : group->tint);
        if (sprites->tinted)
            glUniform1f(program->saturation, group->given ? 1 : sprites->saturation);
        glUniform1i(program->tinted, group->given);
        glUniform1ui(program->before, (GLuint)group->before);
        if (sprites_computed(sprites))
            splats_add(&sprites->splats, group->first, group->count);
        else if (captures(sprites))
            captured_add(&sprites->captured, &sprites->bodies, group, &kind);
        else {
            glUniform1ui(program->quad_first, (GLuint)group->first);
            body_array_draw(&sprites->bodies, group->first, group->count, times);
        }
    }
}

static void begin_splats(struct sprites *sprites, const struct camera_pose *pose)
{
    float brightest = 0;
    for (int g = 0; g < sprites->group_count; g++)
        brightest = fmaxf(brightest, sprites->groups[g].light);
    splats_begin(&sprites->splats, &sprites->bodies, brightest / (float)sprites->sample_count,
                 sprites->lone * pose->pixels_per_unit);
}

static void set_ends(const struct sprites *sprites, const struct sprite_program *program,
                     const struct camera_pose *pose, const struct streak_ends *ends,
                     double interval)
{
    glUniformMatrix4fv(program->opening, 1, GL_FALSE, ends->opening);
    glUniformMatrix4fv(program->closing, 1, GL_FALSE, ends->closing);
    glUniform1f(program->plane,
                (GLfloat)sprites->target.width / (2 * pose->pixels_per_unit * pose->distance));
    glUniform1f(program->exposed, (GLfloat)(0.5 * sprites->shutter * interval));
}

static void set_view(const struct sprites *sprites, const struct sprite_program *program,
                     const struct camera_pose *pose)
{
    glUseProgram(program->program);
    if (sprites->size.adaptive)
        pyramid_place(&sprites->pyramid, program->program, pose);
    glUniformMatrix4fv(program->view_projection, 1, GL_FALSE, pose->view_projection);
    glUniform3fv(program->eye, 1, pose->position);
    glUniform3fv(program->upright, 1, pose->up);
    glUniform4fv(program->slab, 1, pose->slab);
    glUniform4fv(program->to_map, 1, sprites->cells.place);
    glUniform1f(program->size_at_unit_depth, sprite_size_at_unit_depth(&sprites->size, pose));
    glUniform1f(program->target_distance, pose->distance);
    glUniform1f(program->focal, pose->pixels_per_unit * pose->distance);
    glUniform1f(program->body_radius, sprites->size.radius);
}

static void draw_samples(struct sprites *sprites, const struct sprite_program *program,
                         double interval, unsigned first, unsigned times)
{
    for (unsigned i = 0; i < sprites->sample_count; i++) {
        const struct sprite_sample *sample = &sprites->samples[i];
        glUniform2f(program->shift, 2 * sample->x / (GLfloat)sprites->target.width,
                    2 * sample->y / (GLfloat)sprites->target.height);
        glUniform1f(program->moment,
                    (GLfloat)(sprites->streaks ? 0 : sample->moment * sprites->shutter * interval));
        draw_groups(sprites, program, first, times);
    }
}

static void draw_sight(struct sprites *sprites, const struct sprite_sights *sights, size_t sight,
                       double interval)
{
    const bool apart = sprites->stars.program != 0;
    const struct camera_pose *pose = &sights->poses[sight];
    set_view(sprites, &sprites->program, pose);
    sprite_program_set_scale(&sprites->program, &sprites->setup, sights->scale);
    if (sprites->streaks)
        set_ends(sprites, &sprites->program, pose, &sights->ends[sight], interval);
    draw_samples(sprites, &sprites->program, interval, 0, apart ? 1 : 1 + sprites->size.stars);
    if (apart) {
        set_view(sprites, &sprites->stars, pose);
        sprite_program_set_scale(&sprites->stars, &sprites->setup, sights->scale);
        draw_samples(sprites, &sprites->stars, interval, 1, sprites->size.stars);
    }
}

enum status sprites_draw(struct sprites *sprites, const struct sprite_sights *sights,
                         double interval)
{
    const struct camera_pose *pose = sights->poses;
    if (sprites->mode->counts) {
        draw_activity(sprites, sights);
        return STATUS_OK;
    }
    const enum status status = sprites->by_density ? count_all(sprites, sights) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (sprites_computed(sprites))
        begin_splats(sprites, pose);
    else if (captures(sprites))
        captured_begin(&sprites->captured, &sprites->target);
    else if (sprites->size.adaptive)
        pyramid_start_adding(&sprites->pyramid);
    else
        gl_target_start_adding(&sprites->target);
    for (size_t i = 0; i < sights->count; i++)
        draw_sight(sprites, sights, i, interval);
    if (sprites_computed(sprites))
        splats_finish(&sprites->splats, sprites->pyramid.atlas.texture);
    if (captures(sprites)) {
        captured_finish(&sprites->captured, pose);
    } else if (sprites->size.adaptive) {
        glBindVertexArray(sprites->vertex_array);
        pyramid_add_up(&sprites->pyramid, pose, &sprites->target);
    }
    return STATUS_OK;
}

enum status sprites_sum(struct sprites *sprites)
{
    const struct light_sum *sum = &sprites->sum;
    const GLenum format = sprites->mode->counts ? GL_RED : GL_RGBA;
    if (!sum->add)
        return STATUS_OK;
    const struct gl_target *light = sum_of(sprites);
    if (sprites->captured.changed) /* and nothing was added to it by GL */
        return sum->add(sum->user, sprites_light(sprites),
                        (size_t)light->width * (size_t)light->height * 4);
    gl_target_read(light, format, sprites->summed);
    enum status status = gl_check("reading light back");
    if (status == STATUS_OK)
        status =
            sum->add(sum->user, sprites->summed,
                     (size_t)light->width * (size_t)light->height * (format == GL_RED ? 1 : 4));
    if (status != STATUS_OK || !sum->leads)
        return status;
    gl_target_write(light, format, sprites->summed);
    if (sprites->mode->counts)
        map_counts(sprites);
    return STATUS_OK;
}

enum status sprites_recipe(const struct sprites *sprites, const struct sprites_setup *setup,
                           struct recipe *out)
{
    struct sprites_setup own = *setup;
    const struct look_params *look = &setup->look;
    own.groups = out->groups = sprites->groups;
    own.group_count = out->group_count = sprites->group_count;
    out->columns = columns_of(sprites, &own);
    out->first_column = BODY_COLUMNS;
    out->levels = shader_sprite_levels_glsl;
    out->mass = look->weight->by_mass ? sprites->mass : 0;
    out->point = look->point_size > 0 ? look->point_size : look->mode->point_size;
    out->radius = look->radius;
    out->smallest = (double)sprites->size.smallest;
    out->square = look->mode->square;
    out->adaptive = sprites->size.adaptive;
    out->level = (uint32_t)sprites->size.level;
    out->stars = sprites->size.stars;
    out->tinted = sprites->tinted;
    out->is_plain = look->mode->plain;
    memcpy(out->plain, sprites->plain, sizeof out->plain);
    return sprite_program_recipe(&out->sprites, &own, &sprites->size);
}

const struct gl_target *sprites_target(struct sprites *sprites)
{
    if (sprites->captured.changed)
        captured_write(&sprites->captured, &sprites->target);
    return &sprites->target;
}

bool sprites_in_memory(const struct sprites *sprites)
{
    return captures(sprites);
}

float *sprites_light(struct sprites *sprites)
{
    sprites->captured.changed = true;
    return sprites->captured.sum[0];
}

uint32_t sprites_margin(const struct sprites *sprites)
{
    return sprites->size.margin;
}

bool sprites_shine(const struct sprites *sprites)
{
    return !sprites->mode->counts;
}

bool sprites_computed(const struct sprites *sprites)
{
    return sprites->splats.capacity > 0;
}

bool sprites_only_along(const struct sprites *sprites)
{
    return sprites_computed(sprites) && sprites->bodies.order && !sprites->counted.vertex_array &&
           !sprites->setup.reference;
}

bool sprites_streak(const struct sprites *sprites)
{
    return sprites->streaks;
}

/* ---- dust ---- */

extern const char shader_fullscreen_vert[], shader_dust_frag[];

struct dust {
    struct sprites *column, *depths;
    GLuint program, vertex_array;
    GLint thickness;
    double ordinary; /* with look.dust 1 */
    double depth;    /* optical depth of a column that is exposed to 1 */
    struct light_sum sum;
};

/* Chooses the groups that are dusty, or the others. Returns their light in bodies. */
static double choose(struct sprites_setup *out, struct draw_group *groups,
                     const struct sprites_setup *setup, bool dusty)
{
    double light = 0, count = 0, all = 0;
    *out = *setup;
    out->colour = &colour_depth;
    out->reference = 0;
    out->weighed = true;
    out->look.resolved = dusty ? setup->look.optics->clouds : 0;
    out->groups = groups;
    out->group_count = 0;
    for (int g = 0; g < setup->group_count; g++) {
        const double bodies = (double)draw_group_whole(&setup->groups[g]);
        all += bodies;
        if (setup->groups[g].dusty != dusty)
            continue;
        count += bodies;
        groups[out->group_count++] = setup->groups[g];
        light += (double)setup->groups[g].light * bodies;
    }
    /* Among many stars, a body's neighbours are closer than the nearest gas bodies. */
    if (dusty)
        out->spread = 0.75 * fn_cbrt(all / fmax(count, 1));
    return light;
}

static enum status create_passes(struct dust *dust, const struct sprites_setup *setup,
                                 const struct gl_context *context)
{
    struct sprites_setup own;
    struct draw_group *groups = memory_new((size_t)setup->group_count, sizeof *groups);
    const double light = choose(&own, groups, setup, false);
    enum status status = sprites_create(&dust->depths, &own, context);
    const double thin = choose(&own, groups, setup, true);
    if (status == STATUS_OK)
        status = sprites_create(&dust->column, &own, context);
    dust->ordinary = thin > 0 ? DUST_ORDINARY * light / thin : 0;
    dust->depth = thin > 0 ? DUST_ORDINARY * setup->look.dust * light / thin : 0;
    free(groups);
    return status;
}

static enum status create_program(struct dust *dust, const struct sprites_setup *setup)
{
    enum status status =
        gl_program(&dust->program, "dust", shader_fullscreen_vert, shader_dust_frag,
                   sprites_setup_values(setup) ? "#define VALUES\n" : "");
    if (status != STATUS_OK)
        return status;
    dust->thickness = glGetUniformLocation(dust->program, "thickness");
    glUseProgram(dust->program);
    glUniform1f(glGetUniformLocation(dust->program, "thickest"), (GLfloat)DUST_THICKEST);
    glUniform1i(glGetUniformLocation(dust->program, "dust"), 0);
    glUniform1i(glGetUniformLocation(dust->program, "depths"), 1);
    return STATUS_OK;
}

enum status dust_create(struct dust **out, const struct sprites_setup *setup,
                        const struct gl_context *context)
{
    struct dust *dust = *out = memory_new(1, sizeof *dust);
    dust->vertex_array = setup->vertex_array;
    dust->sum = setup->sum;
    enum status status = create_passes(dust, setup, context);
    if (status == STATUS_OK)
        status = create_program(dust, setup);
    if (status != STATUS_OK)
        dust_destroy(out);
    return status;
}

void dust_tune(struct dust *dust, const struct look_params *look)
{
    struct look_params own = *look;
    own.resolved = look->optics->clouds;
    sprites_tune(dust->column, &own);
    own.resolved = 0;
    sprites_tune(dust->depths, &own);
    dust->depth = dust->ordinary * look->dust;
}

void dust_destroy(struct dust **dust)
{
    struct dust *self = *dust;
    if (!self)
        return;
    sprites_destroy(&self->column);
    sprites_destroy(&self->depths);
    glDeleteProgram(self->program);
    free(self);
    *dust = NULL;
}

bool dust_only_along(const struct dust *dust)
{
    return sprites_only_along(dust->column) && sprites_only_along(dust->depths);
}

/* Draws it for the bodies of all processes. */
static enum status draw_pass(struct sprites *pass, const struct sprite_sights *sights,
                             double interval)
{
    const enum status status = sprites_draw(pass, sights, interval);
    return status == STATUS_OK ? sprites_sum(pass) : status;
}

enum status dust_dim(struct dust *dust, struct sprites *sprites, const struct sprite_sights *sights,
                     double interval, double exposure)
{
    const bool shared = dust->sum.add; /* others add, whatever is exposed here */
    if (!(dust->depth > 0) || (!shared && !(exposure > 0)))
        return STATUS_OK;
    enum status status = draw_pass(dust->column, sights, interval);
    if (status == STATUS_OK)
        status = draw_pass(dust->depths, sights, interval);
    if (status != STATUS_OK || light_sum_lends(&dust->sum) || !(exposure > 0))
        return status;
    glBindVertexArray(dust->vertex_array);
    gl_target_bind(sprites_target(sprites));
    glUseProgram(dust->program);
    glUniform1f(dust->thickness, (GLfloat)(dust->depth * exposure));
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, sprites_target(dust->depths)->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, sprites_target(dust->column)->texture);
    glEnable(GL_BLEND);
    glBlendFunc(GL_DST_COLOR, GL_ZERO);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
    return STATUS_OK;
}
