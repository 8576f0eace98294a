#include "render/overlay/plates.h"

#include "base/log.h"
#include "base/memory.h"
#include "render/overlay/layout.h"
#include "render/picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_overlay_vert[], shader_overlay_frag[];

struct plates {
    int count;
    uint64_t stored;
    GLuint program, texture;
    GLint size, place, first_row, opacity, shift;
    struct {
        struct plate plate;
        int first_row; /* first row of its area in the texture */
    } entry[];
};

static enum status create_gl(struct plates *plates, int columns, int rows, double white)
{
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (rows > limit || columns > limit)
        return status_fail(STATUS_USAGE,
                           "the overlay needs a texture of %dx%d, and this GL driver has at most "
                           "%d; ask for a smaller overlay.size",
                           columns, rows, limit);
    enum status status =
        gl_program(&plates->program, "overlay", shader_overlay_vert, shader_overlay_frag, "");
    if (status != STATUS_OK)
        return status;
    glUseProgram(plates->program);
    glUniform1i(glGetUniformLocation(plates->program, "ink"), 0);
    glUniform1f(glGetUniformLocation(plates->program, "white"), (GLfloat)white);
    plates->size = glGetUniformLocation(plates->program, "size");
    plates->place = glGetUniformLocation(plates->program, "place");
    plates->opacity = glGetUniformLocation(plates->program, "opacity");
    plates->shift = glGetUniformLocation(plates->program, "shift");
    plates->first_row = glGetUniformLocation(plates->program, "first_row");
    glGenTextures(1, &plates->texture);
    glBindTexture(GL_TEXTURE_2D, plates->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, columns, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
    return gl_check("setting up the overlay");
}

enum status plates_create(struct plates **out, const struct plate_room *rooms, int count,
                          double white)
{
    struct plates *plates = *out =
        memory_new(1, sizeof *plates + (size_t)count * sizeof plates->entry[0]);
    plates->count = count;
    int columns = 1, rows = 0;
    for (int i = 0; i < count; i++) {
        plates->entry[i].plate.opacity = 1;
        plates->entry[i].first_row = rows;
        rows += rooms[i].height;
        columns = rooms[i].width > columns ? rooms[i].width : columns;
    }
    enum status status = create_gl(plates, columns, rows > 0 ? rows : 1, white);
    if (status != STATUS_OK)
        plates_destroy(out);
    return status;
}

void plates_destroy(struct plates **plates)
{
    struct plates *self = *plates;
    if (!self)
        return;
    glDeleteTextures(1, &self->texture);
    glDeleteProgram(self->program);
    free(self);
    *plates = NULL;
}

struct plate *plates_at(struct plates *plates, int index)
{
    return &plates->entry[index].plate;
}

enum status plates_store(struct plates *plates, int index, struct ink *ink)
{
    struct plate *plate = &plates->entry[index].plate;
    const uint8_t *pixels;
    enum status status = ink_end(ink, &pixels, &plate->width, &plate->height);
    if (status != STATUS_OK)
        return status;
    glBindTexture(GL_TEXTURE_2D, plates->texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, plates->entry[index].first_row, plate->width,
                    plate->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    plates->stored++;
    return STATUS_OK;
}

uint64_t plates_stored(const struct plates *plates)
{
    return plates->stored;
}

void plates_draw(struct plates *plates, const struct gl_target *display, int x, int y,
                 double opacity)
{
    glBindTexture(GL_TEXTURE_2D, plates->texture);
    gl_target_bind(display);
    glUseProgram(plates->program);
    glUniform2i(plates->size, display->width, display->height);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < plates->count; i++) {
        const struct plate *plate = &plates->entry[i].plate;
        if (plate->width == 0 || plate->opacity * opacity == 0)
            continue;
        glUniform4i(plates->place, plate->x + x, plate->y + y, plate->width, plate->height);
        glUniform1f(plates->opacity, (GLfloat)(plate->opacity * opacity));
        glUniform2f(plates->shift, (GLfloat)plate->right, (GLfloat)plate->down);
        glUniform1i(plates->first_row, plates->entry[i].first_row);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
}

/* ---- lines ---- */

enum side { LEFT, RIGHT, MIDDLE };

/* In letter sizes. */
static const double cap_height = 0.73, ascent = 0.77, descent = 0.22, line_height = 1.5,
                    middle_lift = 2.5, title_lines = 1.7, box_gap = 1.3;
static const double bright_opacity = 0.92, usual_opacity = 0.8;

struct line {
    const struct overlay_element *element; /* NULL: a panel's title */
    char panel[OVERLAY_TEXT_MAX + 4];      /* the panel's title */
    enum overlay_corner corner;            /* of an element */
    enum side side;
    enum ink_role role;
    double size, opacity; /* of its letters, in pixels; of their ink */
    int edge;             /* x where it starts or, on the right, ends; in the middle, its centre */
    int baseline, room;   /* of its last line, in the picture; available width in pixels.
                           * In the upper middle: of its first line */
    int rows;             /* largest number of lines */
    struct overlay_words said;
};

struct overlay_lines {
    struct overlay_facts facts;
    int plate_height, plate_baseline;
    int count, elements;      /* all lines; those before the panels' */
    struct overlay_area card; /* to which lines make way; empty: none */
    struct line line[OVERLAY_LINES_MAX];
};

void overlay_warn_too_small(const struct overlay_layout *layout, const char *name)
{
    log_message_once(LOG_WARNING,
                     "the picture, %dx%d pixels, is too small for overlay.%s, which is left out",
                     layout->width, layout->height, name);
}

struct overlay_area overlay_part(const struct film_labels *labels,
                                 const struct overlay_layout *layout, enum overlay_corner corner)
{
    if (corner != BOTTOM_LEFT || labels->panel_count == 0)
        return (struct overlay_area){0, 0, layout->width, layout->height};
    const struct overlay_label *first = &labels->panels[0];
    return (struct overlay_area){first->x, first->y, first->width, first->height};
}

/* Number of elements with lines in the corner. */
static int count_in(const struct overlay_lines *lines, enum overlay_corner corner)
{
    int count = 0;
    for (int i = 0; i < lines->elements; i++)
        count += lines->line[i].corner == corner;
    return count;
}

/* The height of the bar below a line's text, with its gap; 0 without a bar. */
static int raised(const struct line *line)
{
    return line->element ? 2 * (int)round(line->element->bar_height * line->size) : 0;
}

/* The height of the elements' lines in the corner, with their bars. */
static int stack_in(const struct overlay_lines *lines, enum overlay_corner corner)
{
    int height = 0;
    for (int i = 0; i < lines->elements; i++)
        if (lines->line[i].corner == corner)
            height += (int)round(line_height * lines->line[i].size) + raised(&lines->line[i]);
    return height;
}

/* The height below the upper margin. */
static double top_in(const struct overlay_lines *lines, enum overlay_corner corner)
{
    const double size = lines->facts.layout.size;
    const int stacked = stack_in(lines, corner);
    return stacked > 0 ? stacked + (title_lines - line_height) * size : 0;
}

/* The height by which captions clear the lines in the lower corners, if these leave too little room
 * between them. */
static double lift_of(const struct overlay_lines *lines)
{
    const double size = lines->facts.layout.size;
    const double stacked = fmax(stack_in(lines, BOTTOM_LEFT), stack_in(lines, BOTTOM_RIGHT));
    return lines->facts.captions_lifted
               ? fmax(middle_lift * size, stacked + (middle_lift - line_height - 0.64) * size)
               : 0;
}

/* Returns the height from the first to the last of `rows` lines. */
static int rise_of(const struct line *line, int rows)
{
    return rows > 1 ? (rows - 1) * (int)round(PARAGRAPH_PITCH * line->size) : 0;
}

/* The largest height of the elements' lines in the corner. */
static int rise_in(const struct overlay_lines *lines, enum overlay_corner corner)
{
    int rise = 0;
    for (int i = 0; i < lines->elements; i++)
        if (lines->line[i].corner == corner && rise_of(&lines->line[i], lines->line[i].rows) > rise)
            rise = rise_of(&lines->line[i], lines->line[i].rows);
    return rise;
}

static bool is_top(enum overlay_corner corner)
{
    return corner == TOP_LEFT || corner == TOP_RIGHT || corner == TOP_MIDDLE;
}

static bool has_top(const struct overlay_lines *lines)
{
    return count_in(lines, TOP_LEFT) > 0 || count_in(lines, TOP_RIGHT) > 0;
}

/* Width of the widest element line in the corner. */
static int room_in(const struct overlay_lines *lines, enum overlay_corner corner)
{
    int room = 0;
    for (int i = 0; i < lines->elements; i++)
        if (lines->line[i].corner == corner && lines->line[i].room > room)
            room = lines->line[i].room;
    return room;
}

/* Places the line in a corner, beyond the lines that are there. */
static void place(const struct overlay_lines *lines, struct line *line, enum overlay_corner corner,
                  const struct film_labels *labels)
{
    const struct overlay_layout *layout = &lines->facts.layout;
    const struct overlay_area part = overlay_part(labels, layout, corner);
    const int stacked = stack_in(lines, corner);
    const bool middle = corner == TOP_MIDDLE || corner == BOTTOM_MIDDLE;
    const int below_title =
        middle ? (int)ceil(fmax(top_in(lines, TOP_LEFT), top_in(lines, TOP_RIGHT))) : 0;
    const int lift = middle ? (int)round(lift_of(lines)) : 0;
    line->corner = corner;
    line->side = middle ? MIDDLE : corner == TOP_LEFT || corner == BOTTOM_LEFT ? LEFT : RIGHT;
    line->baseline = is_top(corner) ? layout->edge + (int)ceil(ascent * line->size) + stacked +
                                          below_title + raised(line)
                                    : part.y + part.height - layout->edge -
                                          (int)ceil(descent * line->size) - stacked - lift;
    line->edge = line->side == MIDDLE ? layout->width / 2
                 : line->side == LEFT ? part.x + layout->side
                                      : layout->width - layout->side;
}

/* The area that the line takes with a text of this width. */
static struct overlay_area area_of(const struct line *line, double width)
{
    const int cap = (int)ceil(cap_height * line->size);
    const int rise = rise_of(line, line->rows) + raised(line);
    const int left = line->side == LEFT    ? line->edge
                     : line->side == RIGHT ? line->edge - (int)ceil(width)
                                           : line->edge - (int)ceil(width) / 2;
    return (struct overlay_area){left,
                                 line->baseline - cap - (line->corner == TOP_MIDDLE ? 0 : rise),
                                 (int)ceil(width), cap + rise + (int)ceil(descent * line->size)};
}

/* The light under a line over the film, or under the captions while they are shown. */
static double light_under(const struct overlay_lines *lines, const struct line *line,
                          const struct overlay_area *area, const struct found_light *light)
{
    const struct overlay_facts *facts = &lines->facts;
    double sum = 0;
    if (!line->element->timed)
        return shade_light(light, &facts->layout, area, facts->labels.fps, 0, 0);
    int count = 0;
    for (uint32_t i = 0; i < facts->caption_count; i++) {
        const struct overlay_caption *caption = &facts->captions[i];
        if (caption->to <= caption->from)
            continue;
        sum +=
            shade_light(light, &facts->layout, area, facts->labels.fps, caption->from, caption->to);
        count++;
    }
    return count > 0 ? sum / count : 0;
}

/* Moves the line from the lower to the upper edge, or back, if that is darker over the film. */
static void leave_light(const struct overlay_lines *lines, struct line *line,
                        const struct renderer_params *params, double width)
{
    static const enum overlay_corner across[] = {
        [TOP_LEFT] = BOTTOM_LEFT,   [TOP_RIGHT] = BOTTOM_RIGHT,   [BOTTOM_LEFT] = TOP_LEFT,
        [BOTTOM_RIGHT] = TOP_RIGHT, [TOP_MIDDLE] = BOTTOM_MIDDLE, [BOTTOM_MIDDLE] = TOP_MIDDLE};
    const struct found_light *light = &params->found.light;
    struct line moved = *line;
    place(lines, &moved, across[line->corner], &params->labels);
    const struct overlay_area own = area_of(line, width), other = area_of(&moved, width);
    if (shade_leaves(light_under(lines, line, &own, light),
                     light_under(lines, &moved, &other, light)))
        *line = moved;
}

static void add_element(struct overlay_lines *lines, const struct overlay_element *element,
                        const struct renderer_params *params, struct ink *ink)
{
    const struct overlay_layout *layout = &lines->facts.layout;
    const struct overlay_area part = overlay_part(&params->labels, layout, element->corner);
    const double size = layout->size;
    ink_role(ink, element->role);
    const double widest =
        element->widest ? element->widest(&lines->facts, ink, size) : OVERLAY_NUMBER * size;
    struct line *line = &lines->line[lines->count];
    *line = (struct line){
        .element = element,
        .role = element->role,
        .size = size,
        .opacity = element->bright ? bright_opacity : usual_opacity,
        .room = (int)fmin(part.width - 2 * layout->side, ceil(widest)),
        .rows = element->lines ? element->lines(&lines->facts) : 1,
    };
    if (element->corner == BOTTOM_MIDDLE) { /* other lines may have left the light for a corner */
        const double taken = fmax(room_in(lines, BOTTOM_LEFT), room_in(lines, BOTTOM_RIGHT));
        lines->facts.captions_lifted |=
            taken > 0 && line->room > layout->width - 2 * (layout->side + taken + layout->size);
    }
    place(lines, line, element->corner, &params->labels);
    leave_light(lines, line, params, line->room);
    lines->elements = ++lines->count;
}

/* Adds a panel's title in the panel's upper left corner, below the film's title and clock. */
static void add_panel(struct overlay_lines *lines, const struct overlay_label *label,
                      struct ink *ink)
{
    const struct overlay_layout *layout = &lines->facts.layout;
    const bool lower = label->y == 0 && has_top(lines);
    const int room = label->width - overlay_inset(layout, label->x) -
                     overlay_inset(layout, label->x + label->width);
    const double size = layout->size;
    struct line *line = &lines->line[lines->count];
    if (!label->text[0])
        return;
    lines->count++;
    *line = (struct line){
        .side = LEFT,
        .rows = 1,
        .role = INK_LABEL,
        .size = size,
        .opacity = bright_opacity,
        .edge = label->x + overlay_inset(layout, label->x),
        .baseline = label->y + layout->edge + (int)round(cap_height * size) +
                    (lower ? (int)round(title_lines * layout->size) : 0),
    };
    ink_role(ink, line->role);
    overlay_fit_text(line->panel, ink, size, room, label->text);
    line->room = (int)fmin(room, ceil(ink_width(ink, size, line->panel)));
}

void overlay_lines_create(struct overlay_lines **out, struct ink *ink,
                          const struct renderer_params *params, const struct overlay_layout *layout)
{
    const struct film_labels *labels = &params->labels;
    const struct projection *projection = params->camera.projection;
    const bool on_sphere = projection && projection->whole_sphere;
    const struct overlay_element *element;
    struct overlay_lines *lines = *out = memory_new(1, sizeof *lines);
    char absent[OVERLAY_ELEMENTS_MAX * 32] = "";
    size_t used = 0;
    overlay_facts_open(&lines->facts, ink, params, layout);
    lines->plate_baseline = layout->pad + (int)ceil(1.4 * layout->size); /* a bar raises its text */
    lines->plate_height = lines->plate_baseline + (int)ceil(0.8 * layout->size) + layout->pad;
    for (size_t i = 0; (element = choice_at(&overlay_registry, i)); i++)
        if (element->box || !overlay_shows(element, params))
            continue;
        else if (on_sphere && !element->timed && !(projection->dome && !element->bar_height))
            used += (size_t)snprintf(absent + used, sizeof absent - used, "%soverlay.%s",
                                     used > 0 ? ", " : "", element->name);
        else
            add_element(lines, element, params, ink);
    if (used > 0)
        log_info("left out of the %s: %s",
                 projection->dome ? "dome, where no length is the same everywhere"
                                  : "full-sphere picture, where they would cover the bodies",
                 absent);
    for (int i = 0; i < labels->panel_count; i++)
        add_panel(lines, &labels->panels[i], ink);
}

void overlay_lines_destroy(struct overlay_lines **lines)
{
    if (!*lines)
        return;
    free((*lines)->facts.captions);
    free(*lines);
    *lines = NULL;
}

int overlay_lines_rooms(const struct overlay_lines *lines, struct plate_room *rooms)
{
    for (int i = 0; i < lines->count; i++) {
        const struct line *line = &lines->line[i];
        rooms[i] = (struct plate_room){line->room + 2 * lines->facts.layout.pad,
                                       lines->plate_height + rise_of(line, line->rows)};
    }
    return lines->count;
}

static double height_in(const struct overlay_lines *lines, enum overlay_corner corner)
{
    const int stacked = stack_in(lines, corner);
    return stacked > 0
               ? stacked + (descent + cap_height + box_gap - line_height) * lines->facts.layout.size
               : 0;
}

void overlay_lines_taken(const struct overlay_lines *lines, const struct film_labels *labels,
                         struct overlay_taken *out)
{
    const struct overlay_layout *layout = &lines->facts.layout;
    const bool titled = labels->panel_count > 0 && labels->panels[0].text[0];
    const double lift = lift_of(lines);
    const double middle = count_in(lines, BOTTOM_MIDDLE) > 0
                              ? lift + (descent + cap_height) * layout->size +
                                    box_gap * layout->size + rise_in(lines, BOTTOM_MIDDLE)
                              : 0;
    const double captions = count_in(lines, TOP_MIDDLE) > 0
                                ? title_lines * layout->size + rise_in(lines, TOP_MIDDLE)
                                : 0;
    *out = (struct overlay_taken){
        .top = (int)ceil(fmax(top_in(lines, TOP_LEFT), top_in(lines, TOP_RIGHT)) +
                         (titled ? title_lines * layout->size : 0) + captions),
        .middle = (int)ceil(middle),
        .left = (int)ceil(height_in(lines, BOTTOM_LEFT)),
        .right = (int)ceil(height_in(lines, BOTTOM_RIGHT)),
        .middle_width = room_in(lines, BOTTOM_MIDDLE)};
}

void overlay_lines_clear_card(struct overlay_lines *lines, const struct overlay_area *card)
{
    lines->card = *card;
}

static bool is_under_card(const struct overlay_lines *lines, const struct plate *plate)
{
    const struct overlay_area *card = &lines->card;
    const int pad = lines->facts.layout.pad;
    return plate->x + pad < card->x + card->width && card->x < plate->x + plate->width - pad &&
           plate->y + pad < card->y + card->height && card->y < plate->y + plate->height - pad;
}

/* Paints a line with upward strokes at its ends, whose outer edges mark the length. Returns how far
 * the text is raised. */
static double paint_bar(const struct overlay_lines *lines, struct ink *ink, const struct line *line)
{
    const double length = line->said.bar, height = line->element->bar_height * line->size;
    const double thick = fmax(1, round(line->size / 12)), tall = round(height);
    const double left = lines->facts.layout.pad, bottom = lines->plate_baseline;
    ink_box(ink, left, bottom - thick, length, thick, line->opacity);
    if (length >= 2 * thick) {
        ink_box(ink, left, bottom - tall, thick, tall - thick, line->opacity);
        ink_box(ink, left + length - thick, bottom - tall, thick, tall - thick, line->opacity);
    }
    return 2 * tall;
}

static void write_rows(const struct overlay_lines *lines, struct ink *ink, const struct line *line,
                       double length, double lift)
{
    char row[OVERLAY_TEXT_MAX + 4];
    const double pad = lines->facts.layout.pad;
    double baseline = lines->plate_baseline - lift;
    for (const char *at = line->said.text; paragraph_next(&at, row);) {
        const double spare = ceil(length) - ink_width(ink, line->size, row);
        const double left = line->side == RIGHT                      ? ceil(length) - length
                            : line->side == MIDDLE && line->rows > 1 ? floor(spare / 2)
                                                                     : 0;
        ink_text(ink, pad + left, baseline, line->size, line->opacity, row);
        baseline += rise_of(line, 2);
    }
}

static enum status paint(struct overlay_lines *lines, struct ink *ink, struct plates *plates,
                         int index)
{
    struct line *line = &lines->line[index];
    struct plate *plate = plates_at(plates, index);
    const int pad = lines->facts.layout.pad;
    const char *text = line->said.text;
    ink_role(ink, line->role);
    const double length = fmax(paragraph_width(ink, line->size, text), line->said.bar);
    const int rise = rise_of(line, paragraph_lines(text));
    plate->width = 0;
    if (length > line->room) {
        overlay_warn_too_small(&lines->facts.layout, line->element ? line->element->name : "title");
        return STATUS_OK;
    }
    if (text[0] == '\0')
        return STATUS_OK;
    const int width = (int)ceil(length);
    enum status status = ink_begin(ink, width + 2 * pad, lines->plate_height + rise);
    if (status != STATUS_OK)
        return status;
    const double lift = line->said.bar > 0 ? paint_bar(lines, ink, line) : 0;
    write_rows(lines, ink, line, length, lift);
    plate->x = line->edge - pad -
               (line->side == RIGHT    ? width
                : line->side == MIDDLE ? width / 2
                                       : 0);
    plate->y = line->baseline - lines->plate_baseline - (line->corner == TOP_MIDDLE ? 0 : rise);
    return plates_store(plates, index, ink);
}

enum status overlay_lines_update(struct overlay_lines *lines, struct ink *ink,
                                 struct plates *plates, const struct view *view,
                                 const struct camera_pose *pose, double card, double covered)
{
    enum status status = STATUS_OK;
    lines->facts.view = view;
    lines->facts.pose = pose;
    for (int i = 0; i < lines->count && status == STATUS_OK; i++) {
        struct line *line = &lines->line[i];
        struct overlay_words words = {.opacity = 1};
        strcpy(words.text, line->element ? line->said.text : line->panel);
        if (line->element)
            line->element->say(&lines->facts, &words);
        const bool same = strcmp(words.text, line->said.text) == 0 && words.bar == line->said.bar;
        line->said = words;
        if (!same)
            status = paint(lines, ink, plates, i);
        const struct overlay_element *element = line->element;
        struct plate *plate = plates_at(plates, i);
        const double hidden = !element                      ? covered
                              : element->timed              ? 0
                              : element->on_card            ? card
                              : is_under_card(lines, plate) ? fmax(card, covered)
                                                            : covered;
        plate->opacity = words.opacity * (1 - hidden);
    }
    return status;
}
