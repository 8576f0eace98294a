#include "render/post/sphere.h"

#include "base/memory.h"
#include "base/text.h"
#include "render/camera/project.h"
#include "render/post/glow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- sphere ---- */

extern const char shader_sphere_axes_glsl[], shader_sphere_glsl[];

static enum status create_pass(struct gl_pass *out, const struct gl_context *context,
                               const char *name, const char *text, const char *defines, double dome,
                               float keeps)
{
    char edge[64] = "";
    if (dome > 0)
        snprintf(edge, sizeof edge, "#define DOME %.9f\n", dome * M_PI / 360);
    char *shade = text_format("%s%s", shader_sphere_axes_glsl, text);
    char *all = text_format("%s%s", defines, edge);
    const enum status status = gl_pass_create(out, context, name, shade, all, keeps);
    free(shade);
    free(all);
    return status;
}

enum status sphere_create(struct sphere *sphere, const struct gl_context *context, uint32_t width,
                          uint32_t height, double dome)
{
    enum status status =
        gl_target_create(&sphere->light, GL_RGBA16F, (GLsizei)width, (GLsizei)height);
    if (status != STATUS_OK)
        return status;
    gl_target_smooth(&sphere->light);
    if (!(dome > 0))
        gl_target_wrap(&sphere->light);
    status = create_pass(&sphere->pass, context, "sphere", shader_sphere_glsl, "#define PARTIAL\n",
                         dome, 0);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(&sphere->pass);
    glUniform2f(gl_pass_uniform(&sphere->pass, "size"), (GLfloat)width, (GLfloat)height);
    glUniform1i(gl_pass_uniform(&sphere->pass, "face"), 0);
    sphere->side = gl_pass_uniform(&sphere->pass, "side");
    sphere->margin = gl_pass_uniform(&sphere->pass, "margin");
    return STATUS_OK;
}

void sphere_destroy(struct sphere *sphere)
{
    gl_target_destroy(&sphere->light);
    gl_pass_destroy(&sphere->pass);
}

uint32_t sphere_face_side(uint32_t width, double dome)
{
    return (uint32_t)ceil(2 * camera_radian(width, dome));
}

/* Sets the uniforms of shaders/sphere.glsl for face `number` in the pass in use. */
static void sphere_set_axes(const struct gl_pass *pass, int number)
{
    static const GLfloat axes[6][3][3] = {
        {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
        {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
    };
    glUniform3fv(gl_pass_uniform(pass, "right"), 1, axes[number][0]);
    glUniform3fv(gl_pass_uniform(pass, "up"), 1, axes[number][1]);
    glUniform3fv(gl_pass_uniform(pass, "forward"), 1, axes[number][2]);
}

void sphere_add_face(const struct sphere *sphere, const struct gl_target *face, uint32_t side,
                     uint32_t margin, int number)
{
    gl_pass_use(&sphere->pass);
    sphere_set_axes(&sphere->pass, number);
    glUniform1f(sphere->side, (GLfloat)side);
    glUniform1f(sphere->margin, (GLfloat)margin);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, face->texture);
    gl_pass_draw(&sphere->pass, &sphere->light);
}

/* ---- sphere glow ---- */

extern const char shader_sphere_disc_glsl[], shader_sphere_glow_glsl[];

struct sphere_glow {
    struct gl_target map, all;
    struct glow *glow; /* for one map */
    struct gl_pass flatten, add;
    int maps;
};

static enum status create_targets(struct sphere_glow *glow, const struct gl_target *light,
                                  double dome)
{
    const GLsizei side = (GLsizei)ceil(2 * camera_quarter(light->width, dome));
    enum status status = gl_target_create(&glow->map, GL_RGBA16F, side, side);
    if (status == STATUS_OK)
        status = gl_target_create(&glow->all, GL_RGBA16F, (light->width + 1) / GLOW_FACTOR,
                                  (light->height + 1) / GLOW_FACTOR);
    if (status != STATUS_OK)
        return status;
    gl_target_smooth(&glow->map);
    gl_target_smooth(&glow->all);
    if (!(dome > 0))
        gl_target_wrap(&glow->all);
    return STATUS_OK;
}

static void set_uniforms(struct sphere_glow *glow, const struct gl_target *light)
{
    const struct gl_target *spread = glow_target(glow->glow);
    const GLfloat side = (GLfloat)glow->map.width;
    gl_pass_use(&glow->flatten);
    glUniform1i(gl_pass_uniform(&glow->flatten, "sphere"), 0);
    glUniform1f(gl_pass_uniform(&glow->flatten, "side"), side);
    gl_pass_use(&glow->add);
    glUniform1i(gl_pass_uniform(&glow->add, "map"), 0);
    glUniform2f(gl_pass_uniform(&glow->add, "size"), (GLfloat)light->width / GLOW_FACTOR,
                (GLfloat)light->height / GLOW_FACTOR);
    glUniform2f(gl_pass_uniform(&glow->add, "map_share"),
                side / (GLfloat)(GLOW_FACTOR * spread->width),
                side / (GLfloat)(GLOW_FACTOR * spread->height));
}

enum status sphere_glow_create(struct sphere_glow **out, const struct gl_context *context,
                               const struct gl_target *light, double dome, double core)
{
    struct sphere_glow *glow = *out = memory_new(1, sizeof *glow);
    enum status status = create_targets(glow, light, dome);
    glow->maps = camera_faces(dome);
    if (status == STATUS_OK) {
        const struct glow_setup setup = {
            .source = &glow->map, .rows = glow->map.height, .core = core};
        status = glow_create(&glow->glow, context, &setup);
    }
    if (status == STATUS_OK)
        status = create_pass(&glow->flatten, context, "sphere_disc", shader_sphere_disc_glsl, "",
                             dome, 0);
    if (status == STATUS_OK)
        status =
            create_pass(&glow->add, context, "sphere_glow", shader_sphere_glow_glsl, "", dome, 1);
    if (status == STATUS_OK)
        set_uniforms(glow, light);
    else
        sphere_glow_destroy(out);
    return status;
}

void sphere_glow_destroy(struct sphere_glow **glow)
{
    struct sphere_glow *self = *glow;
    if (!self)
        return;
    gl_target_destroy(&self->map);
    gl_target_destroy(&self->all);
    glow_destroy(&self->glow);
    gl_pass_destroy(&self->flatten);
    gl_pass_destroy(&self->add);
    free(self);
    *glow = NULL;
}

void sphere_glow_make(struct sphere_glow *glow, const struct gl_target *light)
{
    gl_target_bind(&glow->all);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glActiveTexture(GL_TEXTURE0);
    for (int number = 0; number < glow->maps; number++) {
        gl_pass_use(&glow->flatten);
        sphere_set_axes(&glow->flatten, number);
        glBindTexture(GL_TEXTURE_2D, light->texture);
        gl_pass_draw(&glow->flatten, &glow->map);
        glow_make(glow->glow, &glow->map);
        gl_pass_use(&glow->add);
        sphere_set_axes(&glow->add, number);
        glBindTexture(GL_TEXTURE_2D, glow_target(glow->glow)->texture);
        gl_pass_draw(&glow->add, &glow->all);
    }
}

const struct gl_target *sphere_glow_target(const struct sphere_glow *glow)
{
    return &glow->all;
}
