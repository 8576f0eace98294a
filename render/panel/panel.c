#include "render/panel/panel.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/camera/keyed.h"
#include "render/camera/project.h"
#include "render/panel/images.h"
#include "render/panel/marks.h"
#include "render/post/glow.h"
#include "render/post/sphere.h"
#include "render/sky/sky.h"
#include "render/sprites/modes.h"
#include "render/sprites/program.h"
#include "render/sprites/sprites.h"
#include "render/trails/trails.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_look_glsl[], shader_colour_map_glsl[], shader_fullscreen_vert[],
    shader_pass_fragment_glsl[];

/* Size of the picture from which the glow of all tiles is made: large enough for a core of
 * OVERVIEW_CORE pixels, but within limits. */
enum { OVERVIEW_SIDE = 2048, OVERVIEW_MOST = 5120, OVERVIEW_CORE = 2 };

/* The linear light, 0 .. 1, in the middle of a background star of magnitude SKY_MAGNITUDE,
 * independent of the tone curve and of the exposure, which is the bodies'. */
static const double star_shown = 0.12;

/* The part of the picture that a target shows, and its pose. */
struct panel_view {
    struct camera_aim aim;
    struct camera_window window;
};

struct panel {
    struct panel_setup setup;
    double exposure, contrast;   /* for tones by density, see post/exposure.h */
    struct exposure_meter meter; /* only created if the exposure adapts */
    uint32_t x, y;               /* position of the tile in the whole picture */
    struct sprites *sprites;
    struct sprites *overview;                /* the whole picture, smaller; NULL: not a tile */
    struct dust *dust, *overview_dust;       /* NULL: look.dust is 0, or there is no overview */
    struct trails *trails, *overview_trails; /* NULL: look.trails is 0, or there is no overview */
    uint64_t overviewed; /* 1 + the frame of the overview and of its glow; 0: none yet */
    struct bloom *bloom; /* NULL: look.bloom is 0 */
    struct glow *glow;   /* NULL: look.glow is 0, or this is a whole sphere, */
    struct sphere_glow *sphere_glow; /* which uses this instead */
    struct spikes *spikes;           /* NULL: look.spikes is 0 */
    bool glows;                      /* the glow of the current overview has been made */
    struct sphere sphere;            /* only created for the whole sphere */
    struct stars *stars;             /* NULL: there are neither background stars nor galaxies */
    struct marks *marks;             /* NULL: none */
    struct panel_view seen, seen_overview; /* of the light that was added up last */
    struct camera_pose pose;
    float slab[4];        /* of the frame, see struct camera_pose */
    struct images images; /* of the bodies, for the target that is drawn */
    struct gl_pass look;
    GLint look_contrast, look_exposure, look_seen, look_margin, look_bloom_place, look_glow_place,
        look_spikes_place;
};

static bool is_tile(const struct panel_setup *setup)
{
    return setup->sprites.whole_width != setup->sprites.width ||
           setup->sprites.whole_height != setup->sprites.height;
}

const struct gl_target *panel_light_target(const struct panel *panel)
{
    return panel->setup.sprites.whole_sphere ? &panel->sphere.light
                                             : sprites_target(panel->sprites);
}

/* Pixels around the rectangle. Beyond the rim of a dome is the light that spreads over it, as far
 * as that of a flat picture's edge (sprites/setup.c). */
static uint32_t light_margin(const struct panel *panel)
{
    const struct sprites_setup *setup = &panel->setup.sprites;
    if (panel->setup.dome > 0)
        return setup->height / 45 > 16 ? setup->height / 45 : 16;
    return setup->whole_sphere ? 0 : sprites_margin(panel->sprites);
}

/* The field of view of the light's width. */
static double light_dome(const struct panel *panel)
{
    const double side = panel->setup.sprites.width;
    return panel->setup.dome * (side + 2 * light_margin(panel)) / side;
}

/* The light from which glow and exposure are made. */
static const struct gl_target *glow_source(const struct panel *panel)
{
    return panel->overview ? sprites_target(panel->overview) : panel_light_target(panel);
}

/* Whether that light is in host memory, too, and GL adds nothing to it. */
static bool light_in_memory(const struct panel *panel)
{
    const bool changed = panel->overview || panel->dust || panel->trails || panel->stars ||
                         panel->marks || panel->setup.sprites.whole_sphere;
    return !changed && sprites_in_memory(panel->sprites);
}

/* The rectangle's lower edge in a display whose bottom row comes first. */
static GLint bottom(const struct panel *panel, const struct gl_target *display)
{
    return display->height - (GLint)(panel->setup.y + panel->setup.sprites.height);
}

static void set_background(struct panel *panel)
{
    GLfloat background[3];
    for (int c = 0; c < 3; c++) {
        const double shown = panel->setup.sprites.look.background.shown[c];
        background[c] = (GLfloat)(sprites_shine(panel->sprites) ? fn_pow(shown, 2.2) : shown);
    }
    glUniform3fv(gl_pass_uniform(&panel->look, "background"), 1, background);
}

/* The spread light that the pass reads. */
enum { SPREAD_GLOW = 1, SPREAD_SPIKES = 2, SPREAD_BLOOM = 4 };
enum { LOOK_DEFINES = 256 };

/* Writes the pass that converts light to display values; returns its text. */
static char *write_look(const struct panel *panel, unsigned spread, char defines[LOOK_DEFINES])
{
    const struct sprites_setup *setup = &panel->setup.sprites;
    const bool values = sprites_setup_values(setup), shines = sprites_shine(panel->sprites);
    const int used = panel->setup.dome > 0 ? snprintf(defines, LOOK_DEFINES, "#define DOME %.1f\n",
                                                      0.5 * setup->width)
                                           : 0;
    snprintf(
        defines + used, (size_t)(LOOK_DEFINES - used), "#define KNEE %.9f\n%s%s%s%s%s%s%s%s%s%s",
        TONE_KNEE, panel->setup.headroom > 1 ? "#define HEADROOM\n" : "",
        panel->setup.bare ? "#define BARE\n" : "",
        setup->look.tone->proportional ? "#define PROPORTIONAL\n" : "",
        shines ? "" : "#define SHOWN\n", look_prints(&setup->look) ? "#define PRINT\n" : "",
        spread & SPREAD_GLOW ? "#define GLOW\n" : "",
        spread & SPREAD_SPIKES ? "#define SPIKES\n" : "",
        spread & SPREAD_BLOOM ? "#define BLOOM\n" : "",
        setup->weighed ? values ? "#define BY_DENSITY\n#define BY_VALUE\n" : "#define BY_DENSITY\n"
                       : "",
        values && colour_uses(sprites_setup_colour(setup), COLUMN_QUANTITY) ? "#define UNVALUED\n"
                                                                            : "");
    return text_format("%s%s%s", values ? shader_colour_map_glsl : "",
                       setup->weighed ? setup->look.tone->glsl : "", shader_look_glsl);
}

/* Sets what may have keyframes. */
static void tune_look(struct panel *panel)
{
    const struct sprites_setup *setup = &panel->setup.sprites;
    gl_pass_use(&panel->look);
    glUniform1f(gl_pass_uniform(&panel->look, "spikes_share"), (float)setup->look.spikes);
    glUniform1f(gl_pass_uniform(&panel->look, "bloom_share"), (float)setup->look.bloom);
    glUniform1f(gl_pass_uniform(&panel->look, "glow_share"), (float)setup->look.glow);
    if (sprites_setup_values(setup))
        sprite_program_set_map(panel->look.program, &setup->look);
}

static enum status create_look(struct panel *panel, const struct gl_context *context)
{
    const struct sprites_setup *setup = &panel->setup.sprites;
    const bool hdr = panel->setup.headroom > 1;
    const unsigned spread =
        (setup->look.glow > 0 && !light_in_memory(panel) ? (unsigned)SPREAD_GLOW : 0) |
        (setup->look.spikes > 0 ? (unsigned)SPREAD_SPIKES : 0) |
        (setup->look.bloom > 0 ? (unsigned)SPREAD_BLOOM : 0);
    char defines[LOOK_DEFINES], *shade = write_look(panel, spread, defines);
    enum status status = gl_pass_create(&panel->look, context, "look", shade, defines, 0);
    free(shade);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(&panel->look);
    glUniform1i(gl_pass_uniform(&panel->look, "light"), 0);
    glUniform1i(gl_pass_uniform(&panel->look, "bloom"), 1);
    glUniform1i(gl_pass_uniform(&panel->look, "glow"), 2);
    glUniform1i(gl_pass_uniform(&panel->look, "spikes"), 3);
    tune_look(panel);
    if (hdr)
        glUniform1f(gl_pass_uniform(&panel->look, "headroom"), (float)panel->setup.headroom);
    set_background(panel);
    panel->look_contrast = gl_pass_uniform(&panel->look, "contrast");
    panel->look_exposure = gl_pass_uniform(&panel->look, "exposure");
    panel->look_seen = gl_pass_uniform(&panel->look, "seen");
    panel->look_margin = gl_pass_uniform(&panel->look, "margin");
    panel->look_bloom_place = gl_pass_uniform(&panel->look, "bloom_place");
    panel->look_spikes_place = gl_pass_uniform(&panel->look, "spikes_place");
    panel->look_glow_place = gl_pass_uniform(&panel->look, "glow_place");
    return STATUS_OK;
}

/* Creates sprites and dust; dust absorbs light and emits none. */
static enum status create_light(struct sprites **sprites, struct dust **dust,
                                const struct sprites_setup *setup, const struct gl_context *context)
{
    struct sprites_setup own = *setup;
    if (!(setup->look.dust > 0) || setup->look.mode->counts)
        return sprites_create(sprites, setup, context);
    struct draw_group *shining = memory_new((size_t)setup->group_count, sizeof *shining);
    own.groups = shining;
    own.group_count = 0;
    const bool young = sprites_setup_colour(setup)->tint == TINT_STARS; /* stars within the gas */
    for (int g = 0; g < setup->group_count; g++)
        if (young || !setup->groups[g].dusty)
            shining[own.group_count++] = setup->groups[g];
    enum status status = sprites_create(sprites, &own, context);
    free(shining);
    return status == STATUS_OK ? dust_create(dust, setup, context) : status;
}

static enum status create_pass(struct sprites **sprites, struct dust **dust, struct trails **trails,
                               const struct panel *panel, const struct sprites_setup *setup,
                               const struct gl_context *context)
{
    enum status status = create_light(sprites, dust, setup, context);
    if (status == STATUS_OK && setup->look.trails > 0)
        status = trails_create(trails, setup, panel->setup.fps, sprites_target(*sprites), context);
    return status;
}

/* The faces of a sphere and the overviews of tiles differ in size from the picture. */
static enum status create_sprites(struct panel *panel, const struct gl_context *context)
{
    struct sprites_setup resized = panel->setup.sprites;
    if (resized.whole_sphere)
        resized.width = resized.height = resized.whole_width = resized.whole_height =
            sphere_face_side(resized.width, panel->setup.dome);
    enum status status =
        create_pass(&panel->sprites, &panel->dust, &panel->trails, panel, &resized, context);
    if (status != STATUS_OK || !is_tile(&panel->setup))
        return status;
    const uint32_t side =
        resized.whole_width > resized.whole_height ? resized.whole_width : resized.whole_height;
    const double enough =
        OVERVIEW_CORE / (resized.look.optics->wings * resized.whole_height) * side;
    const double scale = fmin(fmin(fmax(OVERVIEW_SIDE, enough), OVERVIEW_MOST) / side, 1);
    resized.width = resized.whole_width = (uint32_t)ceil(resized.whole_width * scale);
    resized.height = resized.whole_height = (uint32_t)ceil(resized.whole_height * scale);
    return create_pass(&panel->overview, &panel->overview_dust, &panel->overview_trails, panel,
                       &resized, context);
}

static enum status create_glow(struct panel *panel, const struct gl_context *context)
{
    if (panel->setup.sprites.whole_sphere)
        return sphere_glow_create(&panel->sphere_glow, context, glow_source(panel),
                                  light_dome(panel), panel->setup.sprites.look.optics->wings);
    const uint32_t margin = panel->overview ? sprites_margin(panel->overview) : light_margin(panel);
    const struct glow_setup setup = {
        .source = glow_source(panel),
        .rows = glow_source(panel)->height - 2.0 * margin,
        .core = panel->setup.sprites.look.optics->wings,
        .in_memory = light_in_memory(panel),
    };
    return glow_create(&panel->glow, context, &setup);
}

static enum status create_spikes(struct panel *panel, const struct gl_context *context)
{
    const uint32_t margin = panel->overview ? sprites_margin(panel->overview) : light_margin(panel);
    const struct spikes_setup setup = {
        .source = glow_source(panel),
        /* on a sphere a quarter turn, about what a flat picture shows */
        .rows = panel->setup.sprites.whole_sphere
                    ? camera_quarter(glow_source(panel)->width, light_dome(panel))
                    : glow_source(panel)->height - 2.0 * margin,
        .joined = panel->setup.sprites.whole_sphere && !(panel->setup.dome > 0),
        .arms = panel->setup.sprites.look.spike_arms,
    };
    return spikes_create(&panel->spikes, context, &setup);
}

static struct stars_setup stars_setup_of(const struct panel *panel)
{
    const struct sprites_setup *sprites = &panel->setup.sprites;
    return (struct stars_setup){
        .count = sprites->look.background_stars,
        .galaxies = sprites->look.background_galaxies,
        .seed = panel->setup.seed,
        .saturation = sprites->look.saturation,
        .stretch = sprites->stretch,
        .whole_sphere = sprites->whole_sphere,
        .dome = panel->setup.dome,
        .values = sprites_setup_values(sprites),
    };
}

static enum status create_stars(struct panel *panel)
{
    const struct stars_setup setup = stars_setup_of(panel);
    return stars_create(&panel->stars, &setup);
}

static enum status create_marks(struct panel *panel)
{
    const struct look_params *look = &panel->setup.sprites.look;
    struct marks_setup setup = {.params = look->marks,
                                .param_count = look->mark_count,
                                .tracked = panel->setup.marked,
                                .count = panel->setup.marked_count,
                                .fps = panel->setup.fps,
                                .stars = stars_setup_of(panel)};
    setup.stars.count = setup.stars.galaxies = 0;
    setup.stars.saturation = 1;
    return marks_create(&panel->marks, &setup);
}

static enum status fill(struct panel *panel, const struct gl_context *context)
{
    struct look_params *look = &panel->setup.sprites.look;
    const bool lends = light_sum_lends(&panel->setup.sprites.sum);
    enum status status = create_sprites(panel, context);
    if (status == STATUS_OK && (!sprites_shine(panel->sprites) || lends)) {
        /* Counts are shown without exposure, and lent light is not shown in this process. */
        look->bloom = look->glow = look->spikes = 0;
        look->background_stars = look->background_galaxies = 0;
        look->mark_count = 0;
        look->exposure.adapts = false;
        look->exposure.factor = panel->exposure = 1;
    }
    if (lends)
        return status;
    if (status == STATUS_OK && panel->setup.sprites.whole_sphere)
        status = sphere_create(
            &panel->sphere, context, panel->setup.sprites.width + 2 * light_margin(panel),
            panel->setup.sprites.height + 2 * light_margin(panel), light_dome(panel));
    if (status == STATUS_OK && look->bloom > 0)
        status = bloom_create(&panel->bloom, context, glow_source(panel)->width,
                              glow_source(panel)->height,
                              panel->setup.sprites.whole_sphere && !(panel->setup.dome > 0));
    if (status == STATUS_OK && (look->background_stars > 0 || look->background_galaxies > 0))
        status = create_stars(panel);
    if (status == STATUS_OK && look->mark_count > 0)
        status = create_marks(panel);
    if (status == STATUS_OK && look->glow > 0)
        status = create_glow(panel, context);
    if (status == STATUS_OK && look->spikes > 0)
        status = create_spikes(panel, context);
    if (status == STATUS_OK && look->exposure.adapts)
        status = exposure_meter_create(&panel->meter, look->tone, glow_source(panel)->width,
                                       glow_source(panel)->height);
    if (status == STATUS_OK)
        status = create_look(panel, context);
    return status;
}

enum status panel_create(struct panel **out, const struct panel_setup *setup,
                         const struct gl_context *context)
{
    struct panel *panel = *out = memory_new(1, sizeof *panel);
    const struct look_params *look = &setup->sprites.look;
    panel->setup = *setup;
    panel->setup.sprites.weighed = look->tone->by_density && !look->mode->counts;
    if (look->exposure.surface)
        panel->setup.sprites.look.exposure.factor = sprites_setup_surface(&setup->sprites);
    panel->exposure = panel->setup.sprites.look.exposure.factor;
    panel->contrast = EXPOSURE_CONTRAST;
    enum status status = fill(panel, context);
    panel->setup.sprites.groups = NULL; /* the caller's; sprites keep their own copy */
    if (status != STATUS_OK)
        panel_destroy(out);
    return status;
}

void panel_destroy(struct panel **panel)
{
    struct panel *self = *panel;
    if (!self)
        return;
    exposure_meter_destroy(&self->meter);
    bloom_destroy(&self->bloom);
    glow_destroy(&self->glow);
    sphere_glow_destroy(&self->sphere_glow);
    spikes_destroy(&self->spikes);
    sphere_destroy(&self->sphere);
    stars_destroy(&self->stars);
    marks_destroy(&self->marks);
    trails_destroy(&self->overview_trails);
    trails_destroy(&self->trails);
    dust_destroy(&self->overview_dust);
    dust_destroy(&self->dust);
    sprites_destroy(&self->overview);
    sprites_destroy(&self->sprites);
    gl_pass_destroy(&self->look);
    images_free(&self->images);
    free(self);
    *panel = NULL;
}

enum status panel_recipe(const struct panel *panel, struct recipe *out)
{
    const struct look_params *look = &panel->setup.sprites.look;
    char defines[LOOK_DEFINES];
    const unsigned spread = (look->glow > 0 ? (unsigned)SPREAD_GLOW : 0) |
                            (look->bloom > 0 ? (unsigned)SPREAD_BLOOM : 0);
    char *shade = write_look(panel, spread, defines);
    out->look.fragment = text_format("%s%s", defines, shade);
    free(shade);
    gl_pass_use(&panel->look);
    glUniform1f(panel->look_contrast, (float)panel->contrast);
    gl_program_values(panel->look.program, &out->look);
    out->fullscreen = shader_fullscreen_vert;
    out->pass = shader_pass_fragment_glsl;
    glow_recipe(out);
    return sprites_recipe(panel->sprites, &panel->setup.sprites, out);
}

void panel_find(struct panel *panel, const struct look_found *found)
{
    panel->setup.sprites.found = *found;
}

void panel_aim(struct panel *panel, const struct camera *camera)
{
    panel->setup.camera = camera;
    panel->overviewed = 0;
}

void panel_move_tile(struct panel *panel, uint32_t x, uint32_t y)
{
    panel->x = x;
    panel->y = y;
}

/* Finds the slab from the aim at the whole picture. */
static void find_slab(struct panel *panel, const struct camera_aim *aim)
{
    const struct look_params *look = &panel->setup.sprites.look;
    double across[3], length = 0;
    memset(panel->slab, 0, sizeof panel->slab);
    if (!(look->slab > 0) || !look->slab_axis)
        return;
    vector_add(across, aim->eye, -1, aim->target);
    length = vector_length(across);
    for (int a = 0; a < 3; a++)
        across[a] =
            look->slab_axis->axis == SLAB_VIEW ? across[a] / length : a == look->slab_axis->axis;
    const double half = look->slab / 2;
    double middle = look->slab_at;
    for (int a = 0; a < 3; a++) {
        middle += across[a] * aim->target[a];
        panel->slab[a] = (float)(across[a] / half);
    }
    panel->slab[3] = (float)(-middle / half);
}

/* Draws for one aim, or for the middle, opening and closing aims where the sprites need them. */
static enum status draw_sprites(struct panel *panel, struct sprites *sprites,
                                const struct view *view, const struct camera_aim aims[AIMS],
                                const struct camera_window *window)
{
    const struct look_params *look = &panel->setup.sprites.look;
    const struct images_of of = {.universe = &panel->setup.universe,
                                 .copies = look->copies,
                                 .streaks = sprites_streak(sprites),
                                 .time = view->time,
                                 .exposed = 0.5 * look->shutter * view->interval,
                                 .aims = aims,
                                 .window = window};
    const struct images *images = &panel->images;
    memcpy(panel->pose.slab, panel->slab, sizeof panel->slab);
    images_find(&panel->images, &of, &panel->pose);
    const bool over = sprites == panel->overview;
    struct dust *dust = over ? panel->overview_dust : panel->dust;
    struct trails *trails = over ? panel->overview_trails : panel->trails;
    const struct sprite_sights sights = {images->poses, images->ends, images->count,
                                         images_scale(&panel->setup.universe, view->time)};
    enum status status = sprites_draw(sprites, &sights, view->interval);
    if (status == STATUS_OK && dust)
        status = sprites_sum(sprites);
    if (status == STATUS_OK && dust)
        status = dust_dim(dust, sprites, &sights, view->interval, panel->exposure);
    if (status == STATUS_OK && dust && trails && light_sum_lends(&panel->setup.sprites.sum))
        gl_target_start_adding(sprites_target(sprites)); /* the rest has been added up */
    for (size_t i = 0; i < images->count && status == STATUS_OK && trails; i++)
        trails_add(trails, sprites_target(sprites), &images->poses[i], view,
                   panel->setup.universe.edge, sights.scale);
    return status == STATUS_OK && (!dust || trails) ? sprites_sum(sprites) : status;
}

/* How far the panel's eye is to the right of the middle between the eyes. */
static double eye_shift(const struct panel_setup *setup, const struct camera_aim *aim)
{
    const double distance =
        setup->eye_distance > 0 ? setup->eye_distance : camera_aim_distance(aim) / 30;
    return 0.5 * setup->eye * distance;
}

/* Raises the line of sight to the axis of the dome. The eyes of a pair turn towards the target,
 * which appears on the dome's surface. */
static void aim_at_dome(const struct panel_setup *setup, struct camera_aim *aim, double shift)
{
    double right[3], up[3], back[3];
    camera_aim_axes(aim, right, up, back);
    vector_add(aim->eye, aim->eye, shift, right);
    camera_aim_lean(aim, setup->lean);
}

static enum status light_sphere(struct panel *panel, const struct view *view,
                                struct camera_aim aims[AIMS])
{
    const struct camera_aim *aim = &aims[AIM_MIDDLE];
    const double dome = panel->setup.dome;
    const uint32_t side = sphere_face_side(panel->setup.sprites.width, dome);
    struct camera_window window = {.width = side,
                                   .height = side,
                                   .columns = side,
                                   .rows = side,
                                   .margin = sprites_margin(panel->sprites)};
    const double length = vector_length(aim->up);
    float pole[3];
    for (int i = 0; i < 3; i++)
        pole[i] = (float)(aim->up[i] / length);
    const double shift = eye_shift(&panel->setup, aim);
    for (int i = 0; i < AIMS && dome > 0; i++)
        aim_at_dome(&panel->setup, &aims[i], shift);
    panel->seen.aim = *aim;
    panel->seen.window = (struct camera_window){.width = panel->setup.sprites.width,
                                                .height = panel->setup.sprites.height,
                                                .columns = panel->setup.sprites.width,
                                                .rows = panel->setup.sprites.height,
                                                .margin = light_margin(panel)};
    for (int face = 0; face < camera_faces(dome); face++) {
        struct camera_aim face_aims[AIMS];
        for (int i = 0; i < AIMS; i++)
            camera_aim_face(&face_aims[i], &aims[i], face);
        camera_project(&panel->pose, &face_aims[AIM_MIDDLE], &window);
        memcpy(panel->pose.up, pole, sizeof pole);
        const enum status status = draw_sprites(panel, panel->sprites, view, face_aims, &window);
        if (status != STATUS_OK)
            return status;
        if (light_sum_lends(&panel->setup.sprites.sum))
            continue;
        glBindVertexArray(panel->setup.sprites.vertex_array);
        sphere_add_face(&panel->sphere, sprites_target(panel->sprites), side, window.margin, face);
    }
    return STATUS_OK;
}

static enum status light_overview(struct panel *panel, const struct view *view,
                                  const struct camera_aim aims[AIMS])
{
    const struct gl_target *target = sprites_target(panel->overview);
    struct camera_window window = {.margin = sprites_margin(panel->overview)};
    window.width = window.columns = (uint32_t)target->width - 2 * window.margin;
    window.height = window.rows = (uint32_t)target->height - 2 * window.margin;
    camera_project(&panel->pose, &aims[AIM_MIDDLE], &window);
    panel->seen_overview = (struct panel_view){aims[AIM_MIDDLE], window};
    panel->glows = false;
    return draw_sprites(panel, panel->overview, view, aims, &window);
}

/* Sets the numbers that have keyframes for the frame. */
static enum status tune(struct panel *panel, uint64_t frame)
{
    struct panel_setup *setup = &panel->setup;
    struct look_params *look = &setup->sprites.look;
    struct camera_params camera = {.eye_distance = setup->eye_distance,
                                   .dome_height = setup->dome_height};
    const double saturation = look->saturation;
    keyed_apply(setup->keyed, setup->keyed_count, KEYED_CAMERA, (double)frame, &camera);
    setup->eye_distance = camera.eye_distance;
    setup->lean -= camera.dome_height - setup->dome_height;
    setup->dome_height = camera.dome_height;
    const bool changed =
        keyed_apply(setup->keyed, setup->keyed_count, KEYED_LOOK, (double)frame, look);
    const bool lends = light_sum_lends(&setup->sprites.sum);
    /* Also where nothing changed, because panel_resume may have set it. */
    if (keyed_has(setup->keyed, setup->keyed_count, KEYED_LOOK) && look->exposure.factor > 0 &&
        sprites_shine(panel->sprites) && !lends)
        panel->exposure = look->exposure.factor;
    if (!changed)
        return STATUS_OK;
    sprites_tune(panel->sprites, look);
    if (panel->overview)
        sprites_tune(panel->overview, look);
    struct dust *dusts[] = {panel->dust, panel->overview_dust};
    struct trails *trails[] = {panel->trails, panel->overview_trails};
    for (int i = 0; i < 2; i++) {
        if (dusts[i])
            dust_tune(dusts[i], look);
        if (trails[i])
            trails_tune(trails[i], look);
    }
    if (lends)
        return STATUS_OK;
    tune_look(panel);
    if (!panel->stars || saturation == look->saturation)
        return STATUS_OK;
    stars_destroy(&panel->stars);
    return create_stars(panel);
}

static enum status light_all(struct panel *panel, const struct view *view)
{
    const struct panel_setup *setup = &panel->setup;
    struct camera_aim aims[AIMS];
    enum status status = STATUS_OK;
    if (sprites_streak(panel->sprites)) {
        camera_aim_exposed(setup->camera, view, setup->sprites.look.shutter, aims);
    } else {
        camera_aim(setup->camera, view, &aims[AIM_MIDDLE]);
        aims[AIM_OPENING] = aims[AIM_CLOSING] = aims[AIM_MIDDLE];
    }
    find_slab(panel, &aims[AIM_MIDDLE]);
    if (setup->sprites.whole_sphere)
        return light_sphere(panel, view, aims);
    if (panel->overview && panel->overviewed != view->frame + 1)
        status = light_overview(panel, view, aims);
    if (status != STATUS_OK)
        return status;
    panel->overviewed = view->frame + 1;
    struct camera_window window = {
        .width = setup->sprites.whole_width,
        .height = setup->sprites.whole_height,
        .x = panel->x,
        .y = panel->y,
        .columns = setup->sprites.width,
        .rows = setup->sprites.height,
        .margin = sprites_margin(panel->sprites),
    };
    if (setup->eye != 0) {
        window.shear = eye_shift(setup, &aims[AIM_MIDDLE]);
        for (int i = 0; i < AIMS; i++)
            camera_aim_eye(&aims[i], window.shear);
    }
    camera_project(&panel->pose, &aims[AIM_MIDDLE], &window);
    panel->seen = (struct panel_view){aims[AIM_MIDDLE], window};
    return draw_sprites(panel, panel->sprites, view, aims, &window);
}

enum status panel_light(struct panel *panel, const struct view *view)
{
    enum status status = tune(panel, view->frame);
    if (status == STATUS_OK)
        status = light_all(panel, view);
    struct camera_eye eye;
    panel_eye(panel, &eye);
    if (status == STATUS_OK && panel->marks)
        marks_take(panel->marks, view, &eye);
    return status;
}

bool panel_light_is_exposed(const struct panel *panel)
{
    return panel->dust != NULL;
}

/* The position of the rectangle's lower left pixel in the light from which glow is made, in its
 * pixels; returns how many of them one pixel of the rectangle spans. */
static double find_glow(const struct panel *panel, double *x, double *y)
{
    *x = *y = light_margin(panel);
    if (!panel->overview)
        return 1;
    const uint32_t margin = sprites_margin(panel->overview);
    const double scale =
        (glow_source(panel)->height - 2.0 * margin) / panel->setup.sprites.whole_height;
    *x = margin + scale * panel->x;
    *y = margin + scale * ((double)panel->setup.sprites.whole_height - panel->y -
                           panel->setup.sprites.height);
    return scale;
}

/* Binds light that was spread into a target smaller by `factor`, and sets the rectangle's place in
 * it. */
static void bind_spread(const struct panel *panel, GLenum unit, const struct gl_target *spread,
                        int factor, GLint uniform)
{
    double x, y;
    const double scale = find_glow(panel, &x, &y);
    const double across = 1.0 / factor / spread->width, along = 1.0 / factor / spread->height;
    glUniform4f(uniform, (GLfloat)(x * across), (GLfloat)(y * along), (GLfloat)(scale * across),
                (GLfloat)(scale * along));
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, spread->texture);
    glActiveTexture(GL_TEXTURE0);
}

static void add_stars(const struct panel *panel, const struct gl_target *target,
                      const struct panel_view *seen)
{
    const struct look_params *look = &panel->setup.sprites.look;
    const double light = look->tone->light(star_shown, panel->contrast) / panel->exposure;
    stars_add(panel->stars, target, &seen->aim, &seen->window, look->background_light * light);
    glBindVertexArray(panel->setup.sprites.vertex_array);
}

static double mark_light(const void *user, double shown)
{
    static const double most = 0.995; /* beyond it, some tones need light without end */
    const struct panel *panel = user;
    const struct tone *tone = panel->setup.sprites.look.tone;
    return tone->light(fmin(shown, most), panel->contrast) / panel->exposure;
}

/* Adds what is brighter than the bodies' light. */
static void add_spots(const struct panel *panel, const struct gl_target *target,
                      const struct panel_view *seen)
{
    if (panel->stars)
        add_stars(panel, target, seen);
    if (panel->marks) {
        marks_add(panel->marks, target, &seen->aim, &seen->window, mark_light, panel);
        glBindVertexArray(panel->setup.sprites.vertex_array);
    }
}

static void spread_light(struct panel *panel)
{
    if (panel->overview && !panel->glows && (panel->bloom || panel->glow || panel->spikes))
        add_spots(panel, sprites_target(panel->overview), &panel->seen_overview);
    if (panel->bloom && !panel->glows)
        bloom_make(panel->bloom, glow_source(panel));
    if (panel->glow && !panel->glows && !light_in_memory(panel))
        glow_make(panel->glow, glow_source(panel));
    if (panel->sphere_glow)
        sphere_glow_make(panel->sphere_glow, glow_source(panel));
    if (panel->spikes && !panel->glows)
        spikes_make(panel->spikes, glow_source(panel));
    if (panel->glow && light_in_memory(panel)) /* last, because it changes the light */
        glow_mix(panel->glow, sprites_light(panel->sprites), (float)panel->setup.sprites.look.glow);
    panel->glows = panel->overview != NULL;
}

void panel_show(struct panel *panel, const struct gl_target *display, double seen)
{
    const GLint margin = (GLint)light_margin(panel);
    const GLint left = (GLint)panel->setup.x, low = bottom(panel, display);
    add_spots(panel, panel_light_target(panel), &panel->seen);
    spread_light(panel);
    gl_pass_use(&panel->look);
    glUniform1f(panel->look_exposure, (float)panel->exposure);
    glUniform1f(panel->look_contrast, (float)panel->contrast);
    glUniform1f(panel->look_seen, (float)seen);
    glUniform2i(panel->look_margin, margin, margin);
    if (panel->bloom)
        bind_spread(panel, GL_TEXTURE1, bloom_target(panel->bloom), BLOOM_FACTOR,
                    panel->look_bloom_place);
    if ((panel->glow && !light_in_memory(panel)) || panel->sphere_glow)
        bind_spread(panel, GL_TEXTURE2,
                    panel->glow ? glow_target(panel->glow) : sphere_glow_target(panel->sphere_glow),
                    GLOW_FACTOR, panel->look_glow_place);
    if (panel->spikes)
        bind_spread(panel, GL_TEXTURE3, spikes_target(panel->spikes), spikes_factor(panel->spikes),
                    panel->look_spikes_place);
    glBindTexture(GL_TEXTURE_2D, panel_light_target(panel)->texture);
    gl_pass_draw_part(&panel->look, display, left, low, (GLsizei)panel->setup.sprites.width,
                      (GLsizei)panel->setup.sprites.height);
}

static enum status measure_light(const struct panel *panel, struct exposure_reading *out)
{
    const struct sprites_setup *setup = &panel->setup.sprites;
    const struct tone *tone = setup->look.tone;
    const size_t margins = 2 * (size_t)light_margin(panel);
    return light_in_memory(panel)
               ? exposure_of(sprites_light(panel->sprites), setup->width + margins,
                             setup->height + margins, tone, &setup->found, out)
               : exposure_measure(glow_source(panel), tone, &setup->found, out);
}

enum status panel_expose(struct panel *panel)
{
    const struct look_params *look = &panel->setup.sprites.look;
    enum status status = STATUS_OK;
    if (look->exposure.factor == 0) {
        struct exposure_reading reading;
        status = measure_light(panel, &reading);
        if (status == STATUS_OK)
            panel->exposure = reading.factor;
        if (status == STATUS_OK && !look->exposure.adapts)
            panel->contrast = reading.contrast;
    }
    if (status == STATUS_OK && look->exposure.adapts)
        status = exposure_meter_begin(&panel->meter, glow_source(panel), panel->exposure);
    return status;
}

enum status panel_adapt(struct panel *panel, uint64_t frame)
{
    if (!panel->setup.sprites.look.exposure.adapts)
        return STATUS_OK;
    enum status status =
        exposure_meter_step(&panel->meter, glow_source(panel), frame, 1 / panel->setup.fps);
    panel->exposure = panel->meter.state[0];
    return status;
}

void panel_state(const struct panel *panel, double state[EXPOSURE_STATE])
{
    memcpy(state, panel->meter.state, sizeof panel->meter.state);
    state[0] = panel->exposure;
    if (panel->setup.sprites.weighed && !panel->setup.sprites.look.exposure.adapts)
        state[1] = panel->contrast; /* a free slot, unless the exposure adapts */
}

void panel_resume(struct panel *panel, const double state[EXPOSURE_STATE])
{
    memcpy(panel->meter.state, state, sizeof panel->meter.state);
    panel->exposure = state[0];
    if (panel->setup.sprites.weighed && !panel->setup.sprites.look.exposure.adapts)
        panel->contrast = state[1];
}

bool panel_computes(const struct panel *panel)
{
    return sprites_computed(panel->sprites);
}

bool panel_only_along(const struct panel *panel)
{
    return sprites_only_along(panel->sprites) &&
           (!panel->overview || sprites_only_along(panel->overview)) &&
           (!panel->dust || dust_only_along(panel->dust)) &&
           (!panel->overview_dust || dust_only_along(panel->overview_dust));
}

void panel_share_exposure(struct panel *panel, const struct panel *other)
{
    panel->exposure = other->exposure;
    panel->contrast = other->contrast;
}

const struct camera_pose *panel_pose(const struct panel *panel)
{
    return &panel->pose;
}

void panel_eye(const struct panel *panel, struct camera_eye *out)
{
    const struct panel_view *seen = &panel->seen;
    *out = (struct camera_eye){.aim = seen->aim,
                               .width = seen->window.width,
                               .height = seen->window.height,
                               .shear = seen->window.shear,
                               .whole_sphere = panel->setup.sprites.whole_sphere,
                               .dome = panel->setup.dome};
    memcpy(out->slab, panel->slab, sizeof out->slab);
}
