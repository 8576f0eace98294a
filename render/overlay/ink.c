/* Text set by Pango: letters of every script, in the requested font and, for letters that it lacks,
 * in other installed fonts. One thread at a time. */
#include "render/overlay/ink.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"

#include <cairo-ft.h>
#include <cairo.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct letters;

enum { OTHERS_MAX = 64, SHOWN_MAX = 60 };

struct letters {
    PangoFontDescription *font;
    PangoLayout *layout;
    PangoFont *first;        /* NULL: no font is installed, and cairo draws plain strokes */
    char others[OTHERS_MAX]; /* the families beside the first: " and Noto Sans CJK JP" */
};

static bool same_family(const char *asked, const char *found)
{
    static const char *const generic[] = {"sans-serif", "sans", "serif", "monospace"};
    for (size_t i = 0; i < sizeof generic / sizeof *generic; i++)
        if (strcasecmp(asked, generic[i]) == 0)
            return true;
    size_t a = strlen(asked), b = strlen(found);
    return strncasecmp(asked, found, a < b ? a : b) == 0; /* "DejaVu Sans Condensed" */
}

/* The caller frees it. */
static char *family_of(PangoFont *font)
{
    PangoFontDescription *description = pango_font_describe(font);
    char *family = memory_text(pango_font_description_get_family(description));
    pango_font_description_free(description);
    return family;
}

static void warn_of_font(const struct letters *letters, const char *font)
{
    if (!letters->first) {
        log_warning("no font is installed, so the overlay is drawn in plain strokes; install one "
                    "(fonts-dejavu-core)");
        return;
    }
    char *family = family_of(letters->first);
    if (!same_family(font, family))
        log_warning("the font '%s' is not installed, so the overlay is drawn in '%s'; install it "
                    "or set overlay.font",
                    font, family);
    free(family);
}

/* Sets all that pictures depend on, whatever the settings of the machine are. */
static void choose_options(PangoContext *context)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
}

/* Warns when the font is not installed and another one, or none, replaces it. */
static void letters_create(struct letters **out, const char *font)
{
    struct letters *letters = *out = memory_new(1, sizeof *letters);
    PangoFontMap *map = pango_cairo_font_map_new();
    PangoContext *context = pango_font_map_create_context(map);
    choose_options(context);
    letters->layout = pango_layout_new(context);
    letters->font = pango_font_description_new();
    pango_font_description_set_family(letters->font, font);
    letters->first = pango_context_load_font(context, letters->font);
    g_object_unref(context);
    g_object_unref(map);
    warn_of_font(letters, font);
}

/* accepts a pointer to NULL */
static void letters_destroy(struct letters **letters)
{
    struct letters *self = *letters;
    if (!self)
        return;
    g_clear_object(&self->first);
    g_object_unref(self->layout);
    pango_font_description_free(self->font);
    free(self);
    *letters = NULL;
}

/* Selects the font's nearest weight (400 regular, 600 semi-bold) and, if requested and available,
 * digits of equal width; initially regular, with the font's usual digits. */
static void letters_choose(struct letters *letters, int weight, bool even_figures)
{
    PangoAttrList *attributes = pango_attr_list_new();
    if (even_figures)
        pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
    pango_layout_set_attributes(letters->layout, attributes);
    pango_attr_list_unref(attributes);
    pango_font_description_set_weight(letters->font, (PangoWeight)weight);
}

/* The text, without line ends, as one line. */
static PangoLayoutLine *lay_out(struct letters *letters, double size, const char *text)
{
    pango_font_description_set_absolute_size(letters->font, size * PANGO_SCALE);
    pango_layout_set_font_description(letters->layout, letters->font);
    pango_layout_set_width(letters->layout, -1);
    pango_layout_set_text(letters->layout, text, -1);
    return pango_layout_get_line_readonly(letters->layout, 0);
}

static void add_other(struct letters *letters, PangoFont *font)
{
    char *family = family_of(font), *first = family_of(letters->first);
    const size_t used = strlen(letters->others);
    if (strcmp(family, first) != 0 && !strstr(letters->others, family))
        snprintf(letters->others + used, OTHERS_MAX - used, " and %s", family);
    free(family);
    free(first);
}

/* Returns the length of the text, at most SHOWN_MAX bytes, in whole letters. */
static int shown_bytes(const char *text)
{
    const size_t length = strlen(text);
    return (int)(length > SHOWN_MAX ? g_utf8_find_prev_char(text, text + SHOWN_MAX) - text
                                    : (ptrdiff_t)length);
}

static void warn_of_letter(const char *text, gunichar code)
{
    char letter[7] = "";
    g_unichar_to_utf8(code, letter);
    log_warning("no installed font has the letter '%s' (U+%04X) of the text '%.*s%s', so it is "
                "drawn as a box or left out; install a font that has it",
                letter, code, shown_bytes(text), text, strlen(text) > SHOWN_MAX ? "..." : "");
}

/* UTF-8 */
static bool letters_valid(const char *text)
{
    return g_utf8_validate(text, -1, NULL);
}

/* Warns of a letter in `text` that no font has. */
static void letters_find(struct letters *letters, const char *text)
{
    gunichar missing = 0;
    if (!letters->first)
        return;
    for (GSList *run = lay_out(letters, 20, text)->runs; run; run = run->next) {
        const PangoGlyphItem *item = run->data;
        const int count = item->glyphs->num_glyphs;
        add_other(letters, item->item->analysis.font);
        for (int i = 0; i < count && !missing; i++)
            if (item->glyphs->glyphs[i].glyph & PANGO_GLYPH_UNKNOWN_FLAG)
                missing = item->glyphs->glyphs[i].glyph & ~(gunichar)PANGO_GLYPH_UNKNOWN_FLAG;
    }
    if (missing)
        warn_of_letter(text, missing);
}

static double letters_width(struct letters *letters, cairo_t *cairo, double size, const char *text)
{
    cairo_text_extents_t strokes;
    PangoRectangle extents;
    if (letters->first) {
        pango_layout_line_get_extents(lay_out(letters, size, text), NULL, &extents);
        return extents.width / (double)PANGO_SCALE;
    }
    cairo_set_font_size(cairo, size);
    cairo_text_extents(cairo, text, &strokes);
    return strokes.x_advance;
}

static void letters_show(struct letters *letters, cairo_t *cairo, double x, double baseline,
                         double size, const char *text)
{
    cairo_move_to(cairo, x, baseline);
    if (letters->first) {
        pango_cairo_show_layout_line(cairo, lay_out(letters, size, text));
        return;
    }
    cairo_set_font_size(cairo, size);
    cairo_show_text(cairo, text);
}

/* Length in bytes of the text's first line, see ink_break; the whole text if no font is installed.
 */
static size_t letters_line(struct letters *letters, double size, double room, const char *text)
{
    if (!letters->first)
        return strlen(text);
    lay_out(letters, size, text);
    pango_layout_set_width(letters->layout, (int)(room * PANGO_SCALE));
    return (size_t)pango_layout_get_line_readonly(letters->layout, 0)->length;
}

/* Length in bytes of the text without its last letter and that letter's marks. */
static size_t letters_before_last(const char *text)
{
    const int count = (int)g_utf8_strlen(text, -1);
    PangoLogAttr *places = memory_new((size_t)count + 1, sizeof *places);
    int last = count - 1;
    pango_get_log_attrs(text, -1, -1, pango_language_from_string("en"), places, count + 1);
    while (last > 0 && !places[last].is_cursor_position)
        last--;
    free(places);
    return last > 0 ? (size_t)(g_utf8_offset_to_pointer(text, last) - text) : 0;
}

/* The families in use, and the libraries that determine shapes and positions of letters. */
static void letters_names(const struct letters *letters, char *out, size_t size)
{
    FT_Int major = 0, minor = 0, patch = 0;
    snprintf(out, size, "plain strokes");
    if (!letters->first)
        return;
    cairo_scaled_font_t *scaled =
        pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(letters->first));
    FT_Face face = cairo_ft_scaled_font_lock_face(scaled);
    if (face) {
        FT_Library_Version(face->glyph->library, &major, &minor, &patch);
        cairo_ft_scaled_font_unlock_face(scaled);
    }
    char *family = family_of(letters->first);
    snprintf(out, size, "%.60s%s, Pango %.12s, HarfBuzz %.12s, cairo %.12s, FreeType %d.%d.%d",
             family, letters->others, pango_version_string(), hb_version_string(),
             cairo_version_string(), major, minor, patch);
    free(family);
}

/* ---- ink ---- */

static const char ellipsis[] = "\xe2\x80\xa6";
static const double shadow_strength = 5, shadow_darkest = 0.7;

static const int weights[INK_ROLES] = {
    [INK_TEXT] = 400, [INK_NUMBER] = 400, [INK_LABEL] = 500, [INK_TITLE] = 600};

struct ink {
    const struct word_params *words; /* [word_count] */
    uint32_t word_count;
    bool by_role, prints;
    struct letters *letters;
    int width, height; /* of the plate; the surface is as large or larger */
    int radius;
    int columns, rows; /* of the surface */
    double dark[256];  /* opacity of the shadow, 0 .. 255, by blurred coverage */
    float colour[3];
    cairo_surface_t *surface;
    cairo_t *cairo;
    uint8_t *pixels;             /* [height][width][4] */
    uint8_t *shade, *transposed; /* [height][width], after the pixels */
};

void ink_letters(const struct ink *ink, char out[INK_LETTERS])
{
    letters_names(ink->letters, out, INK_LETTERS);
}

static void drop_surface(struct ink *ink)
{
    cairo_destroy(ink->cairo);
    cairo_surface_destroy(ink->surface);
    free(ink->pixels);
}

/* Provides a surface for plates of up to width x height. */
static enum status make_room(struct ink *ink, int width, int height)
{
    drop_surface(ink);
    const size_t pixels = (size_t)width * (size_t)height;
    ink->columns = width;
    ink->rows = height;
    ink->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    ink->cairo = cairo_create(ink->surface);
    ink->pixels = malloc(6 * pixels);
    ink->shade = ink->pixels ? ink->pixels + 4 * pixels : NULL;
    ink->transposed = ink->pixels ? ink->shade + pixels : NULL;
    cairo_status_t status = cairo_status(ink->cairo);
    if (status == CAIRO_STATUS_SUCCESS && ink->pixels)
        return STATUS_OK;
    ink->columns = ink->rows = 0;
    return status_fail(STATUS_RUNTIME, "the overlay cannot be drawn: %s",
                       status == CAIRO_STATUS_SUCCESS ? "no memory left"
                                                      : cairo_status_to_string(status));
}

enum status ink_create(struct ink **out, const char *font, double shadow)
{
    struct ink *ink = *out = memory_new(1, sizeof *ink);
    ink->radius = (int)fmax(1, round(shadow / 3)); /* of each of three passes */
    for (int i = 0; i < 256; i++)
        ink->dark[i] = 255 * shadow_darkest * (1 - fn_exp(-shadow_strength * i / 255));
    enum status status = make_room(ink, 1, 1);
    if (status == STATUS_OK)
        letters_create(&ink->letters, font);
    else
        ink_destroy(out);
    return status;
}

void ink_destroy(struct ink **ink)
{
    struct ink *self = *ink;
    if (!self)
        return;
    letters_destroy(&self->letters);
    drop_surface(self);
    free(self);
    *ink = NULL;
}

void ink_print(struct ink *ink)
{
    ink->prints = true;
}

void ink_weigh(struct ink *ink)
{
    ink->by_role = true;
}

void ink_role(struct ink *ink, enum ink_role role)
{
    if (ink->by_role)
        letters_choose(ink->letters, weights[role], role == INK_NUMBER);
}

void ink_clean(struct ink *ink, char *text)
{
    const bool valid = letters_valid(text);
    for (unsigned char *at = (unsigned char *)text; *at; at++)
        if (*at < ' ' || *at == 0x7f)
            *at = ' ';
        else if (!valid && *at >= 0x80)
            *at = '?';
    letters_find(ink->letters, text);
}

void ink_words(struct ink *ink, const struct word_params *words, uint32_t count)
{
    ink->words = words;
    ink->word_count = count;
}

static bool ends_word(char byte)
{
    return !byte || strchr(" ,.;:()\n", byte);
}

/* The longest of the words that is the next whole one of `text`; NULL: none. */
static const struct word_params *next_word(const struct word_params *words, uint32_t count,
                                           const char *text)
{
    const struct word_params *best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const size_t length = strlen(words[i].text);
        if (length > 0 && strncmp(text, words[i].text, length) == 0 && ends_word(text[length]) &&
            (!best || length > strlen(best->text)))
            best = &words[i];
    }
    return best;
}

void ink_in_words(char *out, size_t size, const struct word_params *words, uint32_t count,
                  const char *text)
{
    size_t used = 0;
    for (const char *at = text; *at && used + 1 < size;) {
        const bool begins = at == text || ends_word(at[-1]);
        const struct word_params *word = begins ? next_word(words, count, at) : NULL;
        const size_t length = word ? strlen(word->as) : 1;
        if (used + length >= size)
            break;
        memcpy(out + used, word ? word->as : at, length);
        used += length;
        at += word ? strlen(word->text) : 1;
    }
    while (used > 0 && used + 1 >= size && ((unsigned char)out[used - 1] & 0x80))
        used--; /* no letter is cut */
    out[used] = '\0';
}

/* The text to write, in `room` where it has other words. */
static const char *in_words(const struct ink *ink, const char *text,
                            char room[OVERLAY_TEXT_MAX + 4])
{
    if (ink->word_count == 0)
        return text;
    ink_in_words(room, OVERLAY_TEXT_MAX + 4, ink->words, ink->word_count, text);
    return room;
}

double ink_width(struct ink *ink, double size, const char *text)
{
    char room[OVERLAY_TEXT_MAX + 4];
    return letters_width(ink->letters, ink->cairo, size, in_words(ink, text, room));
}

/* Length in bytes of the text's first line, broken by Unicode's rules to be no wider than `room`;
 * at least the whole first word. */
static size_t ink_break(struct ink *ink, double size, double room, const char *text)
{
    return letters_line(ink->letters, size, room, text);
}

bool ink_fit(struct ink *ink, double size, double room, char *text)
{
    size_t length = strlen(text);
    const bool whole = ink_width(ink, size, text) <= room;
    bool fits = whole;
    while (!fits && length > 0) {
        text[length] = '\0';
        length = letters_before_last(text);
        while (length > 0 && text[length - 1] == ' ')
            length--;
        strcpy(text + length, length > 0 ? ellipsis : "");
        fits = ink_width(ink, size, text) <= room;
    }
    return whole;
}

enum status ink_begin(struct ink *ink, int width, int height)
{
    static const float white[3] = {1, 1, 1};
    if (width > ink->columns || height > ink->rows) {
        enum status status = make_room(ink, width > ink->columns ? width : ink->columns,
                                       height > ink->rows ? height : ink->rows);
        if (status != STATUS_OK)
            return status;
    }
    ink->width = width;
    ink->height = height;
    cairo_save(ink->cairo);
    cairo_set_operator(ink->cairo, CAIRO_OPERATOR_CLEAR);
    cairo_rectangle(ink->cairo, 0, 0, width, height);
    cairo_fill(ink->cairo);
    cairo_restore(ink->cairo);
    ink_colour(ink, white);
    return STATUS_OK;
}

void ink_exactly(struct ink *ink, const float shown[3])
{
    memcpy(ink->colour, shown, sizeof ink->colour);
}

/* Same as ink() in render/shaders/look.glsl, except that letters, which are white, become black. */
static float printed(const float shown[3], int c)
{
    const float covered = fmaxf(fmaxf(shown[0], shown[1]), shown[2]), most = fmaxf(covered, 1e-6f);
    const float white = fminf(fminf(shown[0], shown[1]), shown[2]) / most;
    const float chroma = fmaxf(1 - white, 1e-6f),
                passed = (shown[c] / most - white) / (float)fn_pow(chroma, 0.7);
    return 1 - covered * (1 - passed) * (0.7f + 0.3f * (float)fn_pow(chroma, 0.3));
}

void ink_colour(struct ink *ink, const float shown[3])
{
    const bool letters = fminf(fminf(shown[0], shown[1]), shown[2]) >= 1;
    for (int c = 0; c < 3; c++)
        ink->colour[c] = !ink->prints ? shown[c] : letters ? 0 : printed(shown, c);
}

static void set_source(struct ink *ink, double opacity)
{
    cairo_set_source_rgba(ink->cairo, ink->colour[0], ink->colour[1], ink->colour[2], opacity);
}

void ink_text(struct ink *ink, double x, double baseline, double size, double opacity,
              const char *text)
{
    char room[OVERLAY_TEXT_MAX + 4];
    text = in_words(ink, text, room);
    set_source(ink, opacity);
    letters_show(ink->letters, ink->cairo, x, baseline, size, text);
}

void ink_box(struct ink *ink, double x, double y, double width, double height, double opacity)
{
    set_source(ink, opacity);
    cairo_rectangle(ink->cairo, x, y, width, height);
    cairo_fill(ink->cairo);
}

void ink_line(struct ink *ink, const double (*points)[2], size_t count, double width,
              double opacity)
{
    set_source(ink, opacity);
    cairo_set_line_width(ink->cairo, width);
    cairo_set_line_cap(ink->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(ink->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(ink->cairo);
    cairo_move_to(ink->cairo, points[0][0], points[0][1]);
    for (size_t i = count > 1; i < count; i++)
        cairo_line_to(ink->cairo, points[i][0], points[i][1]);
    if (count == 1) /* a dot */
        cairo_line_to(ink->cairo, points[0][0], points[0][1]);
    cairo_stroke(ink->cairo);
}

/* Blurs each row with a box of 2 * radius + 1 pixels, and writes the result transposed. */
static void blur_transposing(const uint8_t *from, uint8_t *to, int width, int height, int radius)
{
    const int span = 2 * radius + 1;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = from + (size_t)y * (size_t)width;
        int sum = 0;
        for (int x = -radius; x < width; x++) {
            sum += x + radius < width ? row[x + radius] : 0;
            sum -= x - radius - 1 >= 0 ? row[x - radius - 1] : 0;
            if (x >= 0)
                to[(size_t)x * (size_t)height + (size_t)y] = (uint8_t)((sum + radius) / span);
        }
    }
}

/* A pixel in cairo's format: alpha in the highest byte, then red, green and blue. */
static uint32_t drawn_at(const struct ink *ink, size_t at)
{
    uint32_t drawn;
    memcpy(&drawn, ink->pixels + 4 * at, sizeof drawn);
    return drawn;
}

enum status ink_end(struct ink *ink, const uint8_t **pixels, int *width, int *height)
{
    cairo_surface_flush(ink->surface);
    cairo_status_t status = cairo_status(ink->cairo);
    if (status != CAIRO_STATUS_SUCCESS)
        return status_fail(STATUS_RUNTIME, "the overlay cannot be drawn: %s",
                           cairo_status_to_string(status));
    const uint8_t *surface = cairo_image_surface_get_data(ink->surface);
    const size_t pitch = (size_t)cairo_image_surface_get_stride(ink->surface);
    const size_t columns = (size_t)ink->width, rows = (size_t)ink->height;
    for (size_t y = 0; y < rows; y++)
        memcpy(ink->pixels + 4 * y * columns, surface + y * pitch, 4 * columns);
    for (size_t at = 0; at < rows * columns; at++)
        ink->shade[at] = (uint8_t)(drawn_at(ink, at) >> 24);
    for (int pass = 0; pass < 3; pass++) {
        blur_transposing(ink->shade, ink->transposed, ink->width, ink->height, ink->radius);
        blur_transposing(ink->transposed, ink->shade, ink->height, ink->width, ink->radius);
    }
    /* Colour is already premultiplied by alpha, as GL needs it; only the byte order differs. */
    for (size_t at = 0; at < rows * columns; at++) {
        const uint32_t drawn = drawn_at(ink, at);
        const double alpha = drawn >> 24, shadow = ink->dark[ink->shade[at]] * (1 - alpha / 255);
        const double lit = ink->prints ? shadow + 0.5 : 0;
        uint8_t *pixel = ink->pixels + 4 * at;
        for (int c = 0; c < 3; c++)
            pixel[c] = (uint8_t)((drawn >> (16 - 8 * c) & 255) + lit);
        pixel[3] = (uint8_t)(alpha + shadow + 0.5);
    }
    *pixels = ink->pixels;
    *width = ink->width;
    *height = ink->height;
    return STATUS_OK;
}

/* ---- paragraph ---- */

/* Length of the line ending at `at`; 0: none. */
static size_t line_end(const char *at)
{
    if (at[0] == '\n' || (at[0] == '\r' && at[1] != '\n'))
        return 1;
    if (at[0] == '\r')
        return 2;
    return strncmp(at, "\xe2\x80\xa8", 3) == 0 || strncmp(at, "\xe2\x80\xa9", 3) == 0 ? 3 : 0;
}

/* Normalizes line endings to line feeds and strips them at both ends. The caller frees the
 * result. */
static char *plain_lines(const char *text)
{
    char *out = memory_text(text), *to = out;
    for (const char *at = text; *at;) {
        const size_t end = line_end(at);
        if (!end)
            *to++ = *at++;
        else if (to > out)
            *to++ = '\n';
        at += end;
    }
    while (to > out && to[-1] == '\n')
        to--;
    *to = '\0';
    return out;
}

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

struct paragraph {
    char *out;
    size_t used;
    int lines;
};

static bool add_line(struct paragraph *paragraph, struct ink *ink,
                     const struct paragraph_room *room, const char *line)
{
    char fitted[OVERLAY_TEXT_MAX + 4];
    strcpy(fitted, line);
    ink_fit(ink, room->size, room->width, fitted);
    const size_t length = strlen(fitted), gap = paragraph->lines > 0;
    if (paragraph->lines == room->lines || paragraph->used + gap + length > OVERLAY_TEXT_MAX + 3)
        return false;
    if (gap)
        paragraph->out[paragraph->used++] = '\n';
    memcpy(paragraph->out + paragraph->used, fitted, length + 1);
    paragraph->used += length;
    paragraph->lines++;
    return true;
}

/* The number of lines into which a line breaks at this width. */
static int count_broken(struct ink *ink, double size, double width, const char *line)
{
    int count = 0;
    for (; *line; count++)
        line += ink_break(ink, size, width, line);
    return count;
}

/* The smallest width, to a fiftieth, at which the line breaks into as few lines as at `width`:
 * lines of similar length read better than a last one of a word. */
static double balance(struct ink *ink, double size, double width, const char *line)
{
    const int least = count_broken(ink, size, width, line);
    double balanced = width;
    while (least > 1 && balanced > width / 2 &&
           count_broken(ink, size, balanced - width / 50, line) == least)
        balanced -= width / 50;
    return balanced;
}

static bool add_wrapped(struct paragraph *paragraph, struct ink *ink,
                        const struct paragraph_room *room, const char *line)
{
    char part[OVERLAY_TEXT_MAX + 4];
    const double width = room->wraps ? balance(ink, room->size, room->width, line) : room->width;
    do {
        size_t length = room->wraps ? ink_break(ink, room->size, width, line) : strlen(line);
        memcpy(part, line, length);
        line += length;
        while (*line && length > 0 && part[length - 1] == ' ')
            length--;
        part[length] = '\0';
        if (!add_line(paragraph, ink, room, part))
            return false;
    } while (*line);
    return true;
}

/* Copies a line of the text, cleaned and, if too long, cut between letters. */
static const char *take_line(const char *at, struct ink *ink, char *out)
{
    const size_t whole = strcspn(at, "\n");
    size_t length = whole < OVERLAY_TEXT_MAX ? whole : OVERLAY_TEXT_MAX;
    while (length < whole && length > 0 && continues(at[length]))
        length--;
    memcpy(out, at, length);
    out[length] = '\0';
    ink_clean(ink, out);
    return at[whole] ? at + whole + 1 : NULL;
}

int paragraph_fit(char *out, struct ink *ink, const struct paragraph_room *room, const char *text)
{
    char line[OVERLAY_TEXT_MAX + 4], *plain = plain_lines(text);
    struct paragraph paragraph = {.out = out};
    bool all = true;
    out[0] = '\0';
    for (const char *at = plain; at && all;) {
        at = take_line(at, ink, line);
        all = add_wrapped(&paragraph, ink, room, line);
    }
    if (!all)
        log_warning("the text '%.*s...' has more lines than there is room for, of which %d are "
                    "shown; shorten it or choose a smaller overlay.size",
                    (int)strcspn(out, "\n"), out, paragraph.lines);
    free(plain);
    return paragraph.lines;
}

bool paragraph_next(const char **at, char *out)
{
    if (!*at)
        return false;
    const size_t length = strcspn(*at, "\n");
    memcpy(out, *at, length);
    out[length] = '\0';
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return true;
}

int paragraph_lines(const char *text)
{
    int lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

double paragraph_width(struct ink *ink, double size, const char *text)
{
    char line[OVERLAY_TEXT_MAX + 4];
    double widest = 0;
    while (paragraph_next(&text, line))
        widest = fmax(widest, ink_width(ink, size, line));
    return widest;
}
