#include "render/overlay/letters.h"

#include "base/log.h"
#include "base/memory.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES_MAX = 16, SHOWN_MAX = 60 };

struct letters {
    char *font;
    int weight;    /* in fontconfig's scale */
    double figure; /* width of each digit, in letter sizes; 0: natural */
    int count;
    struct {
        cairo_font_face_t *face;
        char *family; /* NULL for the first */
    } faces[FACES_MAX];
};

/* Scripts whose letters join, change places or run right to left. */
static const struct {
    uint32_t first, last;
    const char *name;
} scripts[] = {
    {0x0590, 0x05ff, "Hebrew"},     {0x0600, 0x06ff, "Arabic"},    {0x0700, 0x074f, "Syriac"},
    {0x0750, 0x077f, "Arabic"},     {0x0780, 0x07bf, "Thaana"},    {0x07c0, 0x07ff, "N'Ko"},
    {0x0840, 0x085f, "Mandaic"},    {0x0860, 0x08ff, "Arabic"},    {0x0900, 0x097f, "Devanagari"},
    {0x0980, 0x09ff, "Bengali"},    {0x0a00, 0x0a7f, "Gurmukhi"},  {0x0a80, 0x0aff, "Gujarati"},
    {0x0b00, 0x0b7f, "Oriya"},      {0x0b80, 0x0bff, "Tamil"},     {0x0c00, 0x0c7f, "Telugu"},
    {0x0c80, 0x0cff, "Kannada"},    {0x0d00, 0x0d7f, "Malayalam"}, {0x0d80, 0x0dff, "Sinhala"},
    {0x0e00, 0x0e7f, "Thai"},       {0x0e80, 0x0eff, "Lao"},       {0x0f00, 0x0fff, "Tibetan"},
    {0x1000, 0x109f, "Burmese"},    {0x1780, 0x17ff, "Khmer"},     {0x1800, 0x18af, "Mongolian"},
    {0xa8e0, 0xa8ff, "Devanagari"}, {0xfb1d, 0xfb4f, "Hebrew"},    {0xfb50, 0xfdff, "Arabic"},
    {0xfe70, 0xfefc, "Arabic"},     {0x11000, 0x1107f, "Brahmi"},  {0x1e900, 0x1e95f, "Adlam"},
};

/* Decodes the code point at `at` of valid UTF-8 and returns its length in bytes. */
static size_t decode(const char *at, uint32_t *code)
{
    const unsigned char *bytes = (const unsigned char *)at;
    const size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    *code = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (size_t i = 1; i < length && bytes[i]; i++)
        *code = *code << 6 | (bytes[i] & 0x3fu);
    return length;
}

/* Skips formatting characters, which have no glyph. */
static bool is_invisible(uint32_t code)
{
    return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x2064) || (code >= 0xfe00 && code <= 0xfe0f) ||
           code == 0xfeff || code == 0xad;
}

static bool has_letter(cairo_t *cairo, cairo_font_face_t *face, uint32_t code)
{
    cairo_set_font_face(cairo, face);
    cairo_scaled_font_t *scaled = cairo_get_scaled_font(cairo);
    if (cairo_scaled_font_get_type(scaled) != CAIRO_FONT_TYPE_FT)
        return code < 0x80; /* plain strokes */
    FT_Face found = cairo_ft_scaled_font_lock_face(scaled);
    const bool has = found && FT_Get_Char_Index(found, code) != 0;
    if (found)
        cairo_ft_scaled_font_unlock_face(scaled);
    return has;
}

/* Index of the first face that has the letter; -1: none. */
static int face_with(const struct letters *letters, cairo_t *cairo, uint32_t code)
{
    int face = -1;
    if (code < 0x80)
        return 0;
    for (int i = 0; i < letters->count && face < 0; i++)
        face = has_letter(cairo, letters->faces[i].face, code) ? i : -1;
    cairo_set_font_face(cairo, letters->faces[0].face);
    return face;
}

/* The installed font that, according to fontconfig, is most similar to the requested one among
 * those that have the letter; NULL: none. */
static FcPattern *find_font(const char *font, int weight, uint32_t code)
{
    FcPattern *asked = FcPatternCreate();
    FcCharSet *wanted = FcCharSetCreate(), *has;
    FcResult result;
    FcCharSetAddChar(wanted, code);
    FcPatternAddString(asked, FC_FAMILY, (const FcChar8 *)font);
    FcPatternAddInteger(asked, FC_WEIGHT, weight);
    FcPatternAddCharSet(asked, FC_CHARSET, wanted);
    FcPatternAddBool(asked, FC_SCALABLE, FcTrue);
    FcConfigSubstitute(NULL, asked, FcMatchPattern);
    FcDefaultSubstitute(asked);
    FcPattern *found = FcFontMatch(NULL, asked, &result);
    FcCharSetDestroy(wanted);
    FcPatternDestroy(asked);
    if (found && FcPatternGetCharSet(found, FC_CHARSET, 0, &has) == FcResultMatch &&
        FcCharSetHasChar(has, code))
        return found;
    if (found)
        FcPatternDestroy(found);
    return NULL;
}

static double advance_of(cairo_t *cairo, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

void letters_create(struct letters **out, cairo_t *cairo, const char *font)
{
    struct letters *letters = *out = memory_new(1, sizeof *letters);
    letters->font = memory_text(font);
    letters->weight = FC_WEIGHT_REGULAR;
    letters->faces[0].face = cairo_font_face_reference(cairo_get_font_face(cairo));
    letters->count = 1;
}

/* Width of the widest digit, unless all are equally wide. */
static double measure_figures(cairo_t *cairo)
{
    static const double size = 100;
    double least = INFINITY, most = 0;
    cairo_set_font_size(cairo, size);
    for (char figure[] = "0"; figure[0] <= '9'; figure[0]++) {
        const double width = advance_of(cairo, figure) / size;
        least = fmin(least, width);
        most = fmax(most, width);
    }
    return most - least > 1e-4 ? most : 0;
}

void letters_create_weighed(struct letters **out, cairo_t *cairo, const char *font, int weight,
                            bool even_figures)
{
    FcPattern *pattern = find_font(font, weight, ' ');
    letters_create(out, cairo, font);
    struct letters *letters = *out;
    letters->weight = weight;
    if (pattern) {
        cairo_font_face_destroy(letters->faces[0].face);
        letters->faces[0].face = cairo_ft_font_face_create_for_pattern(pattern);
        FcPatternDestroy(pattern);
    }
    letters_choose(letters, cairo);
    if (even_figures)
        letters->figure = measure_figures(cairo);
}

void letters_choose(const struct letters *letters, cairo_t *cairo)
{
    cairo_set_font_face(cairo, letters->faces[0].face);
}

void letters_destroy(struct letters **letters)
{
    struct letters *self = *letters;
    if (!self)
        return;
    for (int i = 0; i < self->count; i++) {
        cairo_font_face_destroy(self->faces[i].face);
        free(self->faces[i].family);
    }
    free(self->font);
    free(self);
    *letters = NULL;
}

static bool add_font(struct letters *letters, cairo_t *cairo, uint32_t code)
{
    FcChar8 *family = NULL;
    FcPattern *pattern =
        letters->count < FACES_MAX ? find_font(letters->font, letters->weight, code) : NULL;
    if (!pattern)
        return false;
    cairo_font_face_t *face = cairo_ft_font_face_create_for_pattern(pattern);
    const bool usable = has_letter(cairo, face, code);
    cairo_set_font_face(cairo, letters->faces[0].face);
    if (usable) {
        FcPatternGetString(pattern, FC_FAMILY, 0, &family);
        letters->faces[letters->count].face = face;
        letters->faces[letters->count++].family = memory_text(family ? (const char *)family : "?");
    } else {
        cairo_font_face_destroy(face);
    }
    FcPatternDestroy(pattern);
    return usable;
}

static const char *script_of(uint32_t code)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (code >= scripts[i].first && code <= scripts[i].last)
            return scripts[i].name;
    return NULL;
}

/* At most SHOWN_MAX bytes, in whole letters. */
static int shown_bytes(const char *text)
{
    size_t length = strnlen(text, SHOWN_MAX);
    while (length > 0 && text[length] && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return (int)length;
}

void letters_find(struct letters *letters, cairo_t *cairo, const char *text)
{
    const char *script = NULL, *missing = NULL;
    uint32_t code, first = 0;
    int missing_length = 0;
    for (const char *at = text; *at;) {
        const size_t length = decode(at, &code);
        if (!script)
            script = script_of(code);
        if (!is_invisible(code) && face_with(letters, cairo, code) < 0 &&
            !add_font(letters, cairo, code) && !missing) {
            missing = at;
            missing_length = (int)length;
            first = code;
        }
        at += length;
    }
    const char *more = strlen(text) > SHOWN_MAX ? "..." : "";
    if (missing)
        log_warning("no installed font has the letter '%.*s' (U+%04X) of the text '%.*s%s', and a "
                    "box or nothing stands for it; install a font that has it",
                    missing_length, missing, first, shown_bytes(text), text, more);
    if (script)
        log_warning("the text '%.*s%s' has %s letters, and the overlay sets letters one by one "
                    "from left to right, without joining or reordering them, so that it will not "
                    "read as it should; lay it over the film with another program",
                    shown_bytes(text), text, more, script);
}

/* A part of the text in one face. */
struct run {
    char text[128];
    int face;
    bool figure; /* a digit, set with the common width */
};

static bool is_figure(const struct letters *letters, char letter)
{
    return letters->figure > 0 && letter >= '0' && letter <= '9';
}

/* Finds the next run from *at on; false at the end of the text. Skips invisible letters. */
static bool next_run(const struct letters *letters, cairo_t *cairo, const char **at,
                     struct run *run)
{
    size_t used = 0;
    run->face = -1;
    run->figure = is_figure(letters, **at);
    while (**at && used + 5 < sizeof run->text) {
        if (used > 0 && (run->figure || is_figure(letters, **at)))
            break;
        uint32_t code;
        const size_t length = decode(*at, &code);
        const int face = face_with(letters, cairo, code), chosen = face < 0 ? 0 : face;
        if (!(face < 0 && is_invisible(code))) {
            if (run->face >= 0 && chosen != run->face)
                break;
            run->face = chosen;
            memcpy(run->text + used, *at, length);
            used += length;
        }
        *at += length;
    }
    run->text[used] = '\0';
    return used > 0;
}

/* Whether the first face suffices for the text. */
static bool is_plain(const struct letters *letters, cairo_t *cairo, const char *text)
{
    uint32_t code;
    for (const char *at = text; *at; at += decode(at, &code)) {
        decode(at, &code);
        const int face = face_with(letters, cairo, code);
        if (face > 0 || (face < 0 && is_invisible(code)) || is_figure(letters, *at))
            return false;
    }
    return true;
}

/* The run's width, and the offset at which its letters begin. */
static double run_width(const struct letters *letters, cairo_t *cairo, const struct run *run,
                        double *inset)
{
    const double advance = advance_of(cairo, run->text);
    cairo_matrix_t size;
    cairo_get_font_matrix(cairo, &size);
    const double width = run->figure ? letters->figure * size.xx : advance;
    *inset = (width - advance) / 2;
    return width;
}

double letters_width(struct letters *letters, cairo_t *cairo, const char *text)
{
    struct run run;
    double width = 0, inset;
    if (is_plain(letters, cairo, text))
        return advance_of(cairo, text);
    while (next_run(letters, cairo, &text, &run)) {
        cairo_set_font_face(cairo, letters->faces[run.face].face);
        width += run_width(letters, cairo, &run, &inset);
        cairo_set_font_face(cairo, letters->faces[0].face);
    }
    return width;
}

void letters_show(struct letters *letters, cairo_t *cairo, double x, double baseline,
                  const char *text)
{
    struct run run;
    cairo_move_to(cairo, x, baseline);
    if (is_plain(letters, cairo, text)) {
        cairo_show_text(cairo, text);
        return;
    }
    while (next_run(letters, cairo, &text, &run)) {
        cairo_set_font_face(cairo, letters->faces[run.face].face);
        double inset;
        const double width = run_width(letters, cairo, &run, &inset);
        cairo_move_to(cairo, x + inset, baseline);
        cairo_show_text(cairo, run.text);
        x += width;
        cairo_set_font_face(cairo, letters->faces[0].face);
    }
}

void letters_others(const struct letters *letters, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 1; i < letters->count && used + 1 < size; i++)
        used += (size_t)snprintf(out + used, size - used, " and %s", letters->faces[i].family);
}
