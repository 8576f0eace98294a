#include "render/overlay.h"

#include "base/log.h"
#include "render/overlay_ink.h"
#include "render/overlay_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_overlay_vert[], shader_overlay_frag[];

enum { TITLE, CLOCK, SCALE_BAR, BODIES, FRAME, CAPTION, PLATES };
enum side { LEFT, RIGHT, CENTRE };

static const char *const plate_names[PLATES] = {"title",  "clock", "scale_bar",
                                                "bodies", "frame", "captions"};

/* In parts of the title's size, except the margin: of the picture's shorter side. */
static const double small_size = 0.8, cap_height = 0.73, shadow_reach = 0.3, line_height = 1.5,
                    caption_lift = 2.5, margin_share = 0.05;
static const double smallest = 9;       /* pixels */
static const double longest_bar = 0.18; /* of the picture's width */
static const double title_opacity = 0.92, small_opacity = 0.8;

struct plate {
    bool on, warned;
    bool top;
    enum side side;
    double size;  /* of its letters, in pixels */
    int baseline; /* in the picture, from its top */
    /* What is painted: */
    char text[OVERLAY_TEXT_MAX + 4];
    double bar, opacity;
    int x, width; /* in the picture; width 0: nothing */
};

struct caption {
    double from, to;
    char text[OVERLAY_TEXT_MAX + 4];
};

struct overlay {
    int width, height; /* of the picture */
    int margin, pad, plate_width, plate_height, plate_baseline;
    double size;                  /* of the title's letters, in pixels */
    struct overlay_params params; /* without its texts */
    struct film_labels labels;    /* as well */
    bool light_years;
    size_t bodies;
    char title[OVERLAY_TEXT_MAX + 4];
    struct caption *captions;
    struct plate plates[PLATES];
    uint64_t paintings;

    struct ink *ink;
    GLuint program, texture;
    GLint place, first_row, opacity;
};

static void arrange(struct overlay *overlay)
{
    const bool on[PLATES] = {overlay->params.title && overlay->title[0],
                             overlay->params.clock,
                             overlay->params.scale_bar,
                             overlay->params.bodies,
                             overlay->params.frame,
                             overlay->params.caption_count > 0};
    double side = fmin(overlay->width, overlay->height), size = overlay->params.size * side / 1080;
    overlay->size = fmax(size, smallest);
    overlay->margin = (int)round(margin_share * side);
    overlay->pad = (int)ceil(2 * shadow_reach * overlay->size);
    overlay->plate_width = overlay->width + 2 * overlay->pad;
    overlay->plate_baseline = overlay->pad + (int)ceil(overlay->size);
    overlay->plate_height = overlay->plate_baseline + (int)ceil(0.8 * overlay->size) + overlay->pad;
    for (int i = 0; i < PLATES; i++) {
        struct plate *plate = &overlay->plates[i];
        plate->on = on[i];
        plate->top = i == TITLE || i == CLOCK;
        plate->side = i == CAPTION ? CENTRE : i == TITLE || i == SCALE_BAR ? LEFT : RIGHT;
        plate->opacity = 1;
        plate->size =
            plate->top || i == CAPTION ? overlay->size : fmax(small_size * overlay->size, smallest);
        plate->baseline = plate->top ? overlay->margin + (int)round(cap_height * plate->size)
                                     : overlay->height - overlay->margin;
    }
    overlay->plates[CAPTION].baseline -= (int)round(caption_lift * overlay->size);
    if (on[FRAME] && on[BODIES])
        overlay->plates[FRAME].baseline -= (int)round(line_height * overlay->plates[FRAME].size);
}

static enum status create_gl(struct overlay *overlay)
{
    GLint limit = 0, rows = PLATES * overlay->plate_height;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (rows > limit || overlay->plate_width > limit)
        return status_fail(STATUS_USAGE,
                           "the overlay wants a texture of %dx%d, and this GL driver has at most "
                           "%d; ask for a smaller overlay.size",
                           overlay->plate_width, rows, limit);
    enum status status =
        gl_program(&overlay->program, "overlay", shader_overlay_vert, shader_overlay_frag, "");
    if (status != STATUS_OK)
        return status;
    glUseProgram(overlay->program);
    glUniform1i(glGetUniformLocation(overlay->program, "ink"), 0);
    glUniform2i(glGetUniformLocation(overlay->program, "size"), overlay->width, overlay->height);
    overlay->place = glGetUniformLocation(overlay->program, "place");
    overlay->opacity = glGetUniformLocation(overlay->program, "opacity");
    overlay->first_row = glGetUniformLocation(overlay->program, "first_row");
    glGenTextures(1, &overlay->texture);
    glBindTexture(GL_TEXTURE_2D, overlay->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, overlay->plate_width, rows, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
    return gl_check("setting up the overlay");
}

/* The title is fitted once, beside the clock at its widest. */
static void fit_title(struct overlay *overlay)
{
    char clock[OVERLAY_TEXT_MAX];
    double room = overlay->width - 2.0 * overlay->margin;
    if (overlay->plates[CLOCK].on) {
        overlay_clock_text(clock, sizeof clock, overlay->labels.duration, overlay->labels.time_myr,
                           overlay->labels.duration);
        room -= ink_width(overlay->ink, overlay->size, clock) + 1.5 * overlay->size;
    }
    ink_clean(overlay->ink, overlay->title);
    ink_fit(overlay->ink, overlay->size, room, overlay->title);
}

/* At most OVERLAY_TEXT_MAX bytes, cut between letters. */
static void copy_text(char *out, const char *text)
{
    size_t length = strnlen(text, OVERLAY_TEXT_MAX);
    while (length > 0 && text[length] && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    memcpy(out, text, length);
    out[length] = '\0';
}

static enum status copy_captions(struct overlay *overlay, const struct overlay_params *wanted)
{
    const double room = 0.9 * (overlay->width - 2.0 * overlay->margin);
    if (wanted->caption_count == 0)
        return STATUS_OK;
    overlay->captions = calloc(wanted->caption_count, sizeof *overlay->captions);
    if (!overlay->captions)
        return status_fail(STATUS_RUNTIME, "no memory left for the captions");
    for (uint32_t i = 0; i < wanted->caption_count; i++) {
        struct caption *caption = &overlay->captions[i];
        caption->from = wanted->captions[i].from;
        caption->to = wanted->captions[i].to;
        copy_text(caption->text, wanted->captions[i].text);
        ink_clean(overlay->ink, caption->text);
        ink_fit(overlay->ink, overlay->size, room, caption->text);
    }
    return STATUS_OK;
}

enum status overlay_create(struct overlay **out, const struct renderer_params *params)
{
    const struct overlay_params *wanted = &params->overlay;
    *out = NULL;
    if (!wanted->title && !wanted->clock && !wanted->scale_bar && !wanted->bodies &&
        !wanted->frame && wanted->caption_count == 0)
        return STATUS_OK;
    struct overlay *overlay = *out = calloc(1, sizeof *overlay);
    if (!overlay)
        return status_fail(STATUS_RUNTIME, "no memory left for the overlay");
    overlay->width = (int)params->width;
    overlay->height = (int)params->height;
    overlay->params = *wanted;
    overlay->params.font = overlay->params.length_unit = NULL;
    overlay->params.captions = NULL;
    overlay->labels = params->labels;
    overlay->labels.title = NULL;
    overlay->bodies = params->count;
    overlay->light_years = strcmp(wanted->length_unit, "ly") == 0;
    copy_text(overlay->title, params->labels.title);
    if (wanted->title && !overlay->title[0])
        log_warning("overlay.title is true, but there is none to show; set output.title");
    arrange(overlay);
    enum status status = create_gl(overlay);
    if (status == STATUS_OK)
        status = ink_create(&overlay->ink, wanted->font, overlay->plate_width,
                            overlay->plate_height, shadow_reach * overlay->size);
    if (status == STATUS_OK)
        status = copy_captions(overlay, wanted);
    if (status == STATUS_OK)
        fit_title(overlay);
    else
        overlay_destroy(out);
    return status;
}

void overlay_destroy(struct overlay **overlay)
{
    struct overlay *self = *overlay;
    if (!self)
        return;
    ink_destroy(&self->ink);
    free(self->captions);
    glDeleteTextures(1, &self->texture);
    glDeleteProgram(self->program);
    free(self);
    *overlay = NULL;
}

uint64_t overlay_paintings(const struct overlay *overlay)
{
    return overlay->paintings;
}

/* The one that shows, and how much of it. While none does, the last one stays painted, unseen. */
static void say_caption(struct overlay *overlay, uint64_t frame, char *text)
{
    struct plate *plate = &overlay->plates[CAPTION];
    const double seconds = (double)frame / overlay->labels.fps;
    plate->opacity = 0;
    strcpy(text, plate->text);
    for (uint32_t i = 0; i < overlay->params.caption_count; i++) {
        const struct caption *caption = &overlay->captions[i];
        double opacity =
            overlay_caption_opacity(seconds, caption->from, caption->to, overlay->params.fade);
        if (opacity == 0)
            continue;
        plate->opacity = opacity;
        strcpy(text, caption->text);
    }
}

static void say(struct overlay *overlay, int index, const struct view *view,
                const struct camera_pose *pose, char *text, double *bar)
{
    struct overlay_scale scale;
    *bar = 0;
    switch (index) {
    case TITLE:
        strcpy(text, overlay->title);
        break;
    case CLOCK:
        overlay_clock_text(text, OVERLAY_TEXT_MAX, view->time, overlay->labels.time_myr,
                           overlay->labels.duration);
        break;
    case SCALE_BAR:
        overlay_scale_bar(&scale, pose->pixels_a_unit, longest_bar * overlay->width,
                          overlay->labels.length_kpc, overlay->light_years);
        strcpy(text, scale.label);
        *bar = scale.pixels;
        break;
    case BODIES:
        overlay_count_text(text, OVERLAY_TEXT_MAX, overlay->bodies);
        break;
    case CAPTION:
        say_caption(overlay, view->frame, text);
        break;
    default:
        snprintf(text, OVERLAY_TEXT_MAX, "frame %" PRIu64, view->frame);
    }
}

/* A line with a stroke upwards at either end; its outer edges are the length. */
static double paint_bar(struct overlay *overlay, const struct plate *plate)
{
    double thick = fmax(1, round(plate->size / 12)), tall = round(0.32 * plate->size);
    double left = overlay->pad, bottom = overlay->plate_baseline;
    ink_box(overlay->ink, left, bottom - thick, plate->bar, thick, small_opacity);
    if (plate->bar >= 2 * thick) {
        ink_box(overlay->ink, left, bottom - tall, thick, tall - thick, small_opacity);
        ink_box(overlay->ink, left + plate->bar - thick, bottom - tall, thick, tall - thick,
                small_opacity);
    }
    return tall + round(0.32 * plate->size);
}

static enum status paint(struct overlay *overlay, int index)
{
    struct plate *plate = &overlay->plates[index];
    double length = fmax(ink_width(overlay->ink, plate->size, plate->text), plate->bar);
    plate->width = 0;
    if (length > overlay->width - 2 * overlay->margin) {
        if (!plate->warned)
            log_warning("the picture is too small for overlay.%s, which is left out",
                        plate_names[index]);
        plate->warned = true;
        return STATUS_OK;
    }
    if (plate->text[0] == '\0')
        return STATUS_OK;
    double x = overlay->pad + (plate->side == RIGHT ? ceil(length) - length : 0), lift = 0;
    ink_begin(overlay->ink);
    if (plate->bar > 0)
        lift = paint_bar(overlay, plate);
    ink_text(overlay->ink, x, overlay->plate_baseline - lift, plate->size,
             index == TITLE || index == CAPTION ? title_opacity : small_opacity, plate->text);
    const int width = (int)ceil(length) + 2 * overlay->pad;
    const uint8_t *pixels;
    int stride;
    enum status status = ink_end(overlay->ink, width, &pixels, &stride);
    if (status != STATUS_OK)
        return status;
    glPixelStorei(GL_UNPACK_ROW_LENGTH, stride / 4);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, index * overlay->plate_height, width,
                    overlay->plate_height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    plate->width = width;
    if (plate->side == CENTRE)
        plate->x = (overlay->width - width) / 2;
    else
        plate->x = plate->side == RIGHT ? overlay->width - overlay->margin + overlay->pad - width
                                        : overlay->margin - overlay->pad;
    overlay->paintings++;
    return STATUS_OK;
}

static enum status update(struct overlay *overlay, const struct view *view,
                          const struct camera_pose *pose)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < PLATES && status == STATUS_OK; i++) {
        struct plate *plate = &overlay->plates[i];
        char text[OVERLAY_TEXT_MAX + 4];
        double bar;
        if (!plate->on)
            continue;
        say(overlay, i, view, pose, text, &bar);
        if (strcmp(text, plate->text) == 0 && bar == plate->bar)
            continue;
        strcpy(plate->text, text);
        plate->bar = bar;
        status = paint(overlay, i);
    }
    return status;
}

enum status overlay_draw(struct overlay *overlay, const struct view *view,
                         const struct camera_pose *pose, const struct gl_target *display)
{
    glBindTexture(GL_TEXTURE_2D, overlay->texture);
    enum status status = update(overlay, view, pose);
    if (status != STATUS_OK)
        return status;
    gl_target_bind(display);
    glUseProgram(overlay->program);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < PLATES; i++) {
        const struct plate *plate = &overlay->plates[i];
        if (plate->width == 0 || plate->opacity == 0)
            continue;
        glUniform4i(overlay->place, plate->x, plate->baseline - overlay->plate_baseline,
                    plate->width, overlay->plate_height);
        glUniform1f(overlay->opacity, (GLfloat)plate->opacity);
        glUniform1i(overlay->first_row, i * overlay->plate_height);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
    return STATUS_OK;
}
