#include "render/sprites/setup.h"

#include "render/density/density.h"
#include "render/sprites/modes.h"

#include <math.h>

/* ---- levels ---- */

/* Pixels beyond the target, for the filter that adds a level to the next finer one. */
enum { BORDER = 2 };

void sprite_levels_plan(struct sprite_levels *out, int sprite, uint32_t width, uint32_t height,
                        uint32_t whole)
{
    const int guard = 2 * sprite;
    int above = 0;
    *out = (struct sprite_levels){.sprite = sprite, .count = 1};
    while (out->count < LEVELS_MOST && (sprite << (out->count - 1)) < 4 * (int64_t)whole)
        out->count++;
    for (int l = 0; l < out->count; l++) {
        struct sprite_level *level = &out->at[l];
        const int more = l > 0 ? 2 * BORDER + 1 : 0;
        level->width = (int)ceil(ldexp(width, -l)) + more;
        level->height = (int)ceil(ldexp(height, -l)) + more;
        /* Coarser levels are stacked to the right of the finest. */
        level->x = l > 0 ? out->at[0].width + guard : 0;
        level->y = above;
        if (l > 0)
            above += level->height + guard;
        out->width = (int)fmax(out->width, level->x + level->width + guard);
        out->height = (int)fmax(out->height, level->y + level->height + guard);
    }
}

int sprite_level_begin(int level, float corner)
{
    return level > 0 ? (int)floor(ldexp(corner, -level)) - BORDER : (int)corner;
}

/* Maps clip coordinates of the target to those of the atlas: multiply by xy, then add zw times the
 * clip coordinates' w. */
static void sprite_level_place(const struct sprite_levels *levels, int level, const float corner[2],
                               float place[4])
{
    const struct sprite_level *at = &levels->at[level];
    const int size[2] = {levels->at[0].width, levels->at[0].height};
    const int atlas[2] = {levels->width, levels->height}, low[2] = {at->x, at->y};
    for (int i = 0; i < 2; i++) {
        const double half = ldexp(size[i] / 2.0, -level);
        const double middle = low[i] + levels->sprite + ldexp(corner[i], -level) + half -
                              sprite_level_begin(level, corner[i]);
        place[i] = (float)(2 * half / atlas[i]);
        place[2 + i] = (float)(2 * middle / atlas[i] - 1);
    }
}

/* The allowed range of sprite centres in the atlas, in clip coordinates: left, lower, right,
 * upper. */
static void sprite_level_bounds(const struct sprite_levels *levels, int level, float bounds[4])
{
    const struct sprite_level *at = &levels->at[level];
    const int size[2] = {at->width, at->height};
    const int atlas[2] = {levels->width, levels->height}, low[2] = {at->x, at->y};
    for (int i = 0; i < 2; i++) {
        const double reach = levels->sprite / 2.0;
        bounds[i] = (float)(2 * (low[i] + reach) / atlas[i] - 1);
        bounds[2 + i] = (float)(2 * (low[i] + 3 * reach + size[i]) / atlas[i] - 1);
    }
}

/* ---- pyramid ---- */

extern const char shader_sprite_levels_glsl[];

enum status pyramid_create(struct pyramid *pyramid, const struct gl_context *context, int sprite,
                           uint32_t width, uint32_t height, uint32_t whole)
{
    struct sprite_levels *levels = &pyramid->levels;
    sprite_levels_plan(levels, sprite, width, height, whole);
    enum status status =
        levels->width > context->texture_size_max || levels->height > context->texture_size_max
            ? status_fail(
                  STATUS_USAGE,
                  "a picture of %ux%u with look.size adaptive needs a target of %dx%d, more "
                  "than this GL can draw (%d); ask for a smaller --size",
                  width, height, levels->width, levels->height, context->texture_size_max)
            : gl_target_create(&pyramid->atlas, GL_RGBA32F, levels->width, levels->height);
    for (int l = 1; l < levels->count && status == STATUS_OK; l++) {
        status = gl_target_create(&pyramid->sum[l], GL_RGBA32F, levels->at[l].width,
                                  levels->at[l].height);
    }
    if (status == STATUS_OK)
        status = gl_pass_create(&pyramid->add, context, "sprite_levels", shader_sprite_levels_glsl,
                                "", 0);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(&pyramid->add);
    glUniform1i(gl_pass_uniform(&pyramid->add, "atlas"), 0);
    glUniform1i(gl_pass_uniform(&pyramid->add, "coarser"), 1);
    pyramid->corner = gl_pass_uniform(&pyramid->add, "level_corner");
    pyramid->coarser_origin = gl_pass_uniform(&pyramid->add, "coarser_origin");
    pyramid->coarser_share = gl_pass_uniform(&pyramid->add, "coarser_share");
    return STATUS_OK;
}

void pyramid_destroy(struct pyramid *pyramid)
{
    gl_target_destroy(&pyramid->atlas);
    for (int l = 0; l < LEVELS_MOST; l++)
        gl_target_destroy(&pyramid->sum[l]);
    gl_pass_destroy(&pyramid->add);
}

void pyramid_start_adding(const struct pyramid *pyramid)
{
    gl_target_start_adding(&pyramid->atlas);
}

void pyramid_place(const struct pyramid *pyramid, GLuint program, const struct camera_pose *pose)
{
    const struct sprite_levels *levels = &pyramid->levels;
    GLfloat place[LEVELS_MOST][4], bounds[LEVELS_MOST][4];
    for (int l = 0; l < levels->count; l++) {
        sprite_level_place(levels, l, pose->corner, place[l]);
        sprite_level_bounds(levels, l, bounds[l]);
    }
    glUniform4fv(glGetUniformLocation(program, "level_place"), levels->count, place[0]);
    glUniform4fv(glGetUniformLocation(program, "level_bounds"), levels->count, bounds[0]);
    glUniform1f(glGetUniformLocation(program, "last_level"), (GLfloat)(levels->count - 1));
}

static void add_level(const struct pyramid *pyramid, const struct camera_pose *pose, int l,
                      const struct gl_target *to)
{
    const struct sprite_levels *levels = &pyramid->levels;
    const bool last = l + 1 == levels->count;
    const struct gl_target *from = last ? &pyramid->atlas : &pyramid->sum[l + 1];
    glUniform2i(pyramid->corner, levels->at[l].x + levels->sprite,
                levels->at[l].y + levels->sprite);
    glUniform1f(pyramid->coarser_share, last ? 0 : 1);
    GLfloat origin[2];
    for (int i = 0; i < 2; i++)
        origin[i] = (GLfloat)sprite_level_begin(l, pose->corner[i]) / 2 -
                    (GLfloat)sprite_level_begin(l + 1, pose->corner[i]);
    glUniform2fv(pyramid->coarser_origin, 1, origin);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, from->texture);
    glActiveTexture(GL_TEXTURE0);
    gl_pass_draw(&pyramid->add, to);
}

void pyramid_add_up(const struct pyramid *pyramid, const struct camera_pose *pose,
                    const struct gl_target *target)
{
    gl_pass_use(&pyramid->add);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, pyramid->atlas.texture);
    for (int l = pyramid->levels.count - 1; l >= 0; l--)
        add_level(pyramid, pose, l, l > 0 ? &pyramid->sum[l] : target);
}

/* ---- setup ---- */

/* ---- setup ---- */

enum status sprites_setup_check(const struct sprites_setup *setup)
{
    const struct look_params *look = &setup->look;
    if (look->weight->by_mass && setup->group_count > 0 && !(setup->found.mean_mass > 0))
        return status_fail(STATUS_USAGE,
                           "look.weight is %s, and the bodies that are drawn have no mass; set it "
                           "to %s",
                           look->weight->name, light_by_component.name);
    if (look->exposure.surface && !sizing_adapts(look))
        return status_fail(
            STATUS_USAGE,
            "look.exposure is a surface density, which only sprites of adaptive size "
            "add up to; set look.size to %s or %s",
            sizing_adaptive.name, sizing_kernel.name);
    if (look->mode->counts && setup->whole_sphere)
        return status_fail(STATUS_USAGE,
                           "look.mode is %s, which has no cells around the whole sphere; choose a "
                           "camera.projection of one or two flat pictures",
                           look->mode->name);
    if (look->mode->counts && setup->reference)
        return status_fail(STATUS_USAGE,
                           "a panel of the mode %s counts bodies and cannot show their difference; "
                           "give it another mode",
                           look->mode->name);
    if (setup->sum.add && !setup->sum.share && sprites_setup_colour(setup)->by_density &&
        !look->mode->counts)
        return status_fail(STATUS_USAGE,
                           "look.color is %s, which needs all bodies in one process, but these are "
                           "divided among several; choose another colour",
                           look->color->name);
    return STATUS_OK;
}

double sprites_setup_surface(const struct sprites_setup *setup)
{
    const double pi = 3.14159265358979323846;
    const double spacing = look_full_spacing(&setup->look, &setup->found);
    const double mass = setup->look.weight->by_mass ? setup->found.mean_mass : 1;
    return 3 * mass / (pi * spacing * spacing);
}

const struct colour *sprites_setup_colour(const struct sprites_setup *setup)
{
    if (setup->colour)
        return setup->colour;
    if (setup->reference)
        return &colour_difference;
    return setup->look.mode->plain ? &colour_plain : setup->look.color;
}

void sprites_setup_columns(const struct sprites_setup *setup, bool adaptive,
                           struct column_names *out)
{
    const struct colour *colour = sprites_setup_colour(setup);
    *out = (struct column_names){.count = 0};
    if (adaptive)
        column_names_add(out, COLUMN_DISTANCE);
    if (adaptive && setup->look.size->kernel)
        column_names_add(out, COLUMN_KERNEL);
    for (int k = 0; k < COLOUR_COLUMNS && colour->columns[k]; k++)
        column_names_add(out, colour->columns[k]);
    if (setup->absences)
        column_names_add(out, COLUMN_ABSENT);
}

bool sprites_setup_values(const struct sprites_setup *setup)
{
    return setup->weighed && sprites_setup_colour(setup)->mapped;
}

/* ---- size ---- */

/* The limit of growth of bodies near the camera, where look.point_size decides. */
static const float largest_growth = 6.0f;
/* The elongation of a round body in the corner of a face of the cube around the camera. */
static const float longest = 1.7320508f;
/* Light further outside the picture than this part of its height is ignored by the glow. */
static const float glow_margin = 1.0f / 45;

static void choose_round(struct sprite_size *out, const struct sprites_setup *setup, double rows)
{
    const uint32_t width = setup->whole_width, height = setup->whole_height;
    out->smallest = (float)setup->look.smallest * profile_of(&setup->look)->smallest;
    out->adaptive = sizing_adapts(&setup->look);
    out->kernel = out->adaptive && setup->look.size->kernel;
    if (out->adaptive) {
        out->level = setup->look.exposure.surface ? LEVEL_MEASURED : LEVEL_SPRITE;
        out->nominal = out->largest = out->fading = (float)out->level;
        out->stars = resolved_stars(&setup->look);
        out->star = fmaxf(resolved_size(setup->look.optics, rows), out->smallest);
    } else if (setup->look.radius > 0) {
        out->nominal = 0;
        out->radius = (float)setup->look.radius;
        out->fading = fmaxf((float)(width < height ? width : height), out->smallest);
        out->largest = 16 * out->fading;
    } else {
        out->largest = fmaxf(out->nominal, out->smallest) * largest_growth;
        out->fading = out->largest;
    }
}

void sprite_size_choose(struct sprite_size *out, const struct sprites_setup *setup,
                        float point_size_max)
{
    const struct draw_mode *mode = setup->look.mode;
    const double size = setup->look.point_size > 0 ? setup->look.point_size : mode->point_size;
    const double rows =
        setup->stretch > 0 ? setup->whole_height / setup->stretch : setup->whole_height;
    *out = (struct sprite_size){.nominal = (float)(size * rows / 1080.0), .fixed = mode->square};
    if (mode->square) /* whole pixels, because a square would flicker as it moves */
        out->nominal = out->smallest = out->largest = out->fading = fmaxf(roundf(out->nominal), 1);
    else
        choose_round(out, setup, rows);
    const float longer =
        setup->whole_sphere && !mode->square ? out->largest * longest : out->largest;
    /* A quad costs twice as much as a point on Mesa's software renderer. */
    out->quads = setup->quads || fmaxf(longer, CELL_SPLAT) > point_size_max;
    float margin = longer / 2;
    if (out->quads || out->adaptive)
        margin = fminf(margin, fmaxf(16, (float)setup->height * glow_margin));
    out->margin = (uint32_t)ceilf(margin);
}

void sprite_size_tune(struct sprite_size *size, const struct sprites_setup *setup)
{
    const struct sprite_size before = *size;
    sprite_size_choose(size, setup, INFINITY);
    size->quads = before.quads;
    size->margin = before.margin;
}

float sprite_size_at_unit_depth(const struct sprite_size *size, const struct camera_pose *pose)
{
    if (size->fixed)
        return size->nominal;
    if (size->adaptive)
        return 2 * pose->pixels_per_unit * pose->distance;
    if (size->radius > 0)
        return 2 * size->radius * pose->pixels_per_unit * pose->distance;
    return size->nominal * pose->distance;
}
