#include "cmd/film/advice.h"

#include "base/log.h"
#include "base/text.h"
#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/picture/picture.h"
#include "scenes/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double film_seconds(const struct scene *scene)
{
    return scene_seconds(scene, scene->output.frames);
}

/* Whether the range shows a part of the film from `begins` to `ends`, in seconds. */
static bool shows(const struct scene *scene, const struct advice_range *range, double begins,
                  double ends)
{
    return begins < ends && begins < scene_seconds(scene, range->last + 1) &&
           ends > scene_seconds(scene, range->first);
}

/* A user who gave the number of frames, or wrote both into the scene, knows the effect. */
static void tell_slow(const struct scene *scene, const struct script *script,
                      const struct advice_range *range)
{
    const double frame_time = scene->simulation.dt * scene->simulation.steps_per_frame;
    const double taken = (script->story - script->duration) / frame_time;
    const bool meant =
        scene_is_option(scene, "output.frames") ||
        (scene_is_given(scene, "output.frames") && !scene_is_option(scene, "simulation.slow"));
    if (scene->simulation.slow_count == 0 || meant || !(taken >= 0.5) ||
        range->last + 1 < scene->output.frames)
        return;
    char whole[96] = "give a smaller factor or a span for more of the story";
    if (script->story_frames)
        snprintf(whole, sizeof whole, "for the story up to there set output.frames to %llu",
                 (unsigned long long)script->story_frames);
    log_info("slow motion takes %.0f frame%s: the film ends at t=%.6g, without it at t=%.6g; %s",
             taken, taken < 1.5 ? "" : "s", script->duration, script->story, whole);
}

static void tell_card(const struct scene *scene, const struct script *script,
                      const struct advice_range *range)
{
    const struct overlay_params *overlay = &scene->overlay;
    const double seconds = film_seconds(scene), card = overlay->card;
    if (!overlay->card_covers || !(card > 0) || (!scene->output.title[0] && !overlay->subtitle[0]))
        return;
    if (card >= seconds)
        log_warning(
            "the title card covers the film, which is %.4g s long, for %.4g s: nothing else will "
            "be seen; make overlay.card shorter, or set overlay.card_covers to false",
            seconds, card);
    else if (script->passage >= 0 && shows(scene, range, script->passage, card))
        log_warning("the title card covers the first passage, at %.3g s; make overlay.card shorter "
                    "than its %.4g s, or set overlay.card_covers to false",
                    script->passage, card);
}

static void tell_fades(const struct scene *scene)
{
    const double seconds = film_seconds(scene);
    const double fades = scene->look.fade_in + scene->look.fade_out;
    if (fades > seconds)
        log_warning("look.fade_in and look.fade_out together take %.4g s of a film of %.4g s, so "
                    "no frame reaches full brightness; shorten them",
                    fades, seconds);
}

/* The end of the stretch, starting at `begins`, that later captions cover without a gap. */
static double covered_until(const struct script *script, uint32_t count, uint32_t first,
                            double begins)
{
    double until = begins;
    for (bool further = true; further;) {
        further = false;
        for (uint32_t i = first; i < count; i++) {
            const struct caption_found *later = &script->captions[i];
            if (later->begins <= until && later->ends > until) {
                until = later->ends;
                further = true;
            }
        }
    }
    return until;
}

/* Copies a caption's text into one line of at most 60 bytes. */
static void quote(char out[64], const char *text)
{
    size_t length = strlen(text);
    const bool cut = length > 60;
    if (cut)
        for (length = 57; ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    snprintf(out, 64, "%.*s%s", (int)length, text, cut ? "..." : "");
    for (char *end = strchr(out, '\n'); end; end = strchr(end, '\n'))
        *end = ' ';
}

/* The plan of an earlier run has only the number of captions that were moved. */
static void tell_moved(const struct script *script)
{
    char *which = NULL;
    uint32_t named = 0;
    for (uint32_t i = 0; i < script->caption_count; i++)
        if (script->caption_notes[i].moved)
            text_append(&which, ++named < script->captions_moved ? ", " : " and ", "%u", i + 1);
    if (!which)
        which = text_format("%u", script->captions_moved);
    const bool one = script->captions_moved == 1;
    if (script->captions_moved > 0)
        log_info("%s%s%s %s longer than the scene says, so that %s can be read; "
                 "overlay.readable=false keeps the scene's times",
                 named == 0 ? ""
                 : one      ? "caption "
                            : "captions ",
                 which,
                 named > 0 ? ""
                 : one     ? " caption"
                           : " captions",
                 one ? "stays" : "stay", one ? "it" : "they");
    free(which);
}

static void tell_left_out(const struct script *script)
{
    for (uint32_t i = 0; i < script->caption_count; i++) {
        char text[64];
        if (!script->caption_notes[i].text[0])
            continue;
        quote(text, script->captions[i].text);
        log_warning("caption %u, '%s', is left out: %s", i + 1, text,
                    script->caption_notes[i].text);
    }
    tell_moved(script);
}

static void tell_captions(const struct scene *scene, const struct script *script,
                          const struct advice_range *range)
{
    const struct overlay_params *overlay = &scene->overlay;
    const double seconds = film_seconds(scene);
    tell_left_out(script);
    for (uint32_t i = 0; i < overlay->caption_count; i++) {
        const double begins = script->captions[i].begins;
        const double ends = fmin(script->captions[i].ends, seconds);
        if (!shows(scene, range, begins, ends) ||
            covered_until(script, overlay->caption_count, i + 1, begins) < ends)
            continue;
        char text[64];
        quote(text, overlay->captions[i].text);
        log_warning("caption %u, '%s', is never visible: later captions cover it from %.3g s to "
                    "%.3g s; move it after them in the list, or change its times",
                    i + 1, text, begins, ends);
        return;
    }
}

static void tell_moves(const struct scene *scene, const struct script *script)
{
    for (uint32_t i = 0; i < scene->camera.move_count; i++)
        if (script->move_from[i] > (double)scene->output.frames - 1)
            log_info("camera.moves[%u] is left out: the film does not reach its beginning", i + 1);
}

static void tell_background(const struct scene *scene)
{
    if (look_prints(&scene->look))
        log_info("look.background is %s, so the film looks printed: bodies darken the page, and "
                 "letters are dark; choose a dark colour if they should shine",
                 scene->look.background.text);
}

/* Without names or ages to go by, light of stars has one colour, that of a galaxy. */
static void tell_stars(const struct film *film)
{
    const struct look_params *look = &film->scene->look;
    const struct body_column *age = body_columns_find(&film->bodies->columns, "age");
    if (look->color->tint != TINT_STARS || look->colors.count > 0 || look->panel_count > 0 ||
        (age && strcmp(age->unit, "Gyr") == 0))
        return;
    for (size_t c = 0; c < film->bodies->component_count; c++)
        if (film->bodies->components[c].draw && star_kind_of(film->bodies->components[c].name))
            return;
    log_info("the bodies have neither ages in Gyr nor components named disk, bulge or halo, so "
             "look.color=stars gives each galaxy one colour; name components in bodies.components, "
             "or set look.color to velocity");
}

static bool has_keyframes(const struct scene *scene, const char *path)
{
    return key_track_of(key_path_find(path), scene)->count > 0;
}

/* Ignores keyframes, because their path may end where it begins. */
static void tell_return(const struct scene *scene, const struct advice_range *range)
{
    const struct camera_params *camera = &scene->camera;
    const uint64_t frames = range->last + 1 - range->first;
    const double part = range->loops ? (double)frames / (double)scene->output.frames : 1;
    const double turns = camera->orbit * part / 360;
    if (camera->keyframe_count > 0 || has_keyframes(scene, "camera.orbit") ||
        has_keyframes(scene, "camera.zoom") ||
        (fabs(turns - round(turns)) < 1e-9 && camera->zoom == 1))
        return;
    char shown[96] = "";
    if (part < 1)
        snprintf(shown, sizeof shown, " in frames %llu to %llu", (unsigned long long)range->first,
                 (unsigned long long)range->last);
    log_warning("output.loop is true, but the camera does not end where it starts%s, with "
                "camera.orbit %g and camera.zoom %g; use an orbit of 0 or %.6g degrees and a zoom "
                "of 1",
                shown, camera->orbit, camera->zoom, 360 / part);
}

static void tell_loop(const struct scene *scene, const struct advice_range *range)
{
    const double end = film_seconds(scene);
    const bool fades = shows(scene, range, 0, scene->look.fade_in) ||
                       shows(scene, range, end - scene->look.fade_out, end);
    const bool card = shows(scene, range, 0, scene->overlay.card);
    if (fades || card)
        log_info("the film plays in a loop, and every pass has %s; without:%s%s",
                 fades && card ? "its fades and its title card"
                 : fades       ? "its fades"
                               : "its title card",
                 fades ? " --set look.fade_in=0 --set look.fade_out=0" : "",
                 card ? " --set overlay.card=0" : "");
}

void advice_tell(const struct film *film, const struct advice_range *range)
{
    for (int i = 0; film_panel(film, i); i++) {
        film_name_panel(i);
        advice_tell(film_panel(film, i), range);
    }
    if (film->apart) {
        film_name_panel(-1);
        return;
    }
    tell_slow(film->scene, &film->script, range);
    tell_card(film->scene, &film->script, range);
    tell_fades(film->scene);
    tell_moves(film->scene, &film->script);
    tell_captions(film->scene, &film->script, range);
    tell_background(film->scene);
    tell_stars(film);
    if (film->scene->output.loop)
        tell_return(film->scene, range);
    if (film->scene->output.loop || range->loops)
        tell_loop(film->scene, range);
}

void advice_tell_left_out(const struct film *film)
{
    for (int i = 0; film_panel(film, i); i++) {
        film_name_panel(i);
        tell_left_out(&film_panel(film, i)->script);
    }
    film_name_panel(-1);
    if (!film->apart)
        tell_left_out(&film->script);
}

void advice_tell_range(const struct scene *scene, enum picture_format format)
{
    const struct hdr *hdr = scene->output.hdr;
    if (hdr->kind != HDR_NONE && picture_format_hdr(format) == HDR_NONE)
        log_warning("output.hdr is %s, but these pictures have no high dynamic range: only films "
                    "in mp4, mov, mkv and webm do",
                    hdr->name);
}

void advice_tell_bodies(const struct scene *scene)
{
    static const char *const enough[] = {"model", "galaxies", "file"};
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        char path[KEY_PATH];
        bool counts = false;
        key_path(key, path);
        for (size_t k = 0; k < sizeof enough / sizeof *enough; k++)
            counts |= strcmp(key->name, enough[k]) == 0;
        if (strcmp(key->section, "bodies") == 0 && scene_is_given(scene, path) &&
            (counts || !scene_is_option(scene, path)))
            return;
    }
    log_info("the scene names no bodies: it gets two plain galaxies, not those of the default "
             "scene, which `gravreel scenes milky-way-andromeda` prints to start from");
}
