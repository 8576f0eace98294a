#include "render/panel.h"

#include "render/bloom.h"
#include "render/exposure.h"
#include "render/sprites.h"

#include <stdlib.h>

extern const char shader_fullscreen_vert[], shader_look_frag[];

struct panel {
    struct panel_setup setup;
    double exposure;
    uint32_t x, y; /* of the tile within the whole picture */
    struct sprites *sprites;
    struct bloom *bloom; /* NULL: none wanted */
    struct camera_pose pose;
    GLuint look;
    GLint look_exposure;
};

/* Where the rectangle lies in a display of which the bottom row comes first. */
static GLint bottom(const struct panel *panel, const struct gl_target *display)
{
    return display->height - (GLint)(panel->setup.y + panel->setup.height);
}

static enum status create_look(struct panel *panel)
{
    enum status status =
        gl_program(&panel->look, "look", shader_fullscreen_vert, shader_look_frag, "");
    if (status != STATUS_OK)
        return status;
    glUseProgram(panel->look);
    glUniform1i(glGetUniformLocation(panel->look, "light"), 0);
    glUniform1i(glGetUniformLocation(panel->look, "glow"), 1);
    if (panel->bloom) {
        const struct gl_target *glow = bloom_target(panel->bloom);
        glUniform2f(glGetUniformLocation(panel->look, "glow_texel"), 1.0f / (GLfloat)glow->width,
                    1.0f / (GLfloat)glow->height);
    }
    glUniform1f(glGetUniformLocation(panel->look, "bloom"), (float)panel->setup.look.bloom);
    panel->look_exposure = glGetUniformLocation(panel->look, "exposure");
    return STATUS_OK;
}

static enum status fill(struct panel *panel, const struct gl_context *context)
{
    enum status status = sprites_create(&panel->sprites, &panel->setup, context);
    if (status == STATUS_OK && panel->setup.look.bloom > 0)
        status = bloom_create(&panel->bloom, sprites_target(panel->sprites)->width,
                              sprites_target(panel->sprites)->height);
    if (status == STATUS_OK)
        status = create_look(panel);
    return status;
}

enum status panel_create(struct panel **out, const struct panel_setup *setup,
                         const struct gl_context *context)
{
    struct panel *panel = *out = calloc(1, sizeof *panel);
    if (!panel)
        return status_fail(STATUS_RUNTIME, "no memory left for a panel");
    panel->setup = *setup;
    panel->exposure = setup->look.exposure_factor;
    enum status status = fill(panel, context);
    panel->setup.groups = NULL; /* the caller's; sprites keep their own copy */
    if (status != STATUS_OK)
        panel_destroy(out);
    return status;
}

void panel_destroy(struct panel **panel)
{
    struct panel *self = *panel;
    if (!self)
        return;
    bloom_destroy(&self->bloom);
    sprites_destroy(&self->sprites);
    glDeleteProgram(self->look);
    free(self);
    *panel = NULL;
}

void panel_place(struct panel *panel, uint32_t x, uint32_t y)
{
    panel->x = x;
    panel->y = y;
}

void panel_light(struct panel *panel, const struct view *view)
{
    const struct panel_setup *setup = &panel->setup;
    struct camera_window window = {
        .width = setup->whole_width,
        .height = setup->whole_height,
        .x = panel->x,
        .y = panel->y,
        .columns = setup->width,
        .rows = setup->height,
        .margin = sprites_margin(panel->sprites),
    };
    struct camera_aim aim;
    camera_aim(setup->camera, view, &aim);
    camera_project(&panel->pose, &aim, &window);
    sprites_draw(panel->sprites, &panel->pose);
}

void panel_show(struct panel *panel, const struct gl_target *display)
{
    const struct gl_target *light = sprites_target(panel->sprites);
    const GLint margin = (GLint)sprites_margin(panel->sprites);
    const GLint left = (GLint)panel->setup.x, low = bottom(panel, display);
    if (panel->bloom) {
        bloom_make(panel->bloom, light);
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, bloom_target(panel->bloom)->texture);
        glActiveTexture(GL_TEXTURE0);
    }
    glDisable(GL_BLEND);
    glUseProgram(panel->look);
    glUniform1f(panel->look_exposure, (float)panel->exposure);
    glUniform2i(glGetUniformLocation(panel->look, "margin"), margin - left, margin - low);
    glBindTexture(GL_TEXTURE_2D, light->texture);
    gl_target_bind(display);
    glViewport(left, low, (GLsizei)panel->setup.width, (GLsizei)panel->setup.height);
    gl_draw_fullscreen();
}

enum status panel_expose(struct panel *panel)
{
    if (panel->setup.look.exposure_factor > 0)
        return STATUS_OK;
    return exposure_measure(sprites_target(panel->sprites), &panel->exposure);
}

double panel_exposure(const struct panel *panel)
{
    return panel->exposure;
}

void panel_set_exposure(struct panel *panel, double exposure)
{
    panel->exposure = exposure;
}

const struct camera_pose *panel_pose(const struct panel *panel)
{
    return &panel->pose;
}
