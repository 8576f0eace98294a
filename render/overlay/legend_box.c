/* The legend: the meaning of the picture's colours. With several panels, each panel whose legend
 * differs from the one before has its own. Only for the overlay. */
#include "base/memory.h"
#include "base/text.h"
#include "render/colour/colour.h"
#include "render/overlay/elements.h"
#include "render/sprites/modes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWATCHES_MAX = 8 };

/* In letter sizes. */
static const double bar_length = 14, bar_thickness = 0.6, bar_gap = 0.5, names_width = 1.1,
                    cap_height = 0.73, row_gap = 0.55, tick_height = 0.25, tick_gap = 0.25,
                    disk_width = 8, disk_gap = 1.4, label_gap = 0.6, words_gap = 0.15,
                    swatch_side = 0.8, swatch_text = 1.3, swatch_pitch = 1.5, narrowest = 7;
static const double text_opacity = 0.8, graphic_size = 0.8, smallest_graphic = 3.5; /* pixels */

struct swatch {
    float tint[3], shown[3];
    char text[OVERLAY_TEXT_MAX + 4];
};

/* The layout of a legend. */
struct laid_out {
    const struct legend *kind;
    struct legend_look look;
    double size;    /* letter size */
    double graphic; /* size unit of bars and disk, which is smaller */
    int room;       /* available width, pixels */
    bool painted;
    int width, height;
    /* Bars; coordinates from the upper left corner. */
    char heading[160]; /* room for the longest name of a quantity and its unit */
    const char *unit;  /* "" or that of the ticks; a disk has it beside its only number */
    struct legend_ticks ticks;
    int bar_x, bar_y, bar_width, bar_height, bar_pitch;
    double heading_baseline, words_baseline, ticks_baseline;
    /* Disk; its scale along the line of sight is the bar, whose ticks count from its middle. */
    int disk_y, disk_side;
    /* Swatches. */
    int swatch_count;
    struct swatch swatches[SWATCHES_MAX];
};

static const struct legend *choose(const struct look_params *look, bool difference)
{
    if (difference)
        return &colour_difference.legend;
    if (look->mode && look->mode->legend.bars > 0)
        return &look->mode->legend;
    return look->mode && !look->mode->plain && look->color ? &look->color->legend : NULL;
}

static double heading_width(const struct laid_out *legend, struct ink *ink)
{
    ink_role(ink, INK_LABEL);
    const double width = ink_width(ink, legend->size, legend->heading);
    ink_role(ink, INK_NUMBER);
    return width;
}

static void write_heading(const struct laid_out *legend, struct ink *ink, int x, int y)
{
    ink_role(ink, INK_LABEL);
    ink_text(ink, x, y + legend->heading_baseline, legend->size, text_opacity, legend->heading);
    ink_role(ink, INK_NUMBER);
}

/* A unit and its factor on the value that labels give. */
struct legend_unit {
    const char *name;
    double factor;
};

/* The first unit in which a value is at least 1, or the last. */
static const struct legend_unit *unit_for(const struct legend_unit *units, size_t count,
                                          double value)
{
    size_t u = 0;
    while (u + 1 < count && !(value * units[u].factor >= 1))
        u++;
    return units + u;
}

/* Factors from km/s. */
static const struct legend_unit speeds[] = {{"km/s", 1}, {"m/s", 1e3}};

/* Factors from km/s per Myr. */
static const struct legend_unit accelerations[] = {{"km/s per s", 1 / 3.15576e13},
                                                   {"km/s per day", 1 / 365.25e6},
                                                   {"km/s per yr", 1e-6},
                                                   {"km/s per Myr", 1}};

#define UNIT_FOR(units, value) unit_for(units, sizeof units / sizeof *units, value)

/* The full value of the scale in the unit that the heading shows. */
static double set_heading(struct laid_out *legend, const struct renderer_params *params)
{
    const struct film_labels *labels = &params->labels;
    const struct look_params *look = &params->look;
    const struct look_found *found = &params->found.look;
    const enum legend_scale scale = legend->kind->scale;
    struct legend_unit unit = {"", 1};
    double full = legend->kind->full ? legend->kind->full(look, found) : 0;
    if (scale == LEGEND_SPEED && labels->velocity_kms > 0) {
        full *= labels->velocity_kms;
        unit = *UNIT_FOR(speeds, 10 * full);
    } else if (scale == LEGEND_LENGTH && labels->length_kpc > 0) {
        full *= labels->length_kpc *
                length_unit_scale(params->overlay.length_unit, params->found.universe.cosmology.h);
        unit.name = overlay_length_unit(params->overlay.length_unit, full, &unit.factor);
    } else if (scale == LEGEND_ACCELERATION && labels->velocity_kms > 0 && labels->time_myr > 0) {
        full *= labels->velocity_kms / labels->time_myr;
        unit = *UNIT_FOR(accelerations, full);
    }
    legend->unit = unit.name;
    const bool comoving = params->found.universe.comoving && *unit.name &&
                          scale != LEGEND_SPEED; /* peculiar velocities */
    snprintf(legend->heading, sizeof legend->heading, "%s%s%s%s", comoving ? "comoving " : "",
             legend->kind->quantity, *unit.name && !legend->kind->disk ? ", " : "",
             legend->kind->disk ? "" : unit.name);
    return full * unit.factor;
}

/* Labels a quantity with its name in the file, shortened to the length of the bar in a panel, else
 * to twice that. */
static void name_quantity(struct laid_out *legend, struct ink *ink,
                          const struct renderer_params *params)
{
    const char *name = params->look.quantity, *unit = params->labels.quantity_unit;
    const int bars = params->labels.panel_count > 0 ? 1 : 2;
    if (!name || !*name)
        return;
    snprintf(legend->heading, sizeof legend->heading - 4, "%s%s%s", name, unit && *unit ? ", " : "",
             unit ? unit : "");
    ink_role(ink, INK_LABEL);
    ink_clean(ink, legend->heading);
    ink_fit(ink, legend->size, bars * legend->room, legend->heading);
    ink_role(ink, INK_NUMBER);
}

static void find_ticks(struct laid_out *legend, const struct renderer_params *params, double full,
                       int most)
{
    const struct look_found *found = &params->found.look;
    const struct quantity_scale *scale = params->look.quantity_scale;
    if (legend->kind->scale == LEGEND_QUANTITY)
        legend_ticks_between(&legend->ticks, scale && scale->logarithmic, found->quantity_from,
                             found->quantity_to, most);
    else
        legend_ticks(&legend->ticks, legend->kind, full, most);
}

/* Labels are centred under their ticks, but stay within the legend. */
static double label_x(const struct laid_out *legend, struct ink *ink, int i)
{
    double width = ink_width(ink, legend->size, legend->ticks.tick[i].label);
    double x = legend->bar_x + legend->ticks.tick[i].place * legend->bar_width - width / 2;
    return fmax(0, fmin(x, legend->bar_x + legend->bar_width - width));
}

static bool labels_collide(const struct laid_out *legend, struct ink *ink)
{
    for (int i = 0; i + 1 < legend->ticks.count; i++) {
        double end =
            label_x(legend, ink, i) + ink_width(ink, legend->size, legend->ticks.tick[i].label);
        if (end + label_gap * legend->size > label_x(legend, ink, i + 1))
            return true;
    }
    return false;
}

static void lay_out_bars(struct laid_out *legend, struct ink *ink,
                         const struct renderer_params *params)
{
    const struct legend *kind = legend->kind;
    const double size = legend->size, full = set_heading(legend, params);
    double y = cap_height * size;
    if (kind->scale == LEGEND_QUANTITY)
        name_quantity(legend, ink, params);
    legend->heading_baseline = y;
    y += row_gap * size;
    if (kind->low) {
        y += words_gap * size;
        legend->words_baseline = y += cap_height * size;
        y += row_gap * size;
    }
    legend->bar_x = kind->names[0] ? (int)ceil(names_width * size) : 0;
    legend->bar_width = legend->room - legend->bar_x;
    legend->bar_height = (int)fmax(3, round(bar_thickness * size));
    legend->bar_pitch = legend->bar_height + (int)fmax(1, round(bar_gap * size));
    legend->bar_y = (int)round(y);
    int bottom = legend->bar_y + (kind->bars - 1) * legend->bar_pitch + legend->bar_height;
    int most = kind->signed_scale ? 2 : 4;
    do
        find_ticks(legend, params, full, most);
    while (labels_collide(legend, ink) && --most > 0);
    if (most == 0)
        legend->ticks.count = 0;
    if (legend->ticks.count > 0)
        bottom += (int)ceil((tick_height + tick_gap + cap_height) * size);
    legend->ticks_baseline = bottom;
    legend->height = bottom;
    legend->width = (int)ceil(fmax(legend->bar_x + legend->bar_width, heading_width(legend, ink)));
}

static void lay_out_disk(struct laid_out *legend, struct ink *ink,
                         const struct renderer_params *params)
{
    const struct legend *kind = legend->kind;
    const double size = legend->size, full = set_heading(legend, params);
    legend->heading_baseline = cap_height * size;
    legend->disk_y = (int)round((cap_height + row_gap) * size);
    legend->disk_side = 2 * (int)round(disk_width / 2 * legend->graphic);
    legend->bar_x = legend->disk_side / 2; /* temporary, for the layout of ticks */
    legend->bar_width = legend->disk_side / 2;
    legend_ticks(&legend->ticks, kind, full, 1);
    if (legend->ticks.count > 0) { /* the largest; the 0 in the middle goes without saying */
        struct legend_tick *last = &legend->ticks.tick[legend->ticks.count - 1];
        const size_t used = strlen(last->label);
        snprintf(last->label + used, sizeof last->label - used, "%s%s", *legend->unit ? " " : "",
                 legend->unit);
        legend->ticks.tick[0] = *last;
        legend->ticks.count = 1;
    }
    legend->height = legend->disk_y + legend->disk_side;
    if (legend->ticks.count > 0)
        legend->height += (int)ceil((2 * tick_height + tick_gap + cap_height) * size);
    legend->ticks_baseline = legend->height;
    const double words = fmax(ink_width(ink, size, kind->low), ink_width(ink, size, kind->high));
    const double side = legend->disk_side + (disk_gap + bar_thickness + label_gap) * size + words;
    legend->width = (int)ceil(fmax(side, heading_width(legend, ink)));
}

/* One entry per tint; names with the same tint share an entry. */
static void collect_swatches(struct laid_out *legend, const struct renderer_params *params)
{
    for (int g = 0; g < params->group_count; g++) {
        const struct draw_group *group = &params->groups[g];
        int i = 0, before = 0;
        if (!group->name || !group->name[0])
            continue;
        while (i < legend->swatch_count &&
               memcmp(legend->swatches[i].tint, group->tint, sizeof group->tint) != 0)
            i++;
        if (i == SWATCHES_MAX)
            continue;
        struct swatch *swatch = &legend->swatches[i];
        while (before < g &&
               !(params->groups[before].name &&
                 strcmp(params->groups[before].name, group->name) == 0 &&
                 memcmp(params->groups[before].tint, group->tint, sizeof group->tint) == 0))
            before++;
        if (before < g)
            continue;
        memcpy(swatch->tint, group->tint, sizeof swatch->tint);
        legend_tint(group->tint, group->given ? 1 : params->look.saturation, swatch->shown);
        text_list(swatch->text, OVERLAY_TEXT_MAX, group->name);
        if (i == legend->swatch_count)
            legend->swatch_count++;
    }
}

static void lay_out_swatches(struct laid_out *legend, struct ink *ink)
{
    const double size = legend->size;
    double widest = 0;
    for (int i = 0; i < legend->swatch_count; i++) {
        char *text = legend->swatches[i].text;
        ink_clean(ink, text);
        ink_fit(ink, size, (bar_length - swatch_text) * size, text);
        widest = fmax(widest, ink_width(ink, size, text));
    }
    legend->width = (int)ceil(swatch_text * size + widest);
    legend->height = (int)ceil(((legend->swatch_count - 1) * swatch_pitch + swatch_side) * size);
}

/* Everything that decides the meaning of a picture's colours. */
struct meaning {
    const struct legend *kind;
    const struct colour_map *map;
};

static struct meaning meaning_of(const struct look_params *look, int picture)
{
    const struct look_params own = look_of_picture(look, picture);
    const bool difference = look->panel_count > 0 && look->panels[picture].difference;
    const struct legend *kind = choose(&own, difference);
    const bool mapped = kind && kind->colour == legend_mapped;
    return (struct meaning){kind, mapped ? own.map : NULL};
}

/* Whether the preceding panel has the same legend. */
static bool says_it_again(const struct look_params *look, int picture)
{
    const struct meaning own = meaning_of(look, picture);
    if (picture == 0)
        return false;
    const struct meaning before = meaning_of(look, picture - 1);
    return own.kind == before.kind && own.map == before.map;
}

static void legend_open(void **out, struct ink *ink, const struct renderer_params *params,
                        const struct overlay_layout *layout, int picture)
{
    const struct look_params look = look_of_picture(&params->look, picture);
    const struct legend *kind = meaning_of(&params->look, picture).kind;
    *out = NULL;
    if (says_it_again(&params->look, picture) || !kind ||
        (kind->bars == 0 && !kind->swatches && !kind->disk))
        return;
    struct laid_out *legend = memory_new(1, sizeof *legend);
    legend->kind = kind;
    legend->size = layout->size;
    legend->graphic = fmax(graphic_size * layout->true_size, smallest_graphic);
    double room = bar_length * legend->graphic;
    if (params->labels.panel_count > 0) /* narrow panels have shorter bars */
        room = fmin(room, params->labels.panels[picture].width - 2 * layout->edge);
    legend->room = (int)round(fmax(room, narrowest * layout->size));
    legend->look = (struct legend_look){look.map, look.saturation};
    ink_role(ink, kind->swatches ? INK_TEXT : INK_NUMBER);
    if (kind->disk) {
        lay_out_disk(legend, ink, params);
    } else if (kind->bars > 0) {
        lay_out_bars(legend, ink, params);
    } else {
        collect_swatches(legend, params);
        lay_out_swatches(legend, ink);
    }
    if (kind->bars > 0 || kind->disk || legend->swatch_count > 0)
        *out = legend;
    else
        free(legend);
}

static void legend_size(const void *box, int *width, int *height)
{
    const struct laid_out *legend = box;
    *width = legend->width;
    *height = legend->height;
}

static const float white[3] = {1, 1, 1};

static void paint_bar(const struct laid_out *legend, struct ink *ink, int bar, int x, int y)
{
    for (int column = 0; column < legend->bar_width; column++) {
        float shown[3];
        legend->kind->colour(&legend->look, bar, (column + 0.5) / legend->bar_width, shown);
        if (legend->kind->colour == legend_mapped)
            ink_exactly(ink, shown);
        else
            ink_colour(ink, shown);
        ink_box(ink, x + column, y, 1, legend->bar_height, 1);
    }
    ink_colour(ink, white);
}

static void paint_bars(const struct laid_out *legend, struct ink *ink, int x, int y)
{
    const struct legend *kind = legend->kind;
    const double size = legend->size, left = x + legend->bar_x;
    write_heading(legend, ink, x, y);
    if (kind->low) {
        double end = left + legend->bar_width - ink_width(ink, size, kind->high);
        ink_text(ink, left, y + legend->words_baseline, size, text_opacity, kind->low);
        ink_text(ink, end, y + legend->words_baseline, size, text_opacity, kind->high);
    }
    int bar_y = y + legend->bar_y - legend->bar_pitch;
    for (int bar = 0; bar < kind->bars; bar++) {
        bar_y += legend->bar_pitch;
        double middle = bar_y + legend->bar_height / 2.0;
        if (kind->names[bar])
            ink_text(ink, x, middle + 0.27 * size, size, text_opacity, kind->names[bar]);
        paint_bar(legend, ink, bar, x + legend->bar_x, bar_y);
    }
    for (int i = 0; i < legend->ticks.count; i++) {
        double thick = fmax(1, round(size / 12));
        double at = round(left + legend->ticks.tick[i].place * legend->bar_width - thick / 2);
        at = fmin(at, left + legend->bar_width - thick);
        ink_box(ink, fmax(at, left), bar_y + legend->bar_height, thick,
                fmax(2, round(tick_height * size)), text_opacity);
        ink_text(ink, x + label_x(legend, ink, i), y + legend->ticks_baseline, size, text_opacity,
                 legend->ticks.tick[i].label);
    }
}

/* Paints the disk: each direction has the colour of bodies that move that way in the picture. */
static void paint_directions(const struct laid_out *legend, struct ink *ink, int x, int y)
{
    const double radius = legend->disk_side / 2.0;
    for (int row = 0; row < legend->disk_side; row++)
        for (int column = 0; column < legend->disk_side; column++) {
            const double right = column + 0.5 - radius, up = radius - row - 0.5;
            const double away = sqrt(right * right + up * up), inside = radius - away + 0.5;
            const double full = fmax(radius, away);
            float shown[3];
            if (inside <= 0)
                continue;
            legend->kind->disk(&legend->look, (double[]){right / full, up / full, 0}, shown);
            ink_colour(ink, shown);
            ink_box(ink, x + column, y + row, 1, 1, fmin(inside, 1));
        }
}

static void paint_sight(const struct laid_out *legend, struct ink *ink, double x, int y)
{
    const struct legend *kind = legend->kind;
    const double size = legend->size, side = legend->disk_side;
    const double thick = fmax(3, round(bar_thickness * size));
    const double words = x + thick + label_gap * size;
    for (int row = 0; row < legend->disk_side; row++) {
        float shown[3];
        kind->disk(&legend->look, (double[]){0, 0, 1 - 2 * (row + 0.5) / side}, shown);
        ink_colour(ink, shown);
        ink_box(ink, x, y + row, thick, 1, 1);
    }
    ink_colour(ink, white);
    ink_text(ink, words, y + cap_height * size, size, text_opacity, kind->high);
    ink_text(ink, words, y + side, size, text_opacity, kind->low);
}

static void paint_disk(const struct laid_out *legend, struct ink *ink, int x, int y)
{
    const double size = legend->size, thick = fmax(1, round(size / 12));
    const double stroke = fmax(2, round(tick_height * size));
    const int bottom = y + legend->disk_y + legend->disk_side;
    write_heading(legend, ink, x, y);
    paint_directions(legend, ink, x, y + legend->disk_y);
    paint_sight(legend, ink, x + legend->disk_side + round(disk_gap * size), y + legend->disk_y);
    for (int i = 0; i < legend->ticks.count; i++) {
        const double at = legend->bar_x + legend->ticks.tick[i].place * legend->bar_width;
        ink_box(ink, round(x + at - thick / 2), bottom + tick_height * size, thick, stroke,
                text_opacity);
        ink_text(ink, x + label_x(legend, ink, i), y + legend->ticks_baseline, size, text_opacity,
                 legend->ticks.tick[i].label);
    }
}

static void paint_swatches(const struct laid_out *legend, struct ink *ink, int x, int y)
{
    const double size = legend->size, side = round(swatch_side * size);
    for (int i = 0; i < legend->swatch_count; i++) {
        double top = round(y + i * swatch_pitch * size);
        ink_colour(ink, legend->swatches[i].shown);
        ink_box(ink, x, top, side, side, 1);
        ink_colour(ink, white);
        ink_text(ink, x + swatch_text * size, top + side / 2 + cap_height / 2 * size, size,
                 text_opacity, legend->swatches[i].text);
    }
}

static bool legend_changed(const void *box, const struct view *view)
{
    (void)view;
    return !((const struct laid_out *)box)->painted;
}

static void legend_paint(void *box, struct ink *ink, int x, int y, const struct view *view)
{
    struct laid_out *legend = box;
    (void)view;
    ink_role(ink, legend->kind->swatches ? INK_TEXT : INK_NUMBER);
    if (legend->kind->disk)
        paint_disk(legend, ink, x, y);
    else if (legend->kind->bars > 0)
        paint_bars(legend, ink, x, y);
    else
        paint_swatches(legend, ink, x, y);
    legend->painted = true;
}

const struct overlay_box overlay_legend = {
    .by_panel = true,
    .open = legend_open,
    .close = free,
    .size = legend_size,
    .changed = legend_changed,
    .paint = legend_paint,
};
