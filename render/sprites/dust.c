#include "render/sprites/dust.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

extern const char shader_fullscreen_vert[], shader_dust_frag[];

struct dust {
    struct sprites *column, *depths;
    GLuint program, vertex_array;
    GLint thickness;
    double depth; /* optical depth of a column that is exposed to 1 */
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
    out->look.resolved = 0;
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

/* Draws it for the bodies of all processes. */
static enum status draw_pass(struct sprites *pass, const struct camera_pose *pose,
                             const struct streak_ends *ends, double interval)
{
    const enum status status = sprites_draw(pass, pose, ends, interval);
    return status == STATUS_OK ? sprites_sum(pass) : status;
}

enum status dust_dim(struct dust *dust, struct sprites *sprites, const struct camera_pose *pose,
                     const struct streak_ends *ends, double interval, double exposure)
{
    const bool shared = dust->sum.add; /* others add, whatever is exposed here */
    if (!(dust->depth > 0) || (!shared && !(exposure > 0)))
        return STATUS_OK;
    enum status status = draw_pass(dust->column, pose, ends, interval);
    if (status == STATUS_OK)
        status = draw_pass(dust->depths, pose, ends, interval);
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
