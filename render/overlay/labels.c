#include "render/overlay/labels.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/overlay/plates.h"
#include "render/picture/picture.h"

#include <math.h>
#include <stdlib.h>

extern const char shader_overlay_line_vert[], shader_overlay_line_frag[];

/* In letter sizes. */
static const double cap_height = 0.73, descent = 0.22, gap = 0.35, /* from the line to letters */
    lead_point = 0.8, lead = 1.1,                                  /* the line */
    rim_point = 0.45, edge = 1.5, apart = 0.8,                     /* over which labels fade */
    reach = 5, soft = 3;                                           /* of the push by others */
static const double push = 0.9;             /* of several things at most, relative to upwards */
static const double inner = 2, outer = 4.2; /* of the line, in radii */
static const double largest = 0.3;          /* of the shorter side of the picture: the outer one */
static const double letters_opacity = 0.92, line_opacity = 0.6, shadow_opacity = 0.45;
static const double thickness = 0.05; /* of the line, in letter sizes; at least a pixel */

struct labels {
    struct overlay_layout layout;
    struct plates *plates;
    const struct tracked *tracked; /* [count] */
    size_t count;
    double *width;             /* of the letters, in pixels */
    struct label_found *times; /* [count] */
    double fps, fade, white;
    bool prints;
    GLuint program;
    GLint size, ends, line, radius, ink, shadow;
    struct spot *spots; /* [2 count] of the picture that is drawn: above things, then below them */
};

/* A label in a picture, in pixels from its upper left corner; y grows downwards. */
struct spot {
    bool seen;
    double place[3], at[2], radius; /* of the thing; its projected radius */
    double ring;                    /* its projected radius; 0: none */
    double alone;                   /* opacity without regard to others */
    double opacity;
    double left, top, width, height; /* of the letters */
    double from[2], to[2];           /* of the line */
};

static double smooth(double from, double to, double value)
{
    const double x = fmin(1, fmax(0, (value - from) / (to - from)));
    return x * x * (3 - 2 * x);
}

/* ---- creation ---- */

static enum status create_line(struct labels *labels)
{
    const enum status status = gl_program(&labels->program, "overlay_line",
                                          shader_overlay_line_vert, shader_overlay_line_frag, "");
    if (status != STATUS_OK)
        return status;
    labels->size = glGetUniformLocation(labels->program, "size");
    labels->ends = glGetUniformLocation(labels->program, "ends");
    labels->line = glGetUniformLocation(labels->program, "line");
    labels->radius = glGetUniformLocation(labels->program, "radius");
    labels->ink = glGetUniformLocation(labels->program, "ink");
    labels->shadow = glGetUniformLocation(labels->program, "shadow");
    return STATUS_OK;
}

static enum status paint(struct labels *labels, struct ink *ink, size_t i, const char *text)
{
    const struct overlay_layout *layout = &labels->layout;
    const int pad = layout->pad;
    const double size = layout->size;
    enum status status = ink_begin(ink, (int)ceil(labels->width[i % labels->count]) + 2 * pad,
                                   (int)ceil((cap_height + descent) * size) + 2 * pad);
    if (status != STATUS_OK)
        return status;
    ink_text(ink, pad, pad + cap_height * size, size, letters_opacity, text);
    return plates_store(labels->plates, (int)i, ink);
}

enum status labels_create(struct labels **out, struct ink *ink,
                          const struct renderer_params *params, const struct overlay_layout *layout)
{
    *out = NULL;
    if (params->overlay.label_count == 0 || params->tracked_count == 0)
        return STATUS_OK;
    struct labels *labels = *out = memory_new(1, sizeof *labels);
    const size_t count = labels->count = params->tracked_count;
    struct plate_room *rooms = memory_new(2 * count, sizeof *rooms);
    char(*texts)[OVERLAY_TEXT_MAX + 4] = memory_new(count, sizeof *texts);
    labels->layout = *layout;
    labels->tracked = params->tracked;
    labels->fps = params->labels.fps;
    labels->fade = params->overlay.fade;
    labels->prints = look_prints(&params->look);
    labels->white = fn_pow(hdr_headroom(picture_format_hdr(params->format)), -1 / 2.2);
    labels->width = memory_new(count, sizeof *labels->width);
    labels->times = memory_new(count, sizeof *labels->times);
    labels->spots = memory_new(2 * count, sizeof *labels->spots);
    ink_role(ink, INK_LABEL);
    for (size_t i = 0; i < count; i++) {
        const struct tracked *tracked = &labels->tracked[i];
        labels->times[i] = params->found.labels[tracked->entry];
        overlay_fit_text(texts[i], ink, layout->size, layout->width / 2.0, tracked->name);
        labels->width[i] = ink_width(ink, layout->size, texts[i]);
        rooms[i].width = (int)ceil(labels->width[i]) + 2 * layout->pad;
        rooms[i].height = (int)ceil((cap_height + descent) * layout->size) + 2 * layout->pad;
        rooms[count + i] = rooms[i];
    }
    enum status status = plates_create(&labels->plates, rooms, 2 * (int)count, labels->white);
    if (status == STATUS_OK)
        status = create_line(labels);
    for (size_t i = 0; i < 2 * count && status == STATUS_OK; i++)
        status = paint(labels, ink, i, texts[i % count]);
    free(rooms);
    free(texts);
    if (status != STATUS_OK)
        labels_destroy(out);
    return status;
}

void labels_destroy(struct labels **labels)
{
    struct labels *self = *labels;
    if (!self)
        return;
    plates_destroy(&self->plates);
    glDeleteProgram(self->program);
    free(self->width);
    free(self->times);
    free(self->spots);
    free(self);
    *labels = NULL;
}

/* ---- placing ---- */

/* Labels fade over this part of half of the slab. */
static const double face = 0.2;

/* Where the thing is, and how visible its label would be alone. */
static void see(const struct labels *labels, size_t i, const struct overlay_sight *sight)
{
    const struct tracked *tracked = &labels->tracked[i];
    const struct camera_eye *eye = &sight->eye;
    struct spot *spot = &labels->spots[i];
    const double size = labels->layout.size, seconds = (double)sight->view->frame / labels->fps;
    double scale;
    *spot = (struct spot){.width = labels->width[i], .height = cap_height * size};
    if (!tracked->at(tracked, sight->view, spot->place))
        return;
    const double within = camera_within(eye, spot->place);
    spot->seen = camera_see(eye, spot->place, spot->at, &scale) && within >= 0;
    if (!spot->seen)
        return;
    const double radius = eye->width / 2;
    const double nearest = eye->dome > 0
                               ? radius - fn_hypot(spot->at[0] - radius, spot->at[1] - radius)
                               : fmin(fmin(spot->at[0], eye->width - spot->at[0]),
                                      fmin(spot->at[1], eye->height - spot->at[1]));
    const struct label_found *times = &labels->times[i];
    spot->radius = tracked->radius * scale;
    spot->ring = tracked->radius_at ? tracked->radius_at(tracked, sight->view) * scale : 0;
    spot->alone = overlay_caption_opacity(seconds, times->begins, times->ends, labels->fade) *
                  smooth(0, edge * size, nearest) * smooth(0, face, within);
    if (tracked->radius > 0 && !tracked->radius_at)
        spot->alone *= smooth(0.5, 1, 2 * spot->radius / size);
}

/* Things that have merged are one; which name it has is not for the picture to say. */
static void merge(const struct labels *labels, size_t i)
{
    struct spot *spot = &labels->spots[i];
    const bool merges = labels->tracked[i].radius > 0 && !labels->tracked[i].radius_at;
    for (size_t k = 0; k < labels->count && merges; k++) {
        const double radii = labels->tracked[i].radius + labels->tracked[k].radius;
        double between[3];
        if (k == i || !labels->spots[k].seen || labels->tracked[k].radius_at ||
            !(labels->tracked[k].radius > 0))
            continue;
        vector_add(between, spot->place, -1, labels->spots[k].place);
        spot->alone *= smooth(0.6, 1.2, vector_length(between) / radii);
    }
}

/* The direction from the thing to its letters: upwards, and away from the others, whose push is
 * always smaller, so that there always is a direction. y grows downwards. */
static void direct(const struct labels *labels, size_t i, double out[2])
{
    const struct spot *spot = &labels->spots[i];
    double x = 0, y = 0;
    for (size_t k = 0; k < labels->count; k++) {
        const struct spot *other = &labels->spots[k];
        const double dx = spot->at[0] - other->at[0], dy = spot->at[1] - other->at[1];
        /* Softened, so that the letters do not swing round as one thing passes another. */
        const double away = fn_hypot(fn_hypot(dx, dy), soft * labels->layout.size);
        const double range = reach * labels->layout.size + spot->radius + other->radius;
        if (k == i || !other->seen)
            continue;
        const double near = away / range, strength = other->alone / (1 + near * near * near * near);
        x += strength * dx / away;
        y += strength * dy / away;
    }
    const double force = fn_hypot(x, y), scale = push / (1 + force);
    out[0] = 2 * scale * x;
    out[1] = scale * y - 1;
    const double length = fn_hypot(out[0], out[1]);
    out[0] /= length;
    out[1] /= length;
}

static double clamp(double value, double low, double high)
{
    return fmax(low, fmin(value, fmax(low, high)));
}

/* Places letters and line above the thing, or below it. */
static void place(const struct labels *labels, struct spot *spot, size_t i, bool below,
                  const struct overlay_area *room, double shorter)
{
    const double size = labels->layout.size, pad = gap * size;
    const bool point = !(labels->tracked[i].radius > 0);
    const bool ringed = spot->ring > 0; /* the line begins there */
    const double far = ringed ? 0 : fmin(outer * spot->radius, largest * shorter);
    const double begin = ringed ? spot->ring : point ? rim_point * size : far * inner / outer;
    const double end = fmax(far, begin + (point ? lead_point : lead) * size);
    double u[2];
    direct(labels, i, u);
    if (below)
        u[0] = 0, u[1] = 1;
    /* The line would end on the border of the letters' box, with a gap around them. */
    const double half[2] = {spot->width / 2 + pad, spot->height / 2 + pad};
    const double onto = 1 / fmax(fabs(u[0]), fabs(u[1]));
    const double middle[2] = {spot->at[0] + end * u[0] + half[0] * u[0] * onto,
                              spot->at[1] + end * u[1] + half[1] * u[1] * onto};
    spot->left = clamp(middle[0] - spot->width / 2, room->x, room->x + room->width - spot->width);
    spot->top = clamp(middle[1] - spot->height / 2, room->y,
                      room->y + room->height - (1 + descent / cap_height) * spot->height);
    for (int c = 0; c < 2; c++) {
        const double low = c == 0 ? spot->left : spot->top;
        const double length = c == 0 ? spot->width : spot->height;
        spot->from[c] = spot->at[c] + begin * u[c];
        spot->to[c] = clamp(spot->from[c], low - pad, low + length + pad);
    }
}

/* 0 where two boxes overlap, 1 where they are far enough apart. */
static double clearance(const struct labels *labels, const struct spot *spot, double left,
                        double top, double width, double height)
{
    const double size = labels->layout.size, pad = gap * size;
    const double x = fmax(left - spot->left - spot->width, spot->left - left - width);
    const double y = fmax(top - spot->top - spot->height, spot->top - top - height);
    return smooth(pad, pad + apart * size, fmax(x, y));
}

/* The share of a label that others leave: 0 under `other`, 1 clear of its letters and its line. */
static double left_by(const struct labels *labels, const struct spot *spot,
                      const struct spot *other)
{
    if (!other->seen || !(other->opacity > 0))
        return 1;
    const double clear =
        fmin(clearance(labels, spot, other->left, other->top, other->width, other->height),
             clearance(labels, spot, fmin(other->from[0], other->to[0]),
                       fmin(other->from[1], other->to[1]), fabs(other->to[0] - other->from[0]),
                       fabs(other->to[1] - other->from[1])));
    return 1 - other->opacity * (1 - clear);
}

/* Earlier labels, and every other part of the overlay, go before this one. */
static void yield_to_others(const struct labels *labels, struct spot *spot, size_t i,
                            const struct labels_obstacle *obstacles, int obstacle_count)
{
    spot->opacity = spot->alone;
    for (size_t k = 0; k < i; k++)
        spot->opacity *= left_by(labels, spot, &labels->spots[k]) *
                         left_by(labels, spot, &labels->spots[labels->count + k]);
    for (int k = 0; k < obstacle_count; k++) {
        const struct overlay_area *area = &obstacles[k].area;
        spot->opacity *= 1 - obstacles[k].opacity * (1 - clearance(labels, spot, area->x, area->y,
                                                                   area->width, area->height));
    }
}

/* ---- drawing ---- */

static void set_inks(const struct labels *labels, double opacity)
{
    const double size = labels->layout.size, light = labels->prints ? 0 : labels->white;
    const double dark = labels->prints ? labels->white : 0;
    glUniform2f(labels->line, (GLfloat)fmax(1, thickness * size),
                (GLfloat)fmax(2, OVERLAY_SHADOW * size));
    glUniform2f(labels->ink, (GLfloat)light, (GLfloat)(line_opacity * opacity));
    glUniform2f(labels->shadow, (GLfloat)dark, (GLfloat)(shadow_opacity * opacity));
}

/* A circle of `radius` around (x, y), whether its name has room or not. */
static void draw_ring(const struct labels *labels, const struct spot *spot, double opacity, int x,
                      int y)
{
    if (!spot->seen || !(spot->ring > 0) || opacity <= 0)
        return;
    set_inks(labels, opacity);
    glUniform1f(labels->radius, (GLfloat)spot->ring);
    glUniform4f(labels->ends, (GLfloat)(spot->at[0] - spot->ring + x),
                (GLfloat)(spot->at[1] - spot->ring + y), (GLfloat)(spot->at[0] + spot->ring + x),
                (GLfloat)(spot->at[1] + spot->ring + y));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glUniform1f(labels->radius, 0);
}

static void draw_line(const struct labels *labels, const struct spot *spot, double opacity, int x,
                      int y)
{
    const double size = labels->layout.size;
    const double dx = spot->to[0] - spot->from[0], dy = spot->to[1] - spot->from[1];
    opacity *= smooth(0, 0.5 * size, fn_hypot(dx, dy));
    if (opacity <= 0)
        return;
    glUniform4f(labels->ends, (GLfloat)(spot->from[0] + x), (GLfloat)(spot->from[1] + y),
                (GLfloat)(spot->to[0] + x), (GLfloat)(spot->to[1] + y));
    set_inks(labels, opacity);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void draw_lines(const struct labels *labels, double opacity, const struct gl_target *display,
                       int x, int y)
{
    gl_target_bind(display);
    glUseProgram(labels->program);
    glUniform2f(labels->size, (GLfloat)display->width, (GLfloat)display->height);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (size_t i = 0; i < labels->count; i++)
        draw_ring(labels, &labels->spots[i], opacity * labels->spots[i].alone, x, y);
    for (size_t i = 0; i < 2 * labels->count; i++)
        draw_line(labels, &labels->spots[i], opacity * labels->spots[i].opacity, x, y);
    glDisable(GL_BLEND);
}

static void put(const struct labels *labels, size_t i, double opacity)
{
    const struct spot *spot = &labels->spots[i];
    struct plate *plate = plates_at(labels->plates, (int)i);
    const double left = spot->left - labels->layout.pad, top = spot->top - labels->layout.pad;
    plate->x = (int)floor(left);
    plate->y = (int)floor(top);
    plate->right = left - plate->x;
    plate->down = top - plate->y;
    plate->opacity = opacity * spot->opacity;
}

void labels_draw(struct labels *labels, const struct overlay_sight *sight,
                 const struct overlay_area *room, const struct labels_obstacle *obstacles,
                 int obstacle_count, double opacity, const struct gl_target *display, int x, int y)
{
    const double shorter = fmin(sight->eye.width, sight->eye.height);
    for (size_t i = 0; i < labels->count; i++)
        see(labels, i, sight);
    for (size_t i = 0; i < labels->count; i++)
        merge(labels, i);
    for (size_t i = 0; i < labels->count; i++) {
        struct spot *above = &labels->spots[i], *below = &labels->spots[labels->count + i];
        *below = *above;
        if (above->seen && above->alone > 0) {
            place(labels, above, i, false, room, shorter);
            yield_to_others(labels, above, i, obstacles, obstacle_count);
            /* A name fades out here before it fades in there, so that it is never seen twice. */
            const double share = above->opacity / above->alone;
            above->opacity = above->alone * fmax(0, 2 * share - 1);
            below->alone *= fmax(0, 1 - 2 * share);
            place(labels, below, i, true, room, shorter);
            yield_to_others(labels, below, i, obstacles, obstacle_count);
        }
        put(labels, i, opacity);
        put(labels, labels->count + i, opacity);
    }
    draw_lines(labels, opacity, display, x, y);
    plates_draw(labels->plates, display, x, y, 1);
}
