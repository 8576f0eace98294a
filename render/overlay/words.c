#include "render/overlay/words.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double longest_bar = 0.18;  /* of the picture's width */
static const double caption_width = 0.9; /* of the picture's width without its margins */
static const double title_gap = 1.5;     /* to the clock, in sizes of the letters */

void overlay_fit_text(char *out, struct ink *ink, double size, double room, const char *text)
{
    size_t length = strnlen(text, OVERLAY_TEXT_MAX);
    while (length > 0 && text[length] && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    memcpy(out, text, length);
    out[length] = '\0';
    ink_clean(ink, out);
    ink_fit(ink, size, room, out);
}

/* The title is fitted once, beside the clock at its widest. */
static void take_title(struct overlay_facts *facts, struct ink *ink,
                       const struct renderer_params *params, double room)
{
    const struct film_labels *labels = &params->labels;
    char clock[OVERLAY_TEXT_MAX];
    const double size = facts->layout.size;
    if (!element_title.shown(params))
        return;
    if (element_clock.shown(params)) {
        overlay_clock_text(clock, sizeof clock, facts->duration, labels->time_myr, facts->duration);
        room -= ink_width(ink, size, clock) + title_gap * size;
    }
    overlay_fit_text(facts->title, ink, size, room, labels->title);
}

void overlay_facts_open(struct overlay_facts *out, struct ink *ink,
                        const struct renderer_params *params, const struct overlay_layout *layout)
{
    const struct overlay_params *overlay = &params->overlay;
    const double room = layout->width - 2 * layout->margin;
    *out = (struct overlay_facts){.layout = *layout,
                                  .labels = params->labels,
                                  .duration = params->found.duration,
                                  .bodies = params->count,
                                  .length_unit = overlay->length_unit,
                                  .caption_count = overlay->caption_count,
                                  .fade = overlay->fade};
    out->labels.title = NULL;
    out->labels.panels = NULL;
    take_title(out, ink, params, room);
    out->captions = memory_new(overlay->caption_count, sizeof *out->captions);
    for (uint32_t i = 0; i < overlay->caption_count; i++) {
        struct overlay_caption *caption = &out->captions[i];
        caption->from = params->found.captions[i].begins;
        caption->to = params->found.captions[i].ends;
        overlay_fit_text(caption->text, ink, layout->size, caption_width * room,
                         overlay->captions[i].text);
    }
}

void overlay_facts_close(struct overlay_facts *facts)
{
    free(facts->captions);
    facts->captions = NULL;
}

static bool title_shown(const struct renderer_params *params)
{
    return params->overlay.title && params->labels.title[0];
}

static void title_say(const struct overlay_facts *facts, const struct view *view,
                      const struct camera_pose *pose, struct overlay_words *words)
{
    (void)view, (void)pose;
    strcpy(words->text, facts->title);
}

static double title_widest(const struct overlay_facts *facts, struct ink *ink, double size)
{
    return ink_width(ink, size, facts->title);
}

const struct overlay_element element_title = {
    .name = "title",
    .doc = "the film's title",
    .shown = title_shown,
    .corner = TOP_LEFT,
    .large = true,
    .bright = true,
    .say = title_say,
    .widest = title_widest,
};

static bool clock_shown(const struct renderer_params *params)
{
    return params->overlay.clock;
}

static void clock_say(const struct overlay_facts *facts, const struct view *view,
                      const struct camera_pose *pose, struct overlay_words *words)
{
    (void)pose;
    overlay_clock_text(words->text, OVERLAY_TEXT_MAX, view->time, facts->labels.time_myr,
                       facts->duration);
}

const struct overlay_element element_clock = {
    .name = "clock",
    .doc = "the simulated time",
    .shown = clock_shown,
    .corner = TOP_RIGHT,
    .large = true,
    .say = clock_say,
};

static bool scale_bar_shown(const struct renderer_params *params)
{
    return params->overlay.scale_bar;
}

static void scale_bar_say(const struct overlay_facts *facts, const struct view *view,
                          const struct camera_pose *pose, struct overlay_words *words)
{
    struct overlay_scale scale;
    (void)view;
    overlay_scale_bar(&scale, pose->pixels_per_unit, longest_bar * facts->layout.width,
                      facts->labels.length_kpc, facts->length_unit);
    strcpy(words->text, scale.label);
    words->bar = scale.pixels;
}

static double scale_bar_widest(const struct overlay_facts *facts, struct ink *ink, double size)
{
    (void)ink;
    return fmax(OVERLAY_NUMBER * size, longest_bar * facts->layout.width);
}

const struct overlay_element element_scale_bar = {
    .name = "scale_bar",
    .doc = "a length at the target's distance",
    .shown = scale_bar_shown,
    .corner = BOTTOM_LEFT,
    .bar_height = 0.32,
    .say = scale_bar_say,
    .widest = scale_bar_widest,
};

static bool bodies_shown(const struct renderer_params *params)
{
    return params->overlay.bodies;
}

static void bodies_say(const struct overlay_facts *facts, const struct view *view,
                       const struct camera_pose *pose, struct overlay_words *words)
{
    (void)view, (void)pose;
    overlay_count_text(words->text, OVERLAY_TEXT_MAX, facts->bodies);
}

const struct overlay_element element_bodies = {
    .name = "bodies",
    .doc = "the number of bodies",
    .shown = bodies_shown,
    .corner = BOTTOM_RIGHT,
    .say = bodies_say,
};

static bool frame_shown(const struct renderer_params *params)
{
    return params->overlay.frame;
}

static void frame_say(const struct overlay_facts *facts, const struct view *view,
                      const struct camera_pose *pose, struct overlay_words *words)
{
    (void)facts, (void)pose;
    snprintf(words->text, OVERLAY_TEXT_MAX, "frame %" PRIu64, view->frame);
}

const struct overlay_element element_frame = {
    .name = "frame",
    .doc = "the number of the frame",
    .shown = frame_shown,
    .corner = BOTTOM_RIGHT,
    .say = frame_say,
};

static bool captions_shown(const struct renderer_params *params)
{
    return params->overlay.caption_count > 0;
}

/* While none shows, the last one stays painted, unseen. */
static void captions_say(const struct overlay_facts *facts, const struct view *view,
                         const struct camera_pose *pose, struct overlay_words *words)
{
    const double seconds = (double)view->frame / facts->labels.fps;
    (void)pose;
    words->opacity = 0;
    for (uint32_t i = 0; i < facts->caption_count; i++) {
        const struct overlay_caption *caption = &facts->captions[i];
        const double opacity =
            overlay_caption_opacity(seconds, caption->from, caption->to, facts->fade);
        if (opacity == 0)
            continue;
        words->opacity = opacity;
        strcpy(words->text, caption->text);
    }
}

static double captions_widest(const struct overlay_facts *facts, struct ink *ink, double size)
{
    double widest = 0;
    for (uint32_t i = 0; i < facts->caption_count; i++)
        widest = fmax(widest, ink_width(ink, size, facts->captions[i].text));
    return widest;
}

const struct overlay_element element_captions = {
    .name = "captions",
    .doc = "texts for parts of the film",
    .shown = captions_shown,
    .corner = BOTTOM_MIDDLE,
    .large = true,
    .bright = true,
    .say = captions_say,
    .widest = captions_widest,
};
