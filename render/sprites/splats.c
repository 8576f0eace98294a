#include "render/sprites/splats.h"

#include "base/text.h"
#include "render/gl/gl.h"
#include "render/sprites/modes.h"
#include "render/sprites/setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const char shader_sprite_streak_glsl[], shader_sprite_round_glsl[],
    shader_splat_common_glsl[], shader_splat_tiles_glsl[], shader_splat_list_glsl[],
    shader_splat_add_glsl[], shader_splat_resolve_glsl[];

enum {
    RECORD_BYTES = 32,
    SPHERE_BYTES = 16, /* extra bytes per record */
    STREAK_BYTES = 16,
    SPHERE_STREAK_BYTES = 16, /* further bytes with both */
    SLOTS_BYTES = 16,
    WORK_BYTES = 16,
    PIXEL_BYTES = 32,
    REACHED = 4,      /* largest number of tiles */
    ENTRY_BYTES = 4,  /* of the list */
    STREAK_ENTRY = 8, /* the same for a row of splats */
    THREADS = 128,
    STAGE = 32, /* entries that a group stages at a time */
    WORKS_ACROSS = 1024,
    GROUPS_ACROSS = 32768,
    ROUND_BYTES = 1 << 27, /* of records at a time */
    CROWD_BYTES = 1 << 29, /* the same for a crowd, most of whose splats are not listed */
    WEIGHT = 4096,         /* fixed-point 1 of a profile, in splat_add.glsl */
};

/* Fixed-point scale: a sprite at the target, as large as its level allows, is this many units.
 * Bodies up to 32 times closer then fit into 32 bits, and a sum of 2^30 small sprites at the target
 * into 64. */
static const int faintest_bits = 14;

enum { RECORDS, SLOTS, COUNTS, STARTS, FILLED, WORKS, TOTALS, LIST, SUMS, TILES };

static int tiles_of(int pixels)
{
    return (pixels + SPLAT_TILE - 1) / SPLAT_TILE;
}

static size_t sums_bytes(const struct sprite_levels *levels)
{
    return (size_t)tiles_of(levels->width) * (size_t)tiles_of(levels->height) * SPLAT_TILE *
           SPLAT_TILE * PIXEL_BYTES;
}

bool splats_suit(const struct gl_context *context, const struct sprite_levels *levels,
                 size_t bodies, int columns)
{
    if (!context->compute_passes || !context->integers64 || levels->sprite > SPLAT_TILE)
        return false;
    GLint64 most = 0;
    GLint blocks = 0, bindings = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &blocks);
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &bindings);
    return SPLAT_COLUMNS + columns <= (blocks < bindings ? blocks : bindings) &&
           sums_bytes(levels) <= (size_t)most && bodies * 4 * sizeof(float) <= (size_t)most &&
           (size_t)ROUND_BYTES <= (size_t)most;
}

bool splats_crowded(const struct sprites_setup *setup)
{
    uint64_t count = 0;
    for (int g = 0; g < setup->group_count; g++)
        count += draw_group_whole(&setup->groups[g]);
    return count >= sizing_crowd(setup->whole_width, setup->whole_height);
}

unsigned splats_window(bool whole_sphere)
{
    enum { KEPT = 256, DOT_BYTES = 48, SPHERE_DOT_BYTES = 16, LIGHT_BYTES = 16 };
    GLint most = 0;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &most);
    const int dot = DOT_BYTES + (whole_sphere ? SPHERE_DOT_BYTES : 0);
    const int left = (most - KEPT - SPLAT_CROWD_THREADS * dot) / LIGHT_BYTES;
    return left < SPLAT_WINDOW ? (unsigned)left : SPLAT_WINDOW;
}

static enum status compile(GLuint *out, const char *name, const struct sprites_setup *setup,
                           bool streaks, const char *first, const char *second)
{
    char defines[384], streak[96] = "";
    if (streaks)
        snprintf(streak, sizeof streak, "#define STREAK\n#define SPLATS\n#define STREAK_MOST %d\n",
                 (int)STREAK_MOST);
    snprintf(defines, sizeof defines,
             "#define TILE %d\n#define PARTS %uu\n#define STAGE %uu\n#define THREADS %d\n"
             "#define SHARE %uu\n#define WORKS_ACROSS %uu\n#define LEVELS %d\n%s%s",
             (int)SPLAT_TILE, (unsigned)SPLAT_PARTS, (unsigned)STAGE, (int)THREADS,
             (unsigned)SPLAT_SHARE, (unsigned)WORKS_ACROSS, (int)LEVELS_MOST,
             setup->whole_sphere ? "#define SPHERE\n" : "", streak);
    const struct gl_stage stage = {GL_COMPUTE_SHADER, SPLAT_VERSION, {first, second}};
    return gl_program_of(out, name, &stage, 1, defines);
}

static enum status create_programs(struct splats *splats, const struct sprites_setup *setup)
{
    const bool streaks = splats->streaks;
    char *common =
        text_format("%s%s", streaks ? shader_sprite_streak_glsl : "", shader_splat_common_glsl);
    char *add = text_format("%s%s%s", profile_of(&setup->look)->glsl, shader_sprite_round_glsl,
                            shader_splat_add_glsl);
    enum status status =
        compile(&splats->tiles, "splat_tiles", setup, streaks, common, shader_splat_tiles_glsl);
    if (status == STATUS_OK)
        status =
            compile(&splats->list, "splat_list", setup, streaks, common, shader_splat_list_glsl);
    if (status == STATUS_OK)
        status = compile(&splats->add, "splat_add", setup, streaks, common, add);
    if (status == STATUS_OK)
        status =
            compile(&splats->resolve, "splat_resolve", setup, false, shader_splat_resolve_glsl, "");
    free(common);
    free(add);
    return status;
}

/* List entries per record, at most. */
static size_t entries_of(bool streaks)
{
    return streaks ? SPLAT_ENTRIES : REACHED;
}

static size_t list_bytes(bool streaks)
{
    return entries_of(streaks) * (streaks ? STREAK_ENTRY : ENTRY_BYTES);
}

static enum status create_buffers(struct splats *splats, size_t record_bytes)
{
    const size_t tiles = (size_t)splats->across * (size_t)splats->up;
    const size_t entries = entries_of(splats->streaks) * splats->capacity;
    const size_t bytes[] = {
        [RECORDS] = splats->capacity * record_bytes,
        [SLOTS] = splats->streaks ? SLOTS_BYTES : splats->capacity * SLOTS_BYTES,
        [COUNTS] = SPLAT_PARTS * tiles * sizeof(GLuint),
        [STARTS] = SPLAT_PARTS * tiles * sizeof(GLuint),
        [FILLED] = tiles * sizeof(GLuint),
        [WORKS] = (tiles + entries / SPLAT_SHARE + 1) * WORK_BYTES,
        [TOTALS] = 5 * sizeof(GLuint),
        [LIST] = list_bytes(splats->streaks) * splats->capacity,
        [SUMS] = sums_bytes(&splats->levels),
        [TILES] = splats->capacity * sizeof(GLuint),
    };
    const int count = sizeof bytes / sizeof bytes[0];
    glGenBuffers(count, splats->buffer);
    size_t all = 0;
    while (glGetError() != GL_NO_ERROR) {
    }
    for (int i = 0; i < count; i++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, splats->buffer[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)bytes[i], NULL, GL_DYNAMIC_COPY);
        glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                          NULL);
        all += bytes[i];
    }
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    return glGetError() == GL_NO_ERROR
               ? STATUS_OK
               : status_fail(STATUS_DEVICE,
                             "no memory left on the GPU to add up light, %zu bytes; ask for a "
                             "smaller --size",
                             all);
}

static void set_levels(const struct splats *splats)
{
    GLint corner[LEVELS_MOST][2];
    const int count = splats->levels.count;
    for (int l = 0; l < count; l++) {
        corner[l][0] = splats->levels.at[l].x;
        corner[l][1] = splats->levels.at[l].y;
    }
    glUniform2iv(glGetUniformLocation(splats->resolve, "level_corner"), count, corner[0]);
    glUniform1i(glGetUniformLocation(splats->resolve, "level_count"), count);
}

static void set_uniforms(struct splats *splats)
{
    const GLuint programs[] = {splats->bodies, splats->list, splats->add, splats->resolve};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        glUseProgram(programs[i]);
        glUniform1i(glGetUniformLocation(programs[i], "tiles_across"), splats->across);
    }
    set_levels(splats);
    glUseProgram(splats->list);
    glUniform2f(glGetUniformLocation(splats->list, "target_size"), (GLfloat)splats->levels.width,
                (GLfloat)splats->levels.height);
    glUseProgram(splats->tiles);
    glUniform1ui(glGetUniformLocation(splats->tiles, "tile_count"),
                 (GLuint)(splats->across * splats->up));
    splats->first_body = glGetUniformLocation(splats->bodies, "first_body");
    splats->body_count = glGetUniformLocation(splats->bodies, "body_count");
    splats->first_splat = glGetUniformLocation(splats->bodies, "first_splat");
    splats->unit = glGetUniformLocation(splats->bodies, "unit");
    splats->splat_count = glGetUniformLocation(splats->list, "splat_count");
    splats->whole = glGetUniformLocation(splats->resolve, "whole");
    splats->picture = glGetUniformLocation(splats->bodies, "picture");
}

enum status splats_create(struct splats *splats, GLuint bodies, const struct sprites_setup *setup,
                          const struct sprite_levels *levels, size_t count, bool streaks)
{
    splats->bodies = bodies;
    splats->levels = *levels;
    splats->across = tiles_of(levels->width);
    splats->up = tiles_of(levels->height);
    splats->streaks = streaks;
    splats->together = splats_crowded(setup) ? (size_t)SPLAT_CROWD_THREADS * SPLAT_CROWD_EACH
                                             : (size_t)SPLAT_THREADS;
    const size_t bytes = RECORD_BYTES + (setup->whole_sphere ? SPHERE_BYTES : 0) +
                         (streaks ? STREAK_BYTES : 0) +
                         (streaks && setup->whole_sphere ? SPHERE_STREAK_BYTES : 0);
    const size_t listed = list_bytes(streaks);
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    size_t at_once = ROUND_BYTES;
    if (splats_crowded(setup))
        at_once = most < CROWD_BYTES ? (size_t)most : CROWD_BYTES;
    const size_t whole = at_once / (streaks && listed > bytes ? listed : bytes);
    const size_t round = whole / splats->together * splats->together;
    splats->capacity = setup->splats_at_once > 0 ? setup->splats_at_once
                       : count < 1               ? 1
                       : count < round           ? count
                                                 : round;
    enum status status = create_programs(splats, setup);
    if (status == STATUS_OK)
        status = create_buffers(splats, bytes);
    if (status == STATUS_OK)
        set_uniforms(splats);
    return status;
}

void splats_destroy(struct splats *splats)
{
    glDeleteProgram(splats->tiles);
    glDeleteProgram(splats->list);
    glDeleteProgram(splats->add);
    glDeleteProgram(splats->resolve);
    glDeleteBuffers(sizeof splats->buffer / sizeof splats->buffer[0], splats->buffer);
    *splats = (struct splats){0};
}

static void bind(const struct splats *splats, const int *which, int count)
{
    for (int i = 0; i < count; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)i, splats->buffer[which[i]]);
}

static void dispatch(size_t threads, size_t of_group)
{
    const size_t groups = (threads + of_group - 1) / of_group;
    const size_t across = groups < GROUPS_ACROSS ? groups : GROUPS_ACROSS;
    glDispatchCompute((GLuint)across, (GLuint)((groups + across - 1) / across), 1);
}

void splats_begin(struct splats *splats, const struct body_array *from, float light, float lone)
{
    float unit[LEVELS_MOST], whole[LEVELS_MOST];
    splats->from = from;
    splats->held = 0;
    splats->pictures++;
    for (int l = 0; l < splats->levels.count; l++) {
        const double spread = 2.0 * lone / ldexp(splats->levels.sprite, l);
        int exponent = 0;
        const double least = spread * spread * light;
        if (least > 0 && isfinite(least))
            (void)frexp(least, &exponent);
        unit[l] = (float)ldexp(1, fmin(fmax(faintest_bits - exponent, -100), 100));
        whole[l] = 1 / (unit[l] * WEIGHT);
    }
    glUseProgram(splats->resolve);
    glUniform1fv(splats->whole, splats->levels.count, whole);
    glUniform1ui(glGetUniformLocation(splats->resolve, "picture"), splats->pictures);
    glUseProgram(splats->tiles);
    glUniform1ui(glGetUniformLocation(splats->tiles, "picture"), splats->pictures);
    glUseProgram(splats->bodies);
    glUniform1fv(splats->unit, splats->levels.count, unit);
    glUniform1ui(splats->picture, splats->pictures);
}

/* Adds the stored records to the sums. */
static void add_up(struct splats *splats)
{
    static const GLuint none[] = {WORKS_ACROSS, 0, 1, 0, 0};
    if (splats->held == 0)
        return;
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, splats->buffer[TOTALS]);
    glBufferSubData(GL_DISPATCH_INDIRECT_BUFFER, 0, sizeof none, none);
    glUseProgram(splats->tiles);
    bind(splats, (int[]){COUNTS, STARTS, FILLED, WORKS, TOTALS}, 5);
    dispatch((size_t)splats->across * (size_t)splats->up, THREADS);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glUseProgram(splats->list);
    glUniform1ui(splats->splat_count, (GLuint)splats->held);
    bind(splats, (int[]){STARTS, RECORDS, SLOTS, LIST, TILES}, 5);
    dispatch(splats->held, THREADS);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(splats->add);
    bind(splats, (int[]){WORKS, TOTALS, LIST, RECORDS, SUMS}, 5);
    glDispatchComputeIndirect(0);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    splats->held = 0;
}

static void bind_bodies(const struct splats *splats)
{
    static const int own[] = {RECORDS, SLOTS, COUNTS, SUMS, FILLED, TILES};
    _Static_assert(BODY_VECTORS + sizeof own / sizeof own[0] + 1 == SPLAT_COLUMNS,
                   "as the shader has");
    const struct body_array *from = splats->from;
    const GLuint *buffers = from->order ? from->along : from->buffers;
    if (from->order)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, SPLAT_COLUMNS - 1, from->order);
    for (int i = 0; i < BODY_VECTORS + VIEW_COLUMNS_MAX; i++) {
        const int at = i < BODY_COLUMNS ? i : SPLAT_COLUMNS + i - BODY_COLUMNS;
        if (buffers[i])
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)at, buffers[i]);
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)(BODY_VECTORS + i),
                         splats->buffer[own[i]]);
}

void splats_add(struct splats *splats, size_t first, size_t count)
{
    while (count > 0) {
        const size_t room = splats->capacity - splats->held;
        const size_t now = count < room ? count : room;
        bind_bodies(splats);
        glUniform1ui(splats->first_body, (GLuint)first);
        glUniform1ui(splats->body_count, (GLuint)now);
        glUniform1ui(splats->first_splat, (GLuint)splats->held);
        dispatch(now, splats->together);
        splats->held += now;
        first += now;
        count -= now;
        if (splats->held == splats->capacity) {
            add_up(splats);
            glUseProgram(splats->bodies);
        }
    }
}

void splats_finish(struct splats *splats, GLuint atlas)
{
    add_up(splats);
    glUseProgram(splats->resolve);
    bind(splats, (int[]){SUMS, FILLED}, 2);
    glBindImageTexture(0, atlas, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    glDispatchCompute((GLuint)splats->across, (GLuint)splats->up, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                    GL_FRAMEBUFFER_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
}
