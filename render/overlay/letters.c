#include "render/overlay/letters.h"

#include "base/log.h"
#include "base/memory.h"

#include <cairo-ft.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void letters_create(struct letters **out, const char *font)
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

void letters_destroy(struct letters **letters)
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

void letters_choose(struct letters *letters, int weight, bool even_figures)
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

/* At most SHOWN_MAX bytes, in whole letters. */
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

bool letters_valid(const char *text)
{
    return g_utf8_validate(text, -1, NULL);
}

void letters_find(struct letters *letters, const char *text)
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

double letters_width(struct letters *letters, cairo_t *cairo, double size, const char *text)
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

void letters_show(struct letters *letters, cairo_t *cairo, double x, double baseline, double size,
                  const char *text)
{
    cairo_move_to(cairo, x, baseline);
    if (letters->first) {
        pango_cairo_show_layout_line(cairo, lay_out(letters, size, text));
        return;
    }
    cairo_set_font_size(cairo, size);
    cairo_show_text(cairo, text);
}

size_t letters_line(struct letters *letters, double size, double room, const char *text)
{
    if (!letters->first)
        return strlen(text);
    lay_out(letters, size, text);
    pango_layout_set_width(letters->layout, (int)(room * PANGO_SCALE));
    return (size_t)pango_layout_get_line_readonly(letters->layout, 0)->length;
}

size_t letters_before_last(const char *text)
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

void letters_names(const struct letters *letters, char *out, size_t size)
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
