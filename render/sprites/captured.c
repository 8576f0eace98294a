#include "render/sprites/captured.h"

#include "base/memory.h"
#include "render/picture/pixel_isa.h"
#include "render/sprites/modes.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 8192 }; /* sprites of a draw: what they take fits into the processor's cache */

/* Members of struct captured_point and struct captured_streak. */
const char *const captured_points[CAPTURED_VARYINGS] = {"gl_Position", "gl_PointSize", "colour"};
const char *const captured_streaks[CAPTURED_VARYINGS] = {
    "gl_Position", "gl_PointSize", "streak_path", "streak_inside", "streak_colour"};

bool captured_suits(const struct gl_context *context, const struct sprites_setup *setup,
                    const struct sprite_size *size)
{
    return context->captures && size->adaptive && !size->quads && !setup->whole_sphere &&
           profile_of(&setup->look)->polynomial;
}

static enum status allocate(struct captured *captured)
{
    const struct sprite_levels *levels = &captured->levels;
    size_t floats = captured->atlas_floats * (size_t)levels->height;
    captured->atlas = memory_touched(floats * sizeof *captured->atlas);
    bool whole = captured->atlas;
    for (int l = 0; l < levels->count; l++) {
        const size_t pixels = (size_t)levels->at[l].width * (size_t)levels->at[l].height;
        captured->sum[l] = memory_touched(4 * pixels * sizeof *captured->sum[l]);
        whole = whole && captured->sum[l];
        floats += 4 * pixels;
    }
    captured->row = malloc(captured->atlas_floats * sizeof *captured->row);
    return whole && captured->row
               ? STATUS_OK
               : status_fail(STATUS_RUNTIME,
                             "no memory left for the sprites of a picture, %zu bytes; ask for a "
                             "smaller --size",
                             floats * sizeof *captured->atlas);
}

enum status captured_create(struct captured *captured, const struct sprites_setup *setup,
                            const struct sprite_levels *levels)
{
    captured->levels = *levels;
    captured->spacing = profile_of(&setup->look)->spacing;
    captured->atlas_floats = 4 * ((size_t)levels->width + CAPTURED_BEYOND);
    glGenBuffers(1, &captured->buffer);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, captured->buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, AT_ONCE * sizeof(struct captured_streak), NULL,
                 GL_STREAM_READ);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, 0);
    return allocate(captured);
}

void captured_destroy(struct captured *captured)
{
    glDeleteBuffers(1, &captured->buffer);
    free(captured->atlas);
    free(captured->row);
    for (int l = 0; l < LEVELS_MOST; l++)
        free(captured->sum[l]);
    *captured = (struct captured){0};
}

void captured_begin(struct captured *captured, const struct gl_target *target)
{
    const struct sprite_levels *levels = &captured->levels;
    gl_target_bind(target); /* GL refuses to draw without a framebuffer */
    for (int l = 0; l < levels->count; l++) {
        const struct sprite_level *level = &levels->at[l];
        const size_t guard = 2 * (size_t)levels->sprite;
        for (size_t y = 0; y < (size_t)level->height + guard; y++)
            memset(captured->atlas + ((size_t)level->y + y) * captured->atlas_floats +
                       4 * (size_t)level->x,
                   0, 4 * ((size_t)level->width + guard) * sizeof *captured->atlas);
    }
}

static void add_sprites(const struct captured *captured, size_t count, bool streaks)
{
    const struct captured_atlas atlas = {
        .pixel = captured->atlas,
        .floats = captured->atlas_floats,
        .width = captured->levels.width,
        .height = captured->levels.height,
        .spacing = captured->spacing,
    };
    const size_t bytes =
        count * (streaks ? sizeof(struct captured_streak) : sizeof(struct captured_point));
    const void *sprites =
        glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (!sprites) /* gl_check reports it */
        return;
    if (streaks)
        ISA_CALL(captured_streaks, &atlas, sprites, count);
    else
        ISA_CALL(captured_points, &atlas, sprites, count);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
}

void captured_add(struct captured *captured, const struct body_array *from,
                  const struct draw_group *group, const struct captured_kind *kind)
{
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured->buffer);
    glEnable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < kind->times; i++) {
        glUniform1ui(kind->star, kind->first + i);
        for (size_t done = 0; done < group->count; done += AT_ONCE) {
            const size_t some = group->count - done < AT_ONCE ? group->count - done : AT_ONCE;
            glBeginTransformFeedback(GL_POINTS);
            body_array_draw(from, group->first + done, some, 1);
            glEndTransformFeedback();
            add_sprites(captured, some, kind->streaks);
        }
    }
    glDisable(GL_RASTERIZER_DISCARD);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
}

static void add_level(const struct captured *captured, const struct camera_pose *pose, int l)
{
    const struct sprite_levels *levels = &captured->levels;
    const struct sprite_level *at = &levels->at[l];
    const bool last = l + 1 == levels->count;
    struct captured_level level = {
        .own = captured->atlas + (size_t)(at->y + levels->sprite) * captured->atlas_floats +
               4 * (size_t)(at->x + levels->sprite),
        .own_floats = captured->atlas_floats,
        .coarser = last ? NULL : captured->sum[l + 1],
        .coarser_width = last ? 0 : levels->at[l + 1].width,
        .coarser_height = last ? 0 : levels->at[l + 1].height,
        .width = at->width,
        .height = at->height,
        .row = captured->row,
        .sum = captured->sum[l],
    };
    for (int i = 0; i < 2 && !last; i++)
        level.origin[i] =
            sprite_level_begin(l, pose->corner[i]) - 2 * sprite_level_begin(l + 1, pose->corner[i]);
    ISA_CALL(captured_level, &level);
}

void captured_finish(struct captured *captured, const struct camera_pose *pose)
{
    for (int l = captured->levels.count - 1; l >= 0; l--)
        add_level(captured, pose, l);
    captured->changed = true;
}

void captured_write(struct captured *captured, const struct gl_target *target)
{
    gl_target_write(target, GL_RGBA, captured->sum[0]);
    captured->changed = false;
}
