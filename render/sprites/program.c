#include "render/sprites/program.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/colour/legend.h"
#include "render/colour/colour.h"
#include "render/gl/gl.h"
#include "render/sprites/captured.h"
#include "render/sprites/modes.h"
#include "render/sprites/setup.h"
#include "render/sprites/splats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_sprite_vert[], shader_sprite_frag[], shader_sprite_place_glsl[],
    shader_sprite_adaptive_glsl[], shader_sprite_star_glsl[], shader_sprite_oblong_glsl[],
    shader_sprite_round_glsl[], shader_splat_common_glsl[], shader_splat_place_glsl[],
    shader_splat_scatter_glsl[], shader_splat_bodies_glsl[], shader_sprite_streak_glsl[],
    shader_streak_place_glsl[], shader_sprite_streak_geom[], shader_colour_map_glsl[],
    shader_colour_common_glsl[];

static bool streaks(enum sprite_kind kind)
{
    return kind == SPRITE_STREAKS || kind == SPRITE_STREAK_SPLATS ||
           kind == SPRITE_STREAKS_CAPTURED;
}

static bool computed(enum sprite_kind kind)
{
    return kind == SPRITE_SPLATS || kind == SPRITE_STREAK_SPLATS;
}

static bool captured(enum sprite_kind kind)
{
    return kind == SPRITE_CAPTURED || kind == SPRITE_STREAKS_CAPTURED;
}

/* The scales of render/found.h that shaders read. */
static const struct {
    const char *uniform; /* "": not read */
    double (*full)(const struct look_params *look, const struct look_found *found);
} scales[] = {
#define ROW(member, uniform, full) {uniform, look_full_##member},
    LOOK_FOUND(ROW)
#undef ROW
};

enum { SCALES = sizeof scales / sizeof *scales };

static char *declare_scales(void)
{
    char *text = memory_text("");
    for (size_t i = 0; i < SCALES; i++)
        if (*scales[i].uniform)
            text_append(&text, "", "uniform float %s;\n", scales[i].uniform);
    return text;
}

/* Declares a float for each column; for splats, also the code of splat_bodies.glsl that reads
 * them. */
static char *declare_columns(const struct column_names *names, bool splats)
{
    char *declared = memory_text(""), *read = memory_text("");
    for (int k = 0; k < names->count; k++) {
        const char *name = names->list[k];
        char *before = declared, *others = read;
        declared = splats ? text_format("%sfloat %s;\nlayout(std430, binding = %d) readonly buffer "
                                        "Column%d { float of_%s[]; };\n",
                                        before, name, SPLAT_COLUMNS + k, k, name)
                          : text_format("%slayout(location = %d) in float %s;\n", before,
                                        BODY_COLUMNS + k, name);
        read = text_format("%s    %s = of_%s[%s];\n", others, name, name,
                           strcmp(name, COLUMN_DISTANCE) == 0 ? "place" : "body");
        free(before);
        free(others);
    }
    char *all =
        splats ? text_format("%svoid read_columns(uint place, uint body)\n{\n%s}\n", declared, read)
               : memory_text(declared);
    free(declared);
    free(read);
    return all;
}

/* Assembles the vertex shader, or a compute shader that starts with it. */
static char *put_together(const struct sprites_setup *setup, const struct sprite_size *size,
                          enum sprite_kind kind)
{
    const char *placing = computed(kind)  ? shader_splat_place_glsl
                          : streaks(kind) ? shader_streak_place_glsl
                                          : shader_sprite_place_glsl;
    struct column_names names;
    sprites_setup_columns(setup, size->adaptive, &names);
    char *columns = declare_columns(&names, computed(kind)), *declared = declare_scales();
    char *whole = text_format(
        "%s%s%s%s%s%s%s%s%s%s%s%s", kind == SPRITE_STREAK_SPLATS ? shader_sprite_streak_glsl : "",
        computed(kind) ? shader_splat_common_glsl : "", declared, shader_colour_map_glsl,
        shader_colour_common_glsl, columns, sprites_setup_colour(setup)->glsl,
        shader_sprite_oblong_glsl, placing, size->adaptive ? shader_sprite_adaptive_glsl : "",
        size->stars > 0 ? shader_sprite_star_glsl : "", shader_sprite_vert);
    free(declared);
    free(columns);
    return whole;
}

static void define_kind(char *out, size_t room, const struct sprites_setup *setup,
                        const struct sprite_size *size, enum sprite_kind kind)
{
    char streak[96] = "";
    if (streaks(kind))
        snprintf(streak, sizeof streak,
                 "#define STREAK\n#define STREAK_MOST %d\n#define STREAK_VERTICES %d\n",
                 size->quads ? (int)STREAK_QUADS : (int)STREAK_MOST,
                 size->quads ? 4 * STREAK_QUADS : (int)STREAK_MOST);
    const bool crowded = computed(kind) && splats_crowded(setup);
    char window[64] = "";
    if (crowded)
        snprintf(window, sizeof window, "#define CROWDED\n#define WINDOW %uu\n",
                 splats_window(setup->whole_sphere));
    if (computed(kind))
        snprintf(out, room,
                 "#extension GL_NV_gpu_shader5 : enable\n"
                 "#extension GL_NV_shader_atomic_int64 : enable\n"
                 "#extension GL_ARB_shader_ballot : enable\n"
                 "%s#define SPLATS\n#define main put_body\n#define TILE %d\n#define THREADS %u\n"
                 "#define EACH %uu\n#define ENTRIES %d\n#define PARTS %uu\n%s%s%s",
                 streak, (int)SPLAT_TILE,
                 crowded ? (unsigned)SPLAT_CROWD_THREADS : (unsigned)SPLAT_THREADS,
                 crowded ? (unsigned)SPLAT_CROWD_EACH : 1u, (int)SPLAT_ENTRIES,
                 (unsigned)SPLAT_PARTS, setup->reference ? "#define COMPARED\n" : "",
                 setup->bodies.order ? "#define ORDERED\n" : "", window);
    else
        snprintf(out, room, "%s", streak);
}

static void define(char *out, size_t room, const struct sprites_setup *setup,
                   const struct sprite_size *size, enum sprite_kind kind)
{
    const struct look_params *look = &setup->look;
    const bool hues = setup->weighed && !setup->colour; /* depths have no hue */
    const struct colour *colour = sprites_setup_colour(setup);
    char adaptive[128] = "", how[640];
    define_kind(how, sizeof how, setup, size, kind);
    if (size->adaptive)
        snprintf(adaptive, sizeof adaptive,
                 "#define ADAPTIVE\n#define LEVELS %d\n#define LEVEL_SPRITE %d.0\n%s%s",
                 (int)LEVELS_MOST, size->level, size->kernel ? "#define KERNEL\n" : "",
                 size->stars == 0 ? ""
                 : setup->colour  ? "#define STARS\n#define CLOUDS\n"
                 : colour->mapped ? "#define STARS\n"
                                  : "#define STARS\n#define STAR_TINTS\n");
    snprintf(out, room, "%s%s%s%s%s%s%s%s%s%s", size->quads ? "#define QUADS\n" : "",
             look->mode->square ? "#define SQUARE\n#define FIXED\n" : "",
             look->weight->by_mass ? "#define BY_MASS\n" : "",
             setup->weighed ? "#define WEIGHED\n" : "",
             setup->whole_sphere ? "#define SPHERE\n" : "",
             sprites_setup_values(setup) ? "#define VALUES\n"
             : hues                      ? "#define FULL\n"
                                         : "",
             setup->absences ? "#define ABSENCES\n" : "",
             colour->tint == TINT_STARS ? "#define AGED\n" : "", adaptive, how);
}

static enum status compile(GLuint *out, const struct sprites_setup *setup,
                           const struct sprite_size *size, enum sprite_kind kind)
{
    char *vertex = put_together(setup, size, kind);
    const char *scatter = computed(kind) ? shader_splat_scatter_glsl : "",
               *bodies = computed(kind) ? shader_splat_bodies_glsl : "";
    char *round = text_format("%s%s%s%s", profile_of(&setup->look)->glsl, shader_sprite_round_glsl,
                              scatter, bodies);
    char defines[1280];
    define(defines, sizeof defines, setup, size, kind);
    const struct gl_stage drawn[] = {
        {GL_VERTEX_SHADER, "#version 330 core\n", {vertex, ""}},
        {GL_FRAGMENT_SHADER, "#version 330 core\n", {round, shader_sprite_frag}},
        {GL_GEOMETRY_SHADER,
         "#version 330 core\n",
         {shader_sprite_streak_glsl, shader_sprite_streak_geom}},
    };
    const struct gl_stage stage = {GL_COMPUTE_SHADER, SPLAT_VERSION, {vertex, round}};
    enum status status =
        captured(kind)   ? gl_program_capturing(out, "sprite", drawn, 1, defines,
                                              streaks(kind) ? captured_streaks : captured_points,
                                                CAPTURED_VARYINGS)
        : computed(kind) ? gl_program_of(out, "splat", &stage, 1, defines)
                         : gl_program_of(out, "sprite", drawn, streaks(kind) ? 3 : 2, defines);
    free(vertex);
    free(round);
    return status;
}

void sprite_program_set_map(GLuint program, const struct look_params *look)
{
    float stops[COLOUR_MAP_STOPS][3];
    for (int i = 0; i < COLOUR_MAP_STOPS; i++)
        colour_map_at(look->map, (float)i / (COLOUR_MAP_STOPS - 1), stops[i]);
    glUniform3fv(glGetUniformLocation(program, "map"), COLOUR_MAP_STOPS, stops[0]);
    glUniform1f(glGetUniformLocation(program, "map_proportional"), look->map->proportional);
    glUniform1f(glGetUniformLocation(program, "saturation"), (float)look->saturation);
}

static void set_range(GLuint program, const struct sprites_setup *setup);

static void set_scales(GLuint program, const struct sprites_setup *setup)
{
    for (size_t i = 0; i < SCALES; i++)
        if (*scales[i].uniform)
            glUniform1f(glGetUniformLocation(program, scales[i].uniform),
                        (float)scales[i].full(&setup->look, &setup->found));
    set_range(program, setup);
}

/* The range of look.quantity at this frame as a part of the whole film's, in which views have their
 * numbers. Where its ends meet or cross, colours change at a step. */
static void set_range(GLuint program, const struct sprites_setup *setup)
{
    const struct look_params *look = &setup->look;
    const struct look_found *found = &setup->found;
    double ends[] = {found->quantity_from, found->quantity_to, look->quantity_from,
                     look->quantity_to};
    const GLint at = glGetUniformLocation(program, "quantity_range");
    glUniform2f(at, 1, 0);
    if (at < 0 || !(ends[1] > ends[0]) || (ends[2] == 0 && ends[3] == 0))
        return;
    for (int i = 0; i < 4 && look->quantity_scale->logarithmic; i++)
        ends[i] = fn_log(ends[i]);
    const double whole = ends[1] - ends[0], here = fmax(ends[3] - ends[2], 1e-6 * whole);
    glUniform2f(at, (GLfloat)(whole / here), (GLfloat)((ends[0] - ends[2]) / here));
}

static void set_populations(GLuint program)
{
    float shown[STAR_AGES][3];
    for (int i = 0; i < STAR_AGES; i++)
        star_age_shown((double)i / (STAR_AGES - 1), shown[i]);
    glUniform3fv(glGetUniformLocation(program, "population"), STAR_AGES, shown[0]);
    glUniform2f(glGetUniformLocation(program, "ages"), STAR_YOUNGEST, STAR_OLDEST);
}

/* Spacing if the bodies filled a disk of the full extent, a tenth as thick as wide, evenly. */
static float usual_near(const struct sprites_setup *setup)
{
    double count = 0;
    for (int g = 0; g < setup->group_count; g++)
        count += (double)draw_group_whole(&setup->groups[g]);
    const double spacing = look_full_spacing(&setup->look, &setup->found);
    return (float)(spacing * sqrt(count) * fn_cbrt(0.6 * SIZING_NEIGHBOUR / fmax(count, 1)));
}

/* share: of the light that comes from stars. */
static void set_stars(GLuint program, const struct sprite_size *size, const struct optics *optics,
                      float share)
{
    float power[3];
    if (size->stars == 0)
        return;
    resolved_power(optics, power);
    glUniform3fv(glGetUniformLocation(program, "star_power"), 1, power);
    glUniform1f(glGetUniformLocation(program, "star_size"), size->star);
    glUniform1ui(glGetUniformLocation(program, "star_count"), size->stars);
    glUniform2f(glGetUniformLocation(program, "star_shares"), 1 - share,
                share / (float)size->stars);
}

void sprite_program_tune(GLuint program, const struct sprites_setup *setup,
                         const struct sprite_size *size)
{
    glUseProgram(program);
    set_stars(program, size, setup->look.optics, (float)setup->look.resolved);
    set_scales(program, setup);
    sprite_program_set_map(program, &setup->look);
    glUniform3f(glGetUniformLocation(program, "size_limits"), size->smallest, size->largest,
                size->fading);
}

void sprite_program_set_scale(const struct sprite_program *program,
                              const struct sprites_setup *setup, double scale)
{
    if (scale > 0)
        glUniform1f(program->speed,
                    (GLfloat)(look_full_speed(&setup->look, &setup->found) / scale));
}

enum status sprite_program_create(struct sprite_program *out, const struct sprites_setup *setup,
                                  const struct sprite_size *size, enum sprite_kind kind,
                                  GLsizei width, GLsizei height)
{
    *out = (struct sprite_program){0};
    enum status status = compile(&out->program, setup, size, kind);
    if (status != STATUS_OK)
        return status;
    const GLuint program = out->program;
    out->view_projection = glGetUniformLocation(program, "view_projection");
    out->eye = glGetUniformLocation(program, "eye");
    out->upright = glGetUniformLocation(program, "upright");
    out->slab = glGetUniformLocation(program, "slab");
    out->speed = glGetUniformLocation(program, "speed");
    out->shift = glGetUniformLocation(program, "shift");
    out->moment = glGetUniformLocation(program, "moment");
    out->opening = glGetUniformLocation(program, "opening");
    out->closing = glGetUniformLocation(program, "closing");
    out->plane = glGetUniformLocation(program, "plane");
    out->exposed = glGetUniformLocation(program, "exposed");
    out->target_distance = glGetUniformLocation(program, "target_distance");
    out->focal = glGetUniformLocation(program, "focal");
    out->body_radius = glGetUniformLocation(program, "body_radius");
    out->size_at_unit_depth = glGetUniformLocation(program, "size_at_unit_depth");
    out->light = glGetUniformLocation(program, "light");
    out->tint = glGetUniformLocation(program, "tint");
    out->tinted = glGetUniformLocation(program, "tinted_only");
    out->saturation = glGetUniformLocation(program, "saturation");
    out->to_map = glGetUniformLocation(program, "to_map");
    out->before = glGetUniformLocation(program, "before");
    out->quad_first = glGetUniformLocation(program, "quad_first");
    out->first_star = glGetUniformLocation(program, "first_star");
    sprite_program_tune(program, setup, size);
    set_populations(program);
    const float usual = usual_near(setup);
    glUniform1f(glGetUniformLocation(program, "usual"), usual);
    glUniform2f(glGetUniformLocation(program, "spread"),
                setup->spread > 0 ? (float)setup->spread : 1, setup->spread > 0 ? usual / 3 : 0);
    glUniform1i(glGetUniformLocation(program, "density"), 0);
    glUniform1f(glGetUniformLocation(program, "spacing"), profile_of(&setup->look)->spacing);
    glUniform2f(glGetUniformLocation(program, "target_size"), (GLfloat)width, (GLfloat)height);
    return STATUS_OK;
}

enum status sprite_program_recipe(struct recipe_program *out, const struct sprites_setup *setup,
                                  const struct sprite_size *size)
{
    struct sprite_program program;
    struct sprite_size points = *size;
    points.quads = false;
    enum status status = sprite_program_create(&program, setup, &points, SPRITE_DRAWN, 1, 1);
    if (status != STATUS_OK)
        return status;
    char defines[1024], *vertex = put_together(setup, &points, SPRITE_DRAWN);
    define(defines, sizeof defines, setup, &points, SPRITE_DRAWN);
    out->vertex = text_format("%s%s", defines, vertex);
    out->fragment = text_format("%s%s%s%s", defines, profile_of(&setup->look)->glsl,
                                shader_sprite_round_glsl, shader_sprite_frag);
    free(vertex);
    gl_program_values(program.program, out);
    sprite_program_destroy(&program);
    return STATUS_OK;
}

void sprite_program_destroy(struct sprite_program *program)
{
    glDeleteProgram(program->program);
    *program = (struct sprite_program){0};
}
