#include "render/post/glow.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/gl/pass.h"
#include "render/picture/isa.h"

#include <math.h>
#include <stdlib.h>

extern const char shader_glow_down_glsl[], shader_glow_up_glsl[], shader_glow_smooth_glsl[];

/* The coarsest level has about COARSEST_ROWS. */
enum { LEVELS_MAX = 14, COARSEST_ROWS = 6 };

/* The width of the point-spread function's core, relative to the picture's height. */
static const double core = 0.004;

/* Weights 0.195, 0.61, 0.195, sampled between texels at twice the size, approximate a Gaussian so
 * well that the light is round; flatter weights would leave a square in it. */
static const float smooth_reach = 0.39f;

struct glow {
    int levels;
    struct gl_target level[LEVELS_MAX];  /* half as large as the source, a quarter, ... */
    struct gl_target spread[LEVELS_MAX]; /* each with all coarser levels; see finish_level */
    float own_share[LEVELS_MAX];         /* the level's own share of its spread light */
    struct gl_pass down, up, smooth;
    GLint down_texel, up_texel, up_share, smooth_texel;
    /* For light in memory; then there are no targets and passes. */
    struct glow_plane source, plane[LEVELS_MAX], smoothed[LEVELS_MAX];
    struct glow_room room;
};

/* How wide a level's light is spread, in pixels of the source: the variances of all smoothing steps
 * add up. */
static double deviation(int level)
{
    const double texel = fn_pow(4, level + 1), finest = 4;
    const double smooths = 2 * 0.195 + 3.0 / 16; /* coarser texels, and interpolation */
    const double down = 0.25 * (texel - 1);
    const double up = smooths * (texel - finest) * 4 / 3;
    return sqrt(down + up + smooths * finest);
}

/* The share of the profile's light in Gaussians up to this width: the profile is a sum of Gaussians
 * whose inverse squared widths follow a gamma distribution. */
static double narrower(double deviation, double width)
{
    return fn_erfc(width / (sqrt(2) * deviation));
}

static void choose_shares(struct glow *glow, double rows)
{
    const double width = core * rows;
    double weight[LEVELS_MAX], coarser = 0;
    for (int i = 0; i < glow->levels; i++) {
        const double own = deviation(i), next = deviation(i + 1);
        const double below = i > 0 ? narrower(sqrt(deviation(i - 1) * own), width) : 0;
        weight[i] = narrower(sqrt(own * next), width) - below;
    }
    for (int i = glow->levels - 1; i >= 0; i--) {
        coarser += weight[i];
        glow->own_share[i] = coarser > 0 ? (float)(weight[i] / coarser) : 1;
    }
}

static enum status create_target(struct gl_target *target, GLsizei width, GLsizei height)
{
    enum status status = gl_target_create(target, GL_RGBA16F, width, height);
    if (status != STATUS_OK)
        return status;
    gl_target_smooth(target);
    gl_target_border(target);
    return status;
}

static enum status create_planes(struct glow *glow, int i, GLsizei width, GLsizei height)
{
    const size_t floats = 4 * (size_t)width * (size_t)height;
    glow->plane[i] = glow->smoothed[i] = (struct glow_plane){NULL, width, height};
    glow->plane[i].pixel = memory_touched(floats * sizeof(float));
    glow->smoothed[i].pixel = memory_touched(floats * sizeof(float));
    if (!glow->plane[i].pixel || !glow->smoothed[i].pixel)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for the glow of a picture, %zu bytes; ask for a "
                           "smaller --size",
                           2 * floats * sizeof(float));
    return STATUS_OK;
}

static void make_room(struct glow *glow, GLsizei width)
{
    const size_t floats = 4 * ((size_t)width + 3);
    glow->room.row = memory_new(floats, sizeof(float));
    glow->room.nothing = memory_new(floats, sizeof(float));
}

static enum status create_levels(struct glow *glow, const struct glow_setup *setup)
{
    GLsizei width = setup->source->width, height = setup->source->height;
    enum status status = STATUS_OK;
    do {
        const int i = glow->levels++;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        if (setup->in_memory)
            status = create_planes(glow, i, width, height);
        if (status == STATUS_OK && !setup->in_memory)
            status = create_target(&glow->level[i], width, height);
        if (status == STATUS_OK && !setup->in_memory)
            status = create_target(&glow->spread[i], width, height);
    } while (status == STATUS_OK && height > COARSEST_ROWS && glow->levels < LEVELS_MAX);
    return status;
}

static enum status create_passes(struct glow *glow, const struct gl_context *context)
{
    enum status status =
        gl_pass_create(&glow->down, context, "glow_down", shader_glow_down_glsl, "", 0);
    if (status == STATUS_OK)
        status = gl_pass_create(&glow->up, context, "glow_up", shader_glow_up_glsl, "", 0);
    if (status == STATUS_OK)
        status =
            gl_pass_create(&glow->smooth, context, "glow_smooth", shader_glow_smooth_glsl, "", 0);
    if (status != STATUS_OK)
        return status;
    glow->down_texel = gl_pass_uniform(&glow->down, "source_texel");
    glow->up_texel = gl_pass_uniform(&glow->up, "coarser_texel");
    glow->up_share = gl_pass_uniform(&glow->up, "own_share");
    glow->smooth_texel = gl_pass_uniform(&glow->smooth, "source_texel");
    gl_pass_use(&glow->smooth);
    glUniform1f(gl_pass_uniform(&glow->smooth, "reach"), smooth_reach);
    gl_pass_use(&glow->up);
    glUniform1i(gl_pass_uniform(&glow->up, "own"), 0);
    glUniform1i(gl_pass_uniform(&glow->up, "coarser"), 1);
    return STATUS_OK;
}

enum status glow_create(struct glow **out, const struct gl_context *context,
                        const struct glow_setup *setup)
{
    struct glow *glow = *out = memory_new(1, sizeof *glow);
    enum status status = create_levels(glow, setup);
    if (setup->in_memory)
        make_room(glow, setup->source->width);
    else if (status == STATUS_OK)
        status = create_passes(glow, context);
    glow->source = (struct glow_plane){NULL, setup->source->width, setup->source->height};
    choose_shares(glow, setup->rows);
    if (status != STATUS_OK)
        glow_destroy(out);
    return status;
}

void glow_destroy(struct glow **glow)
{
    if (!*glow)
        return;
    for (int i = 0; i < LEVELS_MAX; i++) {
        gl_target_destroy(&(*glow)->level[i]);
        gl_target_destroy(&(*glow)->spread[i]);
        free((*glow)->plane[i].pixel);
        free((*glow)->smoothed[i].pixel);
    }
    free((*glow)->room.row);
    free((float *)(*glow)->room.nothing);
    gl_pass_destroy(&(*glow)->down);
    gl_pass_destroy(&(*glow)->up);
    gl_pass_destroy(&(*glow)->smooth);
    free(*glow);
    *glow = NULL;
}

static void bind_two(const struct gl_target *first, const struct gl_target *second)
{
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, second->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, first->texture);
}

static void set_texel(GLint uniform, const struct gl_target *of)
{
    glUniform2f(uniform, 1.0f / (GLfloat)of->width, 1.0f / (GLfloat)of->height);
}

/* Combines a level with all coarser levels and smooths the result. The result overwrites the level,
 * which is no longer needed; only the coarsest level is written to a separate target. */
static const struct gl_target *finish_level(const struct glow *glow, int i,
                                            const struct gl_target *coarser)
{
    const struct gl_target *from = &glow->level[i], *to = &glow->spread[i];
    if (coarser) {
        gl_pass_use(&glow->up);
        bind_two(from, coarser);
        set_texel(glow->up_texel, coarser);
        glUniform1f(glow->up_share, glow->own_share[i]);
        gl_pass_draw(&glow->up, to);
        from = to;
        to = &glow->level[i];
    }
    gl_pass_use(&glow->smooth);
    glBindTexture(GL_TEXTURE_2D, from->texture);
    set_texel(glow->smooth_texel, from);
    gl_pass_draw(&glow->smooth, to);
    return to;
}

void glow_make(struct glow *glow, const struct gl_target *source)
{
    const struct gl_target *spread = NULL;
    gl_pass_use(&glow->down);
    for (int i = 0; i < glow->levels; i++) {
        const struct gl_target *from = i > 0 ? &glow->level[i - 1] : source;
        set_texel(glow->down_texel, from);
        glBindTexture(GL_TEXTURE_2D, from->texture);
        gl_pass_draw(&glow->down, &glow->level[i]);
    }
    for (int i = glow->levels - 1; i >= 0; i--)
        spread = finish_level(glow, i, spread);
}

void glow_mix(struct glow *glow, float *light, float share)
{
    glow->source.pixel = light;
    for (int i = 0; i < glow->levels; i++)
        ISA_CALL(glow_down, i > 0 ? &glow->plane[i - 1] : &glow->source, i == 0, &glow->plane[i],
                 &glow->room);
    for (int i = glow->levels - 1; i >= 0; i--) {
        if (i + 1 < glow->levels)
            ISA_CALL(glow_up, &glow->smoothed[i + 1], glow->own_share[i], &glow->plane[i],
                     &glow->room);
        ISA_CALL(glow_smooth, &glow->plane[i], smooth_reach, &glow->smoothed[i], &glow->room);
    }
    ISA_CALL(glow_up, &glow->smoothed[0], 1 - share, &glow->source, &glow->room);
}

const struct gl_target *glow_target(const struct glow *glow)
{
    return glow->levels > 1 ? &glow->level[0] : &glow->spread[0];
}
