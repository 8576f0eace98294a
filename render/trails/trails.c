#include "render/trails/trails.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/sprites/modes.h"
#include "render/sprites/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- trail ---- */

/* Upper bound on the length of a cubic's tangents, in chord lengths: shorter tangents cause no
 * loops. */
static const double longest_tangent = 3;

static double size(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void trail_span_make(struct trail_span *out, const float from[8], const float to[8],
                     double interval)
{
    double chord[3], middle[3];
    *out = (struct trail_span){.from = from, .to = to};
    for (int c = 0; c < 3; c++)
        chord[c] = (double)to[c] - (double)from[c];
    const double most = longest_tangent * size(chord);
    for (int end = 0; end < 2; end++) {
        double *tangent = out->tangent[end];
        for (int c = 0; c < 3; c++)
            tangent[c] = (double)(end ? to : from)[4 + c] * interval;
        const double length = size(tangent), factor = length > most ? most / length : 1;
        for (int c = 0; c < 3; c++)
            tangent[c] *= factor;
    }
    /* A cubic's derivative lies within the triangle of its control points' differences. */
    for (int c = 0; c < 3; c++)
        middle[c] = 3 * chord[c] - out->tangent[0][c] - out->tangent[1][c];
    out->fastest = fmax(size(middle), fmax(size(out->tangent[0]), size(out->tangent[1])));
}

double trail_span_at(const struct trail_span *span, double u, float row[8])
{
    const double v = 1 - u;
    double slope[3];
    for (int c = 0; c < 3; c++) {
        const double a = (double)span->from[c], b = (double)span->to[c];
        const double s = span->tangent[0][c], t = span->tangent[1][c];
        row[c] = (float)(v * v * ((1 + 2 * u) * a + u * s) + u * u * ((1 + 2 * v) * b - v * t));
        slope[c] = 6 * u * v * (b - a) + v * (v - 2 * u) * s + u * (u - 2 * v) * t;
    }
    for (int c = 3; c < 8; c++)
        row[c] = (float)(v * (double)span->from[c] + u * (double)span->to[c]);
    return size(slope);
}

double trail_left(double age)
{
    const double left = age < 1 ? 1 - age : 0;
    return left * left;
}

/* ---- trails ---- */

enum { PLACES = 1 << 15, PLACES_OF_A_SPAN = 512 };

/* Relative to the body's own sprite. */
static const double width_share = 0.25, light_share = 0.4;
/* Diameter of stars, in pixels of a picture 1080 rows high, for adaptive sprites. */
static const double star_width = 4.5;
/* The mean of a sprite's light along its diameter, for the profile soft; other profiles are
 * similar. */
static const double mean_across = 8.0 / 15;

struct trails {
    struct sprites_setup setup; /* of the bodies, without groups */
    struct sprite_size size;
    struct sprite_program program;
    struct body_buffers buffers;
    struct body_array array;
    double frames;         /* length of a trail */
    double spacing, share; /* distance between sprites, in radii; share of the body's light */
    float mass;            /* mass of a body with the group's light; 0: all bodies have it */
    float plain[3];
    bool is_plain, tinted;
    float saturation;
    struct column_names names;         /* columns that the colour needs */
    const float *from[COLOUR_COLUMNS]; /* their values in the current view */
    float *position, *velocity;        /* [PLACES]: sprites still to be drawn */
    float *number[COLOUR_COLUMNS];
    size_t held;
    int group_count;
    struct draw_group *groups;
};

static enum status check(const struct sprites_setup *setup)
{
    const struct colour *colour = sprites_setup_colour(setup);
    if (setup->reference)
        return status_fail(STATUS_USAGE, "a panel of differences has no trails; set look.trails "
                                         "to 0 or take out the panel's difference");
    if (setup->look.mode->counts)
        return status_fail(STATUS_USAGE,
                           "look.mode is %s, which has no light, and so no trails; set "
                           "look.trails to 0 or choose another mode",
                           setup->look.mode->name);
    if (colour->by_density || colour_uses(colour, COLUMN_DISPERSION) ||
        colour_uses(colour, COLUMN_ACCELERATION))
        return status_fail(STATUS_USAGE,
                           "look.color is %s, which is not known along trails; set look.trails to "
                           "0 or choose another colour",
                           colour->name);
    return STATUS_OK;
}

/* Round sprites of their own size, with light in place of mass. */
static struct sprites_setup setup_of(const struct sprites_setup *setup)
{
    struct sprites_setup own = *setup;
    struct look_params *look = &own.look;
    const double size = look->point_size > 0 ? look->point_size : look->mode->point_size;
    look->point_size = sizing_adapts(look) ? star_width : width_share * size;
    look->radius *= sizing_adapts(look) ? 0 : width_share;
    if (look->mode->square)
        look->mode = choice_at(&draw_mode_registry, 0);
    look->size = &sizing_fixed;
    look->weight = &light_by_mass;
    own.absences = false; /* an absent body still leaves its trail */
    return own;
}

static void create_buffers(struct trails *trails, const struct sprites_setup *own)
{
    sprites_setup_columns(own, false, &trails->names);
    trails->position = memory_new(4 * PLACES, sizeof *trails->position);
    trails->velocity = memory_new(4 * PLACES, sizeof *trails->velocity);
    for (int k = 0; k < trails->names.count; k++)
        trails->number[k] = memory_new(PLACES, sizeof *trails->number[k]);
    body_buffers_create(&trails->buffers, PLACES, &trails->names, false);
    body_array_create(&trails->array, &trails->buffers, 0, &trails->names, trails->size.quads);
}

static enum status fill(struct trails *trails, const struct sprites_setup *setup, double fps,
                        const struct gl_target *target, const struct gl_context *context)
{
    const struct look_params *look = &setup->look;
    const struct sprites_setup own = setup_of(setup);
    enum status status = check(setup);
    if (status != STATUS_OK)
        return status;
    trails->setup = *setup;
    trails->setup.groups = NULL;
    sprite_size_choose(&trails->size, &own, context->point_size_max);
    trails->frames = look->trails * fps;
    trails->spacing = (double)look->profile->spacing;
    trails->share = light_share;
    trails->mass = look->weight->by_mass ? (float)setup->found.mean_mass : 0;
    trails->is_plain = look->mode->plain;
    for (int c = 0; c < 3; c++)
        trails->plain[c] = (float)look->plain[c];
    trails->tinted = sprites_setup_colour(setup)->tint != TINT_NONE;
    trails->saturation = (float)look->saturation;
    trails->group_count = setup->group_count;
    trails->groups = memory_new((size_t)setup->group_count, sizeof *trails->groups);
    for (int g = 0; g < setup->group_count; g++)
        trails->groups[g] = setup->groups[g];
    create_buffers(trails, &own);
    return sprite_program_create(&trails->program, &own, &trails->size, SPRITE_DRAWN, target->width,
                                 target->height);
}

enum status trails_create(struct trails **out, const struct sprites_setup *setup, double fps,
                          const struct gl_target *target, const struct gl_context *context)
{
    *out = memory_new(1, sizeof **out);
    enum status status = fill(*out, setup, fps, target, context);
    if (status != STATUS_OK)
        trails_destroy(out);
    return status;
}

void trails_tune(struct trails *trails, const struct look_params *look)
{
    trails->setup.look = *look;
    const struct sprites_setup own = setup_of(&trails->setup);
    sprite_size_tune(&trails->size, &own);
    trails->saturation = (float)look->saturation;
    sprite_program_tune(trails->program.program, &own, &trails->size);
}

void trails_destroy(struct trails **trails)
{
    struct trails *self = *trails;
    if (!self)
        return;
    body_array_destroy(&self->array);
    body_buffers_destroy(&self->buffers);
    sprite_program_destroy(&self->program);
    free(self->position);
    free(self->velocity);
    for (int k = 0; k < COLOUR_COLUMNS; k++)
        free(self->number[k]);
    free(self->groups);
    free(self);
    *trails = NULL;
}

static void put(GLuint buffer, const float *from, size_t floats)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    /* Allocates new storage each time, as for bodies. */
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(floats * sizeof *from), from, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static void draw_held(struct trails *trails)
{
    if (trails->held == 0)
        return;
    put(trails->buffers.position, trails->position, 4 * trails->held);
    put(trails->buffers.velocity, trails->velocity, 4 * trails->held);
    for (int k = 0; k < trails->names.count; k++)
        put(trails->buffers.columns[k], trails->number[k], trails->held);
    body_array_draw(&trails->array, 0, trails->held, 1);
    trails->held = 0;
}

static double apart(const float at[3], const float eye[3])
{
    return sqrt(fn_pow((double)(at[0] - eye[0]), 2) + fn_pow((double)(at[1] - eye[1]), 2) +
                fn_pow((double)(at[2] - eye[2]), 2));
}

/* The number of sprites that make a span one line of light. */
static int count_places(const struct trails *trails, const struct trail_span *span,
                        const struct camera_pose *pose)
{
    const double near =
        fmax(fmin(apart(span->from, pose->position), apart(span->to, pose->position)),
             1e-3 * (double)pose->distance);
    const double focal = (double)pose->pixels_per_unit * (double)pose->distance;
    const double wide = fmax((double)sprite_size_at_unit_depth(&trails->size, pose) / near,
                             (double)trails->size.smallest);
    const double count = ceil(span->fastest * focal / near / (0.5 * trails->spacing * wide));
    return count < 1 ? 1 : count < PLACES_OF_A_SPAN ? (int)count : PLACES_OF_A_SPAN;
}

static void add_place(struct trails *trails, const float row[8], double light, size_t body)
{
    if (trails->held == PLACES)
        draw_held(trails);
    float *position = trails->position + 4 * trails->held;
    memcpy(position, row, 3 * sizeof *row);
    position[3] = (float)light * (trails->mass > 0 ? row[3] / trails->mass : 1);
    memcpy(trails->velocity + 4 * trails->held, row + 4, 4 * sizeof *row);
    for (int k = 0; k < trails->names.count; k++)
        trails->number[k][trails->held] = trails->from[k][body];
    trails->held++;
}

/* `age` of the span's later end, in frames; `unit`: light per length of the path. */
static void add_span(struct trails *trails, const struct trail_span *span, size_t body, double age,
                     double unit, const struct camera_pose *pose)
{
    const int count = count_places(trails, span, pose);
    for (int i = 0; i < count; i++) {
        const double u = (i + 0.5) / count;
        const double left = trail_left((age + 1 - u) / trails->frames);
        float row[8];
        if (left == 0)
            continue;
        const double length = trail_span_at(span, u, row) / count;
        add_place(trails, row, left * unit * length, body);
    }
}

static bool has_crossed(const float from[8], const float to[8], const double edge[3])
{
    bool crossed = false;
    for (int c = 0; c < 3; c++)
        crossed |= edge[c] > 0 && fabs((double)to[c] - (double)from[c]) > edge[c] / 2;
    return crossed;
}

static void add_body(struct trails *trails, const struct view_trail *trail, size_t body,
                     double unit, const struct camera_pose *pose, const double edge[3])
{
    for (size_t k = 1; k < trail->frames; k++) {
        const double age = (double)(trail->frames - 1 - k);
        const double interval = trail->time[k] - trail->time[k - 1];
        const float *from = trail->rows[(k - 1) * trail->bodies + body],
                    *to = trail->rows[k * trail->bodies + body];
        struct trail_span span;
        if (age >= trails->frames || interval == 0 || from[7] > 0 || to[7] > 0 ||
            has_crossed(from, to, edge))
            continue;
        trail_span_make(&span, from, to, interval);
        add_span(trails, &span, body, age, unit, pose);
    }
}

static void use_program(struct trails *trails, const struct camera_pose *pose)
{
    const struct sprite_program *program = &trails->program;
    glUseProgram(program->program);
    glUniformMatrix4fv(program->view_projection, 1, GL_FALSE, pose->view_projection);
    glUniform3fv(program->eye, 1, pose->position);
    glUniform3fv(program->upright, 1, pose->up);
    glUniform4fv(program->slab, 1, pose->slab);
    glUniform1f(program->size_at_unit_depth, sprite_size_at_unit_depth(&trails->size, pose));
    glUniform1f(program->target_distance, pose->distance);
    glUniform1f(program->focal, pose->pixels_per_unit * pose->distance);
    glUniform1f(program->body_radius, trails->size.radius);
    glUniform2f(program->shift, 0, 0);
    glUniform1f(program->moment, 0);
}

void trails_add(struct trails *trails, const struct gl_target *target,
                const struct camera_pose *pose, const struct view *view, const double edge[3],
                double scale)
{
    const struct sprite_program *program = &trails->program;
    if (!view->trail)
        return;
    for (int k = 0; k < trails->names.count; k++)
        trails->from[k] = view_values(view, trails->names.list[k]);
    /* The light per length for a line as bright as one sprite: each place is covered by as many
     * sprites as their width has steps. */
    const double focal = (double)pose->pixels_per_unit * (double)pose->distance;
    const double unit =
        focal / ((double)sprite_size_at_unit_depth(&trails->size, pose) * mean_across);
    gl_target_bind(target);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    use_program(trails, pose);
    sprite_program_set_scale(program, &trails->setup, scale);
    for (int g = 0; g < trails->group_count; g++) {
        const struct draw_group *group = &trails->groups[g];
        glUniform1f(program->light, (GLfloat)(trails->share * (double)group->light));
        glUniform3fv(program->tint, 1, trails->is_plain ? trails->plain : group->tint);
        if (trails->tinted)
            glUniform1f(program->saturation, group->given ? 1 : trails->saturation);
        glUniform1i(program->tinted, group->given);
        for (size_t i = group->first; i < group->first + group->count; i++)
            add_body(trails, view->trail, i, unit, pose, edge);
        draw_held(trails);
    }
    glDisable(GL_BLEND);
}
