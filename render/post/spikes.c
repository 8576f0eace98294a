#include "render/post/spikes.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/gl/pass.h"
#include "render/params.h"

#include <math.h>
#include <stdlib.h>

extern const char shader_glow_down_glsl[], shader_glow_smooth_glsl[], shader_spikes_glsl[];

/* Pictures with more rows are halved until they have at most this many. */
enum { ROWS_MOST = 720, HALVINGS_MAX = 6 };
/* An arm extends TAPS to the power of STEPS texels. */
enum { STEPS = 4, TAPS = 4 };

/* Relative to the height: the distance along an arm at which the light falls to 1 / e, and the
 * standard deviation across it. */
static const double length = 0.035, breadth = 1.0 / 850;

/* What interpolation between texels, or a step along an arm that is not level, adds to the
 * variance, in square texels: the mean of f (1 - f). */
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

static enum status create_target(struct gl_target *target, GLsizei width, GLsizei height,
                                 bool joined)
{
    enum status status = gl_target_create(target, GL_RGBA16F, width, height);
    if (status != STATUS_OK)
        return status;
    gl_target_smooth(target);
    gl_target_border(target);
    if (joined)
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
        status = create_target(&spikes->half[spikes->halvings++], width, height, setup->joined);
    }
    struct gl_target *const rest[] = {&spikes->soft, &spikes->spare[0], &spikes->spare[1],
                                      &spikes->sum};
    for (int i = 0; i < 4 && status == STATUS_OK; i++)
        status = create_target(rest[i], width, height, setup->joined);
    const double halved = spikes->halvings > 0 ? 0.25 + between : 0;
    const double smoothed = halved + (setup->arms->level ? 0 : STEPS * between);
    spikes->reach = fmin(fmax((breadth * breadth * rows * rows - smoothed) / 2, 0), 1);
    spikes->per_arm = length * rows;
    return status;
}

static enum status create_passes(struct spikes *spikes, const struct gl_context *context)
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
        status = create_passes(spikes, context);
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

static void set_texel(GLint uniform, const struct gl_target *of)
{
    glUniform2f(uniform, 1.0f / (GLfloat)of->width, 1.0f / (GLfloat)of->height);
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
