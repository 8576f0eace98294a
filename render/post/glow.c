#include "render/post/glow.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/params.h"
#include "render/picture/pixel_isa.h"

#include <math.h>
#include <stdlib.h>

extern const char shader_glow_down_glsl[], shader_glow_up_glsl[], shader_glow_smooth_glsl[],
    shader_bloom_down_glsl[], shader_bloom_up_glsl[];

/* The coarsest level has about COARSEST_ROWS. */
enum { LEVELS_MAX = 14, COARSEST_ROWS = 6 };

/* Weights 0.195, 0.61, 0.195, sampled between texels at twice the size, approximate a Gaussian so
 * well that the light is round; flatter weights would leave a square in it. */
static const float smooth_reach = 0.39f;

void glow_recipe(struct recipe *out)
{
    out->glow_down = shader_glow_down_glsl;
    out->glow_smooth = shader_glow_smooth_glsl;
    out->glow_up = shader_glow_up_glsl;
    out->bloom_down = shader_bloom_down_glsl;
    out->bloom_up = shader_bloom_up_glsl;
}

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

static void choose_shares(struct glow *glow, double width)
{
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
    choose_shares(glow, setup->core * setup->rows);
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

/* ---- bloom ---- */

/* The finest level has a quarter of the picture's rows. The coarsest one, which sets the extent of
 * the glow, has about BLOOM_COARSEST_ROWS for any picture size. */
enum { BLOOM_LEVELS_MAX = 12, BLOOM_COARSEST_ROWS = 12 };

/* The share of the glow that each level keeps; the rest goes to coarser levels. */
static const float near_share = 0.4f;

struct bloom {
    struct gl_target level[BLOOM_LEVELS_MAX];
    struct gl_target spare; /* as large as the finest level */
    int levels;
    struct bloom_pass {
        struct gl_pass pass;
        GLint source_texel;
    } quarter, half, smooth, up;
};

static enum status create_pass(struct bloom_pass *out, const struct gl_context *context,
                               const char *name, const char *shade, const char *defines,
                               float keeps)
{
    enum status status = gl_pass_create(&out->pass, context, name, shade, defines, keeps);
    out->source_texel = status == STATUS_OK ? gl_pass_uniform(&out->pass, "source_texel") : -1;
    return status;
}

static enum status bloom_create_passes(struct bloom *bloom, const struct gl_context *context)
{
    enum status status = create_pass(&bloom->quarter, context, "bloom_down", shader_bloom_down_glsl,
                                     "#define QUARTER\n", 0);
    if (status == STATUS_OK)
        status = create_pass(&bloom->half, context, "bloom_down", shader_bloom_down_glsl, "", 0);
    if (status == STATUS_OK)
        status = create_pass(&bloom->smooth, context, "bloom_up", shader_bloom_up_glsl, "", 0);
    if (status == STATUS_OK)
        status = create_pass(&bloom->up, context, "bloom_up", shader_bloom_up_glsl, "", near_share);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(&bloom->smooth.pass);
    glUniform1f(gl_pass_uniform(&bloom->smooth.pass, "step_size"), 1);
    glUniform1f(gl_pass_uniform(&bloom->smooth.pass, "weight"), 1);
    gl_pass_use(&bloom->up.pass);
    glUniform1f(gl_pass_uniform(&bloom->up.pass, "step_size"), 0.5f);
    glUniform1f(gl_pass_uniform(&bloom->up.pass, "weight"), 1.0f - near_share);
    return STATUS_OK;
}

static enum status fill(struct bloom *bloom, const struct gl_context *context, GLsizei width,
                        GLsizei height, bool joined)
{
    enum status status = STATUS_OK;
    for (int i = 0;
         i < BLOOM_LEVELS_MAX && status == STATUS_OK && (i == 0 || height > BLOOM_COARSEST_ROWS);
         i++) {
        const int factor = i == 0 ? BLOOM_FACTOR : 2;
        width = (width + factor - 1) / factor;
        height = (height + factor - 1) / factor;
        status = gl_target_create(&bloom->level[i], GL_RGBA16F, width, height);
        bloom->levels = i + 1;
    }
    if (status == STATUS_OK)
        status = gl_target_create(&bloom->spare, GL_RGBA16F, bloom->level[0].width,
                                  bloom->level[0].height);
    for (int i = 0; i <= bloom->levels && status == STATUS_OK; i++) {
        const struct gl_target *target = i < bloom->levels ? &bloom->level[i] : &bloom->spare;
        gl_target_smooth(target);
        if (joined)
            gl_target_wrap(target);
    }
    return status == STATUS_OK ? bloom_create_passes(bloom, context) : status;
}

enum status bloom_create(struct bloom **out, const struct gl_context *context, GLsizei width,
                         GLsizei height, bool joined)
{
    *out = memory_new(1, sizeof **out);
    enum status status = fill(*out, context, width, height, joined);
    if (status != STATUS_OK)
        bloom_destroy(out);
    return status;
}

void bloom_destroy(struct bloom **bloom)
{
    if (!*bloom)
        return;
    for (int i = 0; i < BLOOM_LEVELS_MAX; i++)
        gl_target_destroy(&(*bloom)->level[i]);
    gl_target_destroy(&(*bloom)->spare);
    gl_pass_destroy(&(*bloom)->quarter.pass);
    gl_pass_destroy(&(*bloom)->half.pass);
    gl_pass_destroy(&(*bloom)->smooth.pass);
    gl_pass_destroy(&(*bloom)->up.pass);
    free(*bloom);
    *bloom = NULL;
}

static void draw(const struct bloom_pass *pass, const struct gl_target *from,
                 const struct gl_target *to)
{
    set_texel(pass->source_texel, from);
    glBindTexture(GL_TEXTURE_2D, from->texture);
    gl_pass_draw(&pass->pass, to);
}

void bloom_make(struct bloom *bloom, const struct gl_target *light)
{
    gl_pass_use(&bloom->quarter.pass);
    draw(&bloom->quarter, light, &bloom->level[0]);
    gl_pass_use(&bloom->half.pass);
    for (int i = 1; i < bloom->levels; i++)
        draw(&bloom->half, &bloom->level[i - 1], &bloom->level[i]);
    /* The finest level is smoothed as well, because its texels would shimmer. */
    gl_pass_use(&bloom->smooth.pass);
    draw(&bloom->smooth, &bloom->level[0], &bloom->spare);
    draw(&bloom->smooth, &bloom->spare, &bloom->level[0]);
    gl_pass_use(&bloom->up.pass);
    for (int i = bloom->levels - 2; i >= 0; i--)
        draw(&bloom->up, &bloom->level[i + 1], &bloom->level[i]);
}

const struct gl_target *bloom_target(const struct bloom *bloom)
{
    return &bloom->level[0];
}

/* ---- spikes ---- */

extern const char shader_spikes_glsl[];

/* Pictures with more rows are halved until they have at most this many. */
enum { ROWS_MOST = 720, HALVINGS_MAX = 6 };
/* An arm extends TAPS to the power of STEPS texels. */
enum { STEPS = 4, TAPS = 4 };

/* Relative to the height: the distance along an arm at which the light falls to 1 / e, and the
 * standard deviation across it. */
static const double length = 0.035, breadth = 1.0 / 850;

/* The variance that interpolation between texels, or a step along an arm that is not level, adds,
 * in square texels: the mean of f (1 - f). */
static const double between = 1.0 / 6;

struct spikes {
    const struct spike_arms *arms;
    int halvings;
    struct gl_target half[HALVINGS_MAX], soft, spare[2], sum;
    struct gl_pass down, smooth, step, first_arm, arm; /* the last two: an arm's last step */
    GLint down_texel, smooth_texel, smooth_reach;
    double reach;   /* variance added by each of two smoothings; 0: none */
    double per_arm; /* texels after which 1 / e of the light is left */
};

static enum status spikes_create_target(struct gl_target *target, GLsizei width, GLsizei height,
                                        bool joined)
{
    enum status status = create_target(target, width, height);
    if (status == STATUS_OK && joined)
        gl_target_wrap(target);
    return status;
}

static enum status create_targets(struct spikes *spikes, const struct spikes_setup *setup)
{
    GLsizei width = setup->source->width, height = setup->source->height;
    double rows = setup->rows;
    enum status status = STATUS_OK;
    while (rows > ROWS_MOST && spikes->halvings < HALVINGS_MAX && status == STATUS_OK) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        rows /= 2;
        status =
            spikes_create_target(&spikes->half[spikes->halvings++], width, height, setup->joined);
    }
    struct gl_target *const rest[] = {&spikes->soft, &spikes->spare[0], &spikes->spare[1],
                                      &spikes->sum};
    for (int i = 0; i < 4 && status == STATUS_OK; i++)
        status = spikes_create_target(rest[i], width, height, setup->joined);
    const double halved = spikes->halvings > 0 ? 0.25 + between : 0;
    const double smoothed = halved + (setup->arms->level ? 0 : STEPS * between);
    spikes->reach = fmin(fmax((breadth * breadth * rows * rows - smoothed) / 2, 0), 1);
    spikes->per_arm = length * rows;
    return status;
}

static enum status spikes_create_passes(struct spikes *spikes, const struct gl_context *context)
{
    enum status status =
        gl_pass_create(&spikes->down, context, "glow_down", shader_glow_down_glsl, "", 0);
    if (status == STATUS_OK)
        status =
            gl_pass_create(&spikes->smooth, context, "glow_smooth", shader_glow_smooth_glsl, "", 0);
    if (status == STATUS_OK)
        status = gl_pass_create(&spikes->step, context, "spikes", shader_spikes_glsl, "", 0);
    if (status == STATUS_OK)
        status = gl_pass_create(&spikes->first_arm, context, "spikes", shader_spikes_glsl, "", 0);
    if (status == STATUS_OK)
        status = gl_pass_create(&spikes->arm, context, "spikes", shader_spikes_glsl, "", 1);
    if (status != STATUS_OK)
        return status;
    spikes->down_texel = gl_pass_uniform(&spikes->down, "source_texel");
    spikes->smooth_texel = gl_pass_uniform(&spikes->smooth, "source_texel");
    spikes->smooth_reach = gl_pass_uniform(&spikes->smooth, "reach");
    return STATUS_OK;
}

enum status spikes_create(struct spikes **out, const struct gl_context *context,
                          const struct spikes_setup *setup)
{
    struct spikes *spikes = *out = memory_new(1, sizeof *spikes);
    spikes->arms = setup->arms;
    enum status status = create_targets(spikes, setup);
    if (status == STATUS_OK)
        status = spikes_create_passes(spikes, context);
    if (status != STATUS_OK)
        spikes_destroy(out);
    return status;
}

void spikes_destroy(struct spikes **spikes)
{
    struct spikes *self = *spikes;
    if (!self)
        return;
    for (int i = 0; i < HALVINGS_MAX; i++)
        gl_target_destroy(&self->half[i]);
    gl_target_destroy(&self->soft);
    gl_target_destroy(&self->spare[0]);
    gl_target_destroy(&self->spare[1]);
    gl_target_destroy(&self->sum);
    gl_pass_destroy(&self->down);
    gl_pass_destroy(&self->smooth);
    gl_pass_destroy(&self->step);
    gl_pass_destroy(&self->first_arm);
    gl_pass_destroy(&self->arm);
    free(self);
    *spikes = NULL;
}

/* Shrinks and smooths the source for the arms; returns the target that has the result. */
static const struct gl_target *soften(struct spikes *spikes, const struct gl_target *source)
{
    gl_pass_use(&spikes->down);
    for (int i = 0; i < spikes->halvings; i++) {
        glBindTexture(GL_TEXTURE_2D, source->texture);
        set_texel(spikes->down_texel, source);
        gl_pass_draw(&spikes->down, &spikes->half[i]);
        source = &spikes->half[i];
    }
    gl_pass_use(&spikes->smooth);
    glUniform1f(spikes->smooth_reach, (GLfloat)spikes->reach);
    for (int i = 0; i < 2; i++) {
        const struct gl_target *to = i == 0 ? &spikes->spare[0] : &spikes->soft;
        glBindTexture(GL_TEXTURE_2D, source->texture);
        set_texel(spikes->smooth_texel, source);
        gl_pass_draw(&spikes->smooth, to);
        source = to;
    }
    return source;
}

/* Step `step` of an arm: adds light from 0 to 3 times `stride` texels closer to the source. */
static void take_step(const struct spikes *spikes, const struct gl_pass *pass, int arm, int step,
                      const struct gl_target *from, const struct gl_target *to)
{
    const double angle = (spikes->arms->first + 360.0 * arm / spikes->arms->count) * M_PI / 180;
    const double along[2] = {fn_cos(angle), fn_sin(angle)}, stride = fn_pow(TAPS, step);
    /* A level arm among arms that are not level is sampled off its texels, otherwise it would be
     * sharper. */
    const bool level = fabs(along[0] * along[1]) < 1e-9;
    const double f = level && !spikes->arms->level ? (1 - sqrt(1 - 4 * between)) / 2 : 0;
    const double aside = step % 2 ? f : -f;
    GLfloat weights[TAPS];
    double sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += fn_exp(-k * stride / spikes->per_arm);
    for (int k = 0; k < TAPS; k++)
        weights[k] = (GLfloat)(fn_exp(-k * stride / spikes->per_arm) / sum /
                               (step == STEPS - 1 ? spikes->arms->count : 1));
    gl_pass_use(pass);
    set_texel(gl_pass_uniform(pass, "source_texel"), from);
    glUniform2f(gl_pass_uniform(pass, "stride"), (GLfloat)(stride * along[0]),
                (GLfloat)(stride * along[1]));
    glUniform2f(gl_pass_uniform(pass, "aside"), (GLfloat)(-aside * along[1]),
                (GLfloat)(aside * along[0]));
    glUniform4fv(gl_pass_uniform(pass, "weights"), 1, weights);
    glBindTexture(GL_TEXTURE_2D, from->texture);
    gl_pass_draw(pass, to);
}

void spikes_make(struct spikes *spikes, const struct gl_target *source)
{
    const struct gl_target *soft = soften(spikes, source);
    for (int arm = 0; arm < spikes->arms->count; arm++) {
        const struct gl_target *from = soft;
        for (int step = 0; step + 1 < STEPS; step++) {
            const struct gl_target *to = &spikes->spare[step % 2];
            take_step(spikes, &spikes->step, arm, step, from, to);
            from = to;
        }
        take_step(spikes, arm == 0 ? &spikes->first_arm : &spikes->arm, arm, STEPS - 1, from,
                  &spikes->sum);
    }
}

const struct gl_target *spikes_target(const struct spikes *spikes)
{
    return &spikes->sum;
}

int spikes_factor(const struct spikes *spikes)
{
    return 1 << spikes->halvings;
}

static const struct spike_arms arms[] = {
    {.name = "four",
     .doc = "a cross, as from a telescope with four vanes such as Hubble",
     .count = 4,
     .level = true},
    {.name = "six",
     .doc = "six, two of them vertical, as from a mirror of hexagons such as Webb's",
     .count = 6,
     .first = 90},
};

const struct registry spike_arms_registry = REGISTRY_OF("number of spikes", arms);
