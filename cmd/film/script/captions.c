#include "cmd/film/script/captions.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/overlay/number_text.h"
#include "scenes/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double by_letter = 0.06, shortest = 1.5; /* seconds */
/* How much earlier or later a caption may appear than the scene says, in seconds. */
static const double earlier = 0.5, later = 1;

/* The length in a pilot run differs from the film's by up to a tenth. It is therefore given to one
 * digit, or to half a digit if that digit is 1 or 2. */
static double rough(double length)
{
    if (!(length > 0))
        return 0;
    const double power = fn_pow(10, floor(fn_log10(length)));
    const double step = length < 2.75 * power ? power / 2 : power;
    return round(length / step) * step;
}

static void say_length(char *out, size_t size, const struct scene *scene, double length)
{
    const struct length_unit *unit = scene->overlay.length_unit;
    const double parsecs = 1e3 * length * scene->bodies.units.length_kpc;
    const bool light = unit == &length_light_years;
    const double value = light ? parsecs * LIGHT_YEARS_IN_A_PARSEC : parsecs / 1e3;
    char digits[32];
    if (!(parsecs > 0)) {
        snprintf(out, size, "about %.2g units of length", rough(length));
        return;
    }
    if (rough(value) < 10)
        snprintf(digits, sizeof digits, "%.2g", rough(value));
    else
        text_whole(digits, sizeof digits, rough(value));
    snprintf(out, size, "about %s %s", digits, light ? "light years" : "kiloparsecs");
}

static double galaxy_mass(const struct galaxy_params *galaxy)
{
    return galaxy->disk_mass + galaxy->gas_mass + galaxy->bulge_mass + galaxy->halo_mass;
}

/* The second galaxy's mass as a part of the first one's; "" if the scene does not make them. */
static void say_ratio(char *out, size_t size, const struct scene *scene)
{
    static const struct {
        double value;
        const char *words;
    } parts[] = {{0.25, "a quarter"}, {1 / 3.0, "a third"}, {0.5, "half"}};
    const struct bodies_params *bodies = &scene->bodies;
    out[0] = '\0';
    if (!bodies->model->makes_galaxies || bodies->model->reads_file || bodies->galaxy_count < 2 ||
        !(galaxy_mass(&bodies->galaxies[0]) > 0))
        return;
    const double ratio = galaxy_mass(&bodies->galaxies[1]) / galaxy_mass(&bodies->galaxies[0]);
    snprintf(out, size, ratio < 0.995 ? "%.2g %%" : "%.0f %%", 100 * ratio);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (fabs(ratio - parts[i].value) < 0.02 * parts[i].value)
            snprintf(out, size, "%s", parts[i].words);
}

static const char passage[] = "pericentre", ratio[] = "mass_ratio";

/* The value of the placeholder `name`: *known is false if it has none in this run. A name without a
 * dot that stands for nothing is plain text, and so are its braces. */
static enum status say_value(char **out, const struct scene *scene, const struct pilot *pilot,
                             const char *name, bool *known)
{
    char text[64] = "";
    *known = true;
    if (strcmp(name, passage) == 0) {
        *known = pilot && pilot->separation && pilot->happened.pericentre_count > 0;
        if (*known)
            say_length(text, sizeof text, scene, pilot->happened.pericentre[0].separation);
        *out = memory_text(text);
    } else if (strcmp(name, ratio) == 0) {
        say_ratio(text, sizeof text, scene);
        *known = text[0] != '\0';
        *out = memory_text(text);
    } else if (strchr(name, '.')) {
        const enum status status = condition_value(scene, name, out);
        *known = *out;
        return status;
    } else {
        *out = text_format("{%s}", name);
    }
    return STATUS_OK;
}

/* Replaces the placeholders of a text, those without a value by "..."; *missing is the first of
 * these, or "". */
static enum status fill(char **out, const struct scene *scene, const struct pilot *pilot,
                        const char *text, char missing[64])
{
    char *done = memory_text("");
    missing[0] = '\0';
    while (*text) {
        const size_t plain = strcspn(text, "{"), end = strcspn(text, "}");
        char name[64], *value = NULL;
        bool known = true;
        const bool has_name = text[plain] && text[end] && end > plain && end - plain < sizeof name;
        enum status status = STATUS_OK;
        if (has_name) {
            snprintf(name, sizeof name, "%.*s", (int)(end - plain - 1), text + plain + 1);
            status = say_value(&value, scene, pilot, name, &known);
        }
        if (status != STATUS_OK) {
            free(done);
            return status;
        }
        if (!known && !missing[0])
            snprintf(missing, 64, "%s", name);
        const size_t kept = has_name || !text[plain] ? plain : plain + 1;
        const char *shown = !known ? "..." : value ? value : "";
        char *longer = text_format("%s%.*s%s", done, (int)kept, text, shown);
        free(value);
        free(done);
        done = longer;
        text += has_name ? end + 1 : kept;
    }
    *out = done;
    return STATUS_OK;
}

bool captions_need_passage(const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->overlay.caption_count; i++)
        if (strstr(scene->overlay.captions[i].text, "{pericentre}"))
            return true;
    return false;
}

double caption_reading_time(const char *text)
{
    size_t letters = 0;
    for (; *text; text++)
        letters += ((unsigned char)*text & 0xc0) != 0x80;
    return fmax(shortest, by_letter * (double)letters);
}

static enum status write_one(struct caption_found *caption, char *note, const struct scene *scene,
                             const struct pilot *pilot, uint32_t i)
{
    const struct caption_params *params = &scene->overlay.captions[i];
    char key[48], missing[64], failed[CONDITION_MAX];
    bool holds = true;
    snprintf(key, sizeof key, "overlay.captions[%u].text", i + 1);
    enum status status = fill(&caption->text, scene, pilot, params->text, missing);
    if (status == STATUS_OK) {
        snprintf(key, sizeof key, "overlay.captions[%u].when", i + 1);
        status = condition_holds(scene, params->when, &holds, failed);
    }
    if (status != STATUS_OK)
        return status == STATUS_USAGE ? scene_blame(scene, key) : status;
    if (!holds)
        snprintf(note, CAPTION_NOTE, "it holds only when %s", failed);
    else if (strcmp(missing, passage) == 0)
        snprintf(note, CAPTION_NOTE, "no first passage was found in this film");
    else if (missing[0])
        snprintf(note, CAPTION_NOTE, "{%s} has no value in this scene", missing);
    return STATUS_OK;
}

void captions_faults(const struct scene *scene, const struct fault_taker *taker)
{
    char note[CAPTION_NOTE];
    for (uint32_t i = 0; i < scene->overlay.caption_count; i++) {
        struct caption_found caption = {0};
        if (write_one(&caption, note, scene, NULL, i) != STATUS_OK)
            taker->take(taker->user, status_text());
        free(caption.text);
    }
}

struct plan {
    struct caption_found *captions;
    struct caption_note *notes;
    uint32_t count, moved;
    uint32_t unread; /* the last caption without the time to be read; count: none */
};

/* The first of the captions that appear after `begins`, and are shown. */
static double next_after(const struct plan *plan, double begins, double end)
{
    double next = end;
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct caption_found *other = &plan->captions[i];
        if (!plan->notes[i].text[0] && other->begins > begins && other->begins < next)
            next = other->begins;
    }
    return next;
}

/* Gives the caption the time to be read: until later, up to the next caption and somewhat beyond,
 * or from a little earlier. */
static void fit(struct plan *plan, uint32_t i, double end, double *until)
{
    struct caption_found *caption = &plan->captions[i];
    const double needs = caption_reading_time(caption->text);
    const double stays = fmin(caption->ends, end) - caption->begins;
    const double next = next_after(plan, caption->begins, end);
    const double from = fmax(caption->begins, fmin(*until, caption->begins + later));
    const double before = caption->begins - from; /* <= 0: it waits for the one before */
    if (caption->begins >= end || (before == 0 && stays >= needs - 1e-9))
        return;
    /* The next one may wait as long as this one may. */
    const double last = next < end ? fmin(next + later, end) : end;
    const double begins = fmax(fmin(from, last - needs), fmax(from - earlier, fmin(*until, from)));
    if (begins < *until - 1e-9 || begins + needs > last + 1e-9) {
        snprintf(plan->notes[i].text, CAPTION_NOTE,
                 "it needs %.2g s to be read, but less time is left before the next caption or the "
                 "end of the film",
                 needs);
        plan->unread = i;
        return;
    }
    plan->moved++;
    plan->notes[i].moved = true;
    caption->begins = begins;
    caption->ends = fmax(fmin(caption->ends, last), begins + needs);
    *until = caption->ends;
}

/* Fits the captions in the order in which they appear. */
static void fit_all(struct plan *plan, double end)
{
    bool *done = memory_new(plan->count, sizeof *done);
    double until = 0; /* the end of a caption that stays longer than the scene says */
    plan->moved = 0;
    plan->unread = plan->count;
    for (uint32_t turn = 0; turn < plan->count; turn++) {
        uint32_t first = plan->count;
        for (uint32_t i = 0; i < plan->count; i++)
            if (!done[i] &&
                (first == plan->count || plan->captions[i].begins < plan->captions[first].begins))
                first = i;
        done[first] = true;
        if (!plan->notes[first].text[0])
            fit(plan, first, end, &until);
    }
    free(done);
}

/* A caption that is left out takes no time from the others: the last one that cannot be read is
 * left out, and the others are fitted anew, until all can be read. */
static void make_readable(struct plan *plan, const struct scene *scene)
{
    const double end = scene_seconds(scene, scene->output.frames);
    struct caption_found *captions = memory_new(plan->count, sizeof *captions);
    struct caption_note *notes = memory_new(plan->count, sizeof *notes);
    memcpy(captions, plan->captions, plan->count * sizeof *captions);
    memcpy(notes, plan->notes, plan->count * sizeof *notes);
    while (fit_all(plan, end), plan->unread < plan->count) {
        notes[plan->unread] = plan->notes[plan->unread];
        memcpy(plan->captions, captions, plan->count * sizeof *captions);
        memcpy(plan->notes, notes, plan->count * sizeof *notes);
    }
    free(captions);
    free(notes);
}

enum status captions_write(struct caption_found *captions, struct caption_note *notes,
                           uint32_t *moved, const struct scene *scene, const struct pilot *pilot)
{
    struct plan plan = {captions, notes, scene->overlay.caption_count, 0, 0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < plan.count && status == STATUS_OK; i++)
        status = write_one(&captions[i], notes[i].text, scene, pilot, i);
    if (status == STATUS_OK && plan.count > 0 && scene->overlay.readable &&
        scene->output.frames > 1)
        make_readable(&plan, scene);
    for (uint32_t i = 0; i < plan.count; i++)
        if (notes[i].text[0])
            captions[i].ends = captions[i].begins;
    *moved = plan.moved;
    return status;
}

/* ---- tracks ---- */

/* Codes of two letters and the three letters that films have (ISO 639). */
static const char codes[][2][4] = {
    {"ar", "ara"}, {"bg", "bul"}, {"ca", "cat"}, {"cs", "ces"}, {"da", "dan"}, {"de", "deu"},
    {"el", "ell"}, {"en", "eng"}, {"es", "spa"}, {"et", "est"}, {"fa", "fas"}, {"fi", "fin"},
    {"fr", "fra"}, {"he", "heb"}, {"hi", "hin"}, {"hr", "hrv"}, {"hu", "hun"}, {"id", "ind"},
    {"it", "ita"}, {"ja", "jpn"}, {"ko", "kor"}, {"lt", "lit"}, {"lv", "lav"}, {"nb", "nob"},
    {"nl", "nld"}, {"no", "nor"}, {"pl", "pol"}, {"pt", "por"}, {"ro", "ron"}, {"ru", "rus"},
    {"sk", "slk"}, {"sl", "slv"}, {"sr", "srp"}, {"sv", "swe"}, {"th", "tha"}, {"tr", "tur"},
    {"uk", "ukr"}, {"vi", "vie"}, {"zh", "zho"}};

/* The three letters of a language; false: it has neither two known ones nor three. */
static bool find_language(const char *text, size_t length, char out[4])
{
    size_t k = 0;
    if (length == 3 && strspn(text, "abcdefghijklmnopqrstuvwxyz") >= 3) {
        snprintf(out, 4, "%.3s", text);
        return true;
    }
    while (k < sizeof codes / sizeof *codes && !(length == 2 && strncmp(codes[k][0], text, 2) == 0))
        k++;
    if (k == sizeof codes / sizeof *codes)
        return false;
    memcpy(out, codes[k][1], 4);
    return true;
}

/* Takes the next translation of a list; false at the end, or where there is no language. */
static bool next_translation(const char **at, char language[4], char **text)
{
    const char *colon = strchr(*at, ':');
    if (!**at || !colon || !find_language(*at, (size_t)(colon - *at), language))
        return false;
    *text = memory_text("");
    for (const char *line = colon + 1;;) {
        const size_t length = strcspn(line, "\n"), blank = strspn(line, " ");
        char other[4];
        text_append(text, "\n", "%.*s", (int)(length - (blank < length ? blank : length)),
                    line + (blank < length ? blank : length));
        *at = line + length + (line[length] == '\n');
        colon = strchr(*at, ':');
        if (!**at || (colon && find_language(*at, (size_t)(colon - *at), other)))
            return true;
        line = *at;
    }
}

/* A caption's text in a language; its own if it has no translation. The caller frees it. */
static char *text_in(const struct scene *scene, const struct caption_found *found, uint32_t i,
                     const char *language)
{
    const char *at = scene->overlay.captions[i].translations;
    char other[4], *text;
    while (next_translation(&at, other, &text)) {
        if (strcmp(other, language) == 0)
            return text;
        free(text);
    }
    return memory_text(found[i].text ? found[i].text : scene->overlay.captions[i].text);
}

static bool add_track(struct caption_track **tracks, size_t *count, const char *language)
{
    for (size_t t = 0; t < *count; t++)
        if (strcmp((*tracks)[t].language, language) == 0)
            return true;
    struct caption_track *track = MEMORY_ADD(*tracks, *count);
    *track = (struct caption_track){.cues = NULL};
    memcpy(track->language, language, sizeof track->language);
    return true;
}

static enum status find_languages(struct caption_track **tracks, size_t *count,
                                  const struct scene *scene)
{
    const struct overlay_params *overlay = &scene->overlay;
    char language[4], *text;
    if (!find_language(overlay->language, strlen(overlay->language), language)) {
        status_fail(STATUS_USAGE, "'%s' is no language; write two or three letters, such as en",
                    overlay->language);
        return scene_blame(scene, "overlay.language");
    }
    add_track(tracks, count, language);
    for (uint32_t i = 0; i < overlay->caption_count; i++) {
        const char *at = overlay->captions[i].translations;
        while (next_translation(&at, language, &text)) {
            free(text);
            add_track(tracks, count, language);
        }
        if (!*at)
            continue;
        char key[64];
        snprintf(key, sizeof key, "overlay.captions[%u].translations", i + 1);
        status_fail(STATUS_USAGE,
                    "'%.40s' does not begin with a language; write LANGUAGE: TEXT, such as "
                    "de: Erste Begegnung",
                    at);
        return scene_blame(scene, key);
    }
    return STATUS_OK;
}

/* The caption that a frame shows; caption_count: none. */
static uint32_t shown_at(const struct scene *scene, const struct caption_found *found,
                         uint64_t frame)
{
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    const double seconds = (double)frame / fps;
    uint32_t i = scene->overlay.caption_count;
    while (i-- > 0)
        if (seconds >= found[i].begins && seconds < found[i].ends)
            return i;
    return scene->overlay.caption_count;
}

static void add_cues(struct caption_track *track, const struct scene *scene,
                     const struct caption_found *found, uint64_t from, uint64_t until)
{
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    const uint32_t none = scene->overlay.caption_count;
    for (uint64_t first = from, end; first < until; first = end) {
        const uint32_t i = shown_at(scene, found, first);
        for (end = first + 1; end < until && shown_at(scene, found, end) == i;)
            end++;
        if (i == none)
            continue;
        *MEMORY_ADD(track->cues, track->count) =
            (struct caption_cue){(double)(first - from) / fps, (double)(end - from) / fps,
                                 text_in(scene, found, i, track->language)};
    }
}

enum status captions_tracks(struct caption_track **out, size_t *count, const struct scene *scene,
                            const struct caption_found *found, uint64_t from, uint64_t until)
{
    *out = NULL;
    *count = 0;
    if (!scene->output.captions->tracks || scene->overlay.caption_count == 0)
        return STATUS_OK;
    const enum status status = find_languages(out, count, scene);
    for (size_t t = 0; status == STATUS_OK && found && t < *count; t++)
        add_cues(&(*out)[t], scene, found, from, until);
    return status;
}
