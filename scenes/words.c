#include "scenes/value.h"

#include "base/choice.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The next code point of UTF-8 and its length; an invalid byte counts as itself. */
static size_t decode(const unsigned char *text, uint32_t *code)
{
    const size_t length = text[0] < 0xc0 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    *code = text[0] & (length == 1 ? 0xff : 0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            *code = text[0];
            return 1;
        }
        *code = *code << 6 | (text[i] & 0x3f);
    }
    return length;
}

/* These marks change the displayed order of the text after them; see also text_control in
 * base/text.h. */
static bool is_mark_of_direction(uint32_t code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static bool is_printable(uint32_t code)
{
    if (is_mark_of_direction(code))
        return false;
    return (code >= 0x20 && code < 0x7f) ||
           (code >= 0xa0 && code < 0xd800 && code != 0x2028 && code != 0x2029) ||
           (code >= 0xe000 && code <= 0xfffd && code != 0xfeff) ||
           (code >= 0x10000 && code <= 0x10ffff);
}

static bool is_plain_word(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return text[0] != '\0' && strchr(letters, text[0]) &&
           strspn(text, "-./abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               strlen(text) &&
           strcasecmp(text, "null") != 0;
}

void quote_print(FILE *file, const char *text)
{
    if (is_plain_word(text)) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        uint32_t code;
        size_t length = decode(at, &code);
        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (is_printable(code))
            fwrite(at, 1, length, file);
        else if (code <= 0xffff)
            fprintf(file, "\\u%04X", (unsigned)code);
        else
            fprintf(file, "\\U%08X", (unsigned)code);
        at += length;
    }
    fputc('"', file);
}

char *quote_text(const char *text)
{
    char *quoted = memory_new(2 * strlen(text) + 3, 1), *at = quoted;
    *at++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || *text == '\n')
            *at++ = '\\';
        *at++ = *text == '\n' ? 'n' : *text;
    }
    *at++ = '"';
    return quoted;
}

enum { SHOWN_MAX = 40, TINTS_MAX = 64 };

/* CSS Color Module Level 4, 6.1. */
static const struct {
    const char *name;
    unsigned rgb;
} names[] = {
    /* clang-format off */
    {"aliceblue", 0xf0f8ff}, {"antiquewhite", 0xfaebd7}, {"aqua", 0x00ffff},
    {"aquamarine", 0x7fffd4}, {"azure", 0xf0ffff}, {"beige", 0xf5f5dc}, {"bisque", 0xffe4c4},
    {"black", 0x000000}, {"blanchedalmond", 0xffebcd}, {"blue", 0x0000ff},
    {"blueviolet", 0x8a2be2}, {"brown", 0xa52a2a}, {"burlywood", 0xdeb887},
    {"cadetblue", 0x5f9ea0}, {"chartreuse", 0x7fff00}, {"chocolate", 0xd2691e},
    {"coral", 0xff7f50}, {"cornflowerblue", 0x6495ed}, {"cornsilk", 0xfff8dc},
    {"crimson", 0xdc143c}, {"cyan", 0x00ffff}, {"darkblue", 0x00008b}, {"darkcyan", 0x008b8b},
    {"darkgoldenrod", 0xb8860b}, {"darkgray", 0xa9a9a9}, {"darkgreen", 0x006400},
    {"darkgrey", 0xa9a9a9}, {"darkkhaki", 0xbdb76b}, {"darkmagenta", 0x8b008b},
    {"darkolivegreen", 0x556b2f}, {"darkorange", 0xff8c00}, {"darkorchid", 0x9932cc},
    {"darkred", 0x8b0000}, {"darksalmon", 0xe9967a}, {"darkseagreen", 0x8fbc8f},
    {"darkslateblue", 0x483d8b}, {"darkslategray", 0x2f4f4f}, {"darkslategrey", 0x2f4f4f},
    {"darkturquoise", 0x00ced1}, {"darkviolet", 0x9400d3}, {"deeppink", 0xff1493},
    {"deepskyblue", 0x00bfff}, {"dimgray", 0x696969}, {"dimgrey", 0x696969},
    {"dodgerblue", 0x1e90ff}, {"firebrick", 0xb22222}, {"floralwhite", 0xfffaf0},
    {"forestgreen", 0x228b22}, {"fuchsia", 0xff00ff}, {"gainsboro", 0xdcdcdc},
    {"ghostwhite", 0xf8f8ff}, {"gold", 0xffd700}, {"goldenrod", 0xdaa520}, {"gray", 0x808080},
    {"green", 0x008000}, {"greenyellow", 0xadff2f}, {"grey", 0x808080}, {"honeydew", 0xf0fff0},
    {"hotpink", 0xff69b4}, {"indianred", 0xcd5c5c}, {"indigo", 0x4b0082}, {"ivory", 0xfffff0},
    {"khaki", 0xf0e68c}, {"lavender", 0xe6e6fa}, {"lavenderblush", 0xfff0f5},
    {"lawngreen", 0x7cfc00}, {"lemonchiffon", 0xfffacd}, {"lightblue", 0xadd8e6},
    {"lightcoral", 0xf08080}, {"lightcyan", 0xe0ffff}, {"lightgoldenrodyellow", 0xfafad2},
    {"lightgray", 0xd3d3d3}, {"lightgreen", 0x90ee90}, {"lightgrey", 0xd3d3d3},
    {"lightpink", 0xffb6c1}, {"lightsalmon", 0xffa07a}, {"lightseagreen", 0x20b2aa},
    {"lightskyblue", 0x87cefa}, {"lightslategray", 0x778899}, {"lightslategrey", 0x778899},
    {"lightsteelblue", 0xb0c4de}, {"lightyellow", 0xffffe0}, {"lime", 0x00ff00},
    {"limegreen", 0x32cd32}, {"linen", 0xfaf0e6}, {"magenta", 0xff00ff}, {"maroon", 0x800000},
    {"mediumaquamarine", 0x66cdaa}, {"mediumblue", 0x0000cd}, {"mediumorchid", 0xba55d3},
    {"mediumpurple", 0x9370db}, {"mediumseagreen", 0x3cb371}, {"mediumslateblue", 0x7b68ee},
    {"mediumspringgreen", 0x00fa9a}, {"mediumturquoise", 0x48d1cc},
    {"mediumvioletred", 0xc71585}, {"midnightblue", 0x191970}, {"mintcream", 0xf5fffa},
    {"mistyrose", 0xffe4e1}, {"moccasin", 0xffe4b5}, {"navajowhite", 0xffdead},
    {"navy", 0x000080}, {"oldlace", 0xfdf5e6}, {"olive", 0x808000}, {"olivedrab", 0x6b8e23},
    {"orange", 0xffa500}, {"orangered", 0xff4500}, {"orchid", 0xda70d6},
    {"palegoldenrod", 0xeee8aa}, {"palegreen", 0x98fb98}, {"paleturquoise", 0xafeeee},
    {"palevioletred", 0xdb7093}, {"papayawhip", 0xffefd5}, {"peachpuff", 0xffdab9},
    {"peru", 0xcd853f}, {"pink", 0xffc0cb}, {"plum", 0xdda0dd}, {"powderblue", 0xb0e0e6},
    {"purple", 0x800080}, {"rebeccapurple", 0x663399}, {"red", 0xff0000},
    {"rosybrown", 0xbc8f8f}, {"royalblue", 0x4169e1}, {"saddlebrown", 0x8b4513},
    {"salmon", 0xfa8072}, {"sandybrown", 0xf4a460}, {"seagreen", 0x2e8b57},
    {"seashell", 0xfff5ee}, {"sienna", 0xa0522d}, {"silver", 0xc0c0c0}, {"skyblue", 0x87ceeb},
    {"slateblue", 0x6a5acd}, {"slategray", 0x708090}, {"slategrey", 0x708090},
    {"snow", 0xfffafa}, {"springgreen", 0x00ff7f}, {"steelblue", 0x4682b4}, {"tan", 0xd2b48c},
    {"teal", 0x008080}, {"thistle", 0xd8bfd8}, {"tomato", 0xff6347}, {"turquoise", 0x40e0d0},
    {"violet", 0xee82ee}, {"wheat", 0xf5deb3}, {"white", 0xffffff}, {"whitesmoke", 0xf5f5f5},
    {"yellow", 0xffff00}, {"yellowgreen", 0x9acd32},
    /* clang-format on */
};

enum { NAMES = sizeof names / sizeof *names };

static void set_shown(unsigned rgb, double shown[3])
{
    for (int c = 0; c < 3; c++)
        shown[c] = (rgb >> (16 - 8 * c) & 0xff) / 255.0;
}

static bool is_number(const char *text, size_t length)
{
    if (length != 7 || text[0] != '#')
        return false;
    for (size_t i = 1; i < length; i++)
        if (!isxdigit((unsigned char)text[i]))
            return false;
    return true;
}

static enum status unknown_colour(const char *text, size_t length)
{
    char *word = text_format("%.*s", (int)(length < SHOWN_MAX ? length : SHOWN_MAX), text);
    struct suggestion near = {word, NULL, 0};
    for (size_t i = 0; i < NAMES; i++)
        suggest_offer(&near, names[i].name);
    status_fail(STATUS_USAGE, "expected a colour, #rrggbb or a name such as orange, found '%s%s'%s",
                word, length > SHOWN_MAX ? "..." : "", suggest_text(&near));
    free(word);
    return STATUS_USAGE;
}

enum status colour_parse(const char *text, size_t length, double shown[3])
{
    char digits[7];
    if (is_number(text, length)) {
        memcpy(digits, text + 1, 6);
        digits[6] = '\0';
        set_shown((unsigned)strtoul(digits, NULL, 16), shown);
        return STATUS_OK;
    }
    for (size_t i = 0; i < NAMES; i++)
        if (strlen(names[i].name) == length && strncasecmp(names[i].name, text, length) == 0) {
            set_shown(names[i].rgb, shown);
            return STATUS_OK;
        }
    return unknown_colour(text, length);
}

/* The text without surrounding blanks. */
static const char *trim(const char *text, size_t *length)
{
    while (*length && (*text == ' ' || *text == '\t'))
        text++, --*length;
    while (*length && (text[*length - 1] == ' ' || text[*length - 1] == '\t'))
        --*length;
    return text;
}

/* "NAME=COLOUR"; splits at the last equals sign, because names may contain some. */
static enum status parse_one(const char *text, size_t length, struct tints *out)
{
    const char *equals = memrchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : 0;
    const char *name = trim(text, &name_length);
    if (name_length == 0)
        return status_fail(STATUS_USAGE, "expected NAME=COLOUR, NAME=COLOUR, ..., found '%.*s'",
                           (int)(length < SHOWN_MAX ? length : SHOWN_MAX), text);
    size_t rest = (size_t)(text + length - equals - 1);
    const char *colour = trim(equals + 1, &rest);
    for (uint32_t i = 0; i < out->count; i++)
        if (strlen(out->list[i].name) == name_length &&
            memcmp(out->list[i].name, name, name_length) == 0)
            return status_fail(STATUS_USAGE, "'%s' is given a colour twice; remove one",
                               out->list[i].name);
    if (out->count == TINTS_MAX)
        return status_fail(STATUS_USAGE, "expected at most %d colours, found more", TINTS_MAX);
    struct tint *tint = &out->list[out->count];
    enum status status = colour_parse(colour, rest, tint->shown);
    if (status == STATUS_OK)
        out->list[out->count++].name = text_format("%.*s", (int)name_length, name);
    return status;
}

enum status tints_parse(const char *text, struct tints *out)
{
    struct tints tints = {.list = memory_new(TINTS_MAX, sizeof *tints.list),
                          .text = memory_text(text)};
    enum status status = STATUS_OK;
    size_t blank = strlen(text);
    trim(text, &blank);
    for (const char *at = blank ? text : NULL; at && status == STATUS_OK;) {
        size_t length = strcspn(at, ",");
        const char *end = at + length;
        const char *word = trim(at, &length);
        status = parse_one(word, length, &tints);
        at = *end ? end + 1 : NULL;
    }
    if (status != STATUS_OK) {
        tints_free(&tints);
        return status;
    }
    tints_free(out);
    *out = tints;
    return STATUS_OK;
}

void tints_free(struct tints *tints)
{
    for (uint32_t i = 0; i < tints->count; i++)
        free(tints->list[i].name);
    free(tints->list);
    free(tints->text);
    *tints = (struct tints){0};
}

/* In the order of enum moment_kind; "": only a number. */
static const struct {
    const char *word;
    bool needs_number, counts;
} forms[] = {{"", true, false},           {"frame", true, false},     {"t", true, false},
             {"z", true, false},          {"start", false, false},    {"end", false, false},
             {"pericentre", false, true}, {"apocentre", false, true}, {"merger", false, false}};

enum { FORMS = sizeof forms / sizeof *forms, COUNT_MOST = 1000 };

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* A plain decimal number without a sign; NULL when there is none. */
static const char *read_number(const char *at, double *value)
{
    char *end;
    if (!isdigit((unsigned char)at[0]) && !(at[0] == '.' && isdigit((unsigned char)at[1])))
        return NULL;
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        return NULL;
    *value = strtod(at, &end);
    return isfinite(*value) ? end : NULL;
}

/* Reads the rest of "1:30" after `minutes`: seconds below 60. NULL: there are none. */
static const char *read_seconds(const char *at, double *minutes)
{
    double seconds = 0;
    const bool whole = *minutes == floor(*minutes);
    const char *end = whole ? read_number(at, &seconds) : NULL;
    *minutes = 60 * *minutes + seconds;
    return end && seconds < 60 ? end : NULL;
}

static enum status not_a_moment(const char *text)
{
    char word[32] = "";
    size_t letters = 0;
    const char *at = skip_blanks(text);
    while (isalpha((unsigned char)at[letters]) && letters + 1 < sizeof word)
        letters++;
    memcpy(word, at, letters);
    struct suggestion near = {word, NULL, 0};
    for (int i = MOMENT_FRAME; i < FORMS; i++)
        if (i != MOMENT_TIME && i != MOMENT_REDSHIFT)
            suggest_offer(&near, forms[i].word);
    bool known = near.best && strcmp(near.best, word) == 0;
    return status_fail(
        STATUS_USAGE,
        "expected seconds of the film (12.5 or 1:30), frame 100, t=30 (simulated time), z=2, "
        "start, end, pericentre, pericentre 2, apocentre or merger, optionally "
        "followed by + or - seconds; found '%.48s'%s",
        text, known ? "" : suggest_text(&near));
}

/* Reads the part before + or -; NULL when it has none of the forms. */
static const char *read_form(const char *at, struct moment *moment)
{
    if (isalpha((unsigned char)*at)) {
        size_t letters = 0;
        while (isalpha((unsigned char)at[letters]))
            letters++;
        for (int i = MOMENT_FRAME; i < FORMS; i++)
            if (letters == strlen(forms[i].word) && strncmp(at, forms[i].word, letters) == 0)
                moment->kind = (enum moment_kind)i;
        if (moment->kind == MOMENT_SECONDS)
            return NULL;
        at = skip_blanks(at + letters);
        if ((moment->kind == MOMENT_TIME || moment->kind == MOMENT_REDSHIFT) && *at++ != '=')
            return NULL;
        at = skip_blanks(at);
    }
    moment->value = 1;
    if (!forms[moment->kind].needs_number &&
        !(forms[moment->kind].counts && isdigit((unsigned char)*at)))
        return at;
    at = read_number(at, &moment->value);
    if (at && moment->kind == MOMENT_SECONDS && *at == ':')
        return read_seconds(at + 1, &moment->value);
    bool whole = moment->value == floor(moment->value);
    if (at && moment->kind == MOMENT_FRAME && !whole)
        return NULL;
    if (at && forms[moment->kind].counts &&
        !(whole && moment->value >= 1 && moment->value <= COUNT_MOST))
        return NULL;
    return at;
}

enum status moment_parse(const char *text, struct moment *out)
{
    *out = (struct moment){.kind = MOMENT_SECONDS};
    const char *at = read_form(skip_blanks(text), out);
    at = at ? skip_blanks(at) : NULL;
    if (at && (*at == '+' || *at == '-')) {
        double sign = *at == '-' ? -1 : 1;
        at = read_number(skip_blanks(at + 1), &out->shift);
        out->shift *= sign;
    }
    if (!at || *skip_blanks(at))
        return not_a_moment(text);
    return STATUS_OK;
}

const char *moment_word(enum moment_kind kind)
{
    return forms[kind].word;
}

/* Reads one to nine digits, which fit into 32 bits. */
static bool read_digits(const char **at, uint32_t *value, int *places)
{
    int count = 0;
    for (*value = 0; isdigit((unsigned char)**at); ++*at) {
        if (++count > 9)
            return false;
        *value = *value * 10 + (uint32_t)(**at - '0');
    }
    *places = count;
    return count > 0;
}

bool frame_size_parse(const char *text, uint32_t *width, uint32_t *height)
{
    static const struct {
        const char *word;
        uint32_t width, height;
    } words[] = {
        {"720p", 1280, 720},      {"1080p", 1920, 1080},     {"1440p", 2560, 1440},
        {"2160p", 3840, 2160},    {"4k", 3840, 2160},        {"8k", 7680, 4320},
        {"vertical", 1080, 1920}, {"portrait", 1080, 1920},  {"9:16", 1080, 1920},
        {"16:9", 1920, 1080},     {"landscape", 1920, 1080}, {"square", 1080, 1080},
        {"1:1", 1080, 1080},      {"4:5", 1080, 1350},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i].word) == 0) {
            *width = words[i].width;
            *height = words[i].height;
            return true;
        }
    }
    int places;
    if (!read_digits(&text, width, &places) || (*text != 'x' && *text != 'X'))
        return false;
    text++;
    return read_digits(&text, height, &places) && *text == '\0';
}

static void reduce(uint32_t *num, uint32_t *den)
{
    uint32_t a = *num, b = *den;
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    *num /= a;
    *den /= a;
}

bool frame_rate_parse(const char *text, uint32_t *num, uint32_t *den)
{
    static const struct {
        const char *word;
        uint32_t thousands;
    } customary[] = {
        {"23.976", 24}, {"23.98", 24}, {"29.97", 30},
        {"47.952", 48}, {"59.94", 60}, {"119.88", 120},
    };
    for (size_t i = 0; i < sizeof customary / sizeof *customary; i++) {
        if (strcmp(text, customary[i].word) == 0) {
            *num = customary[i].thousands * 1000;
            *den = 1001;
            return true;
        }
    }
    int places;
    *den = 1;
    if (!read_digits(&text, num, &places))
        return false;
    if (*text == '/') {
        text++;
        if (!read_digits(&text, den, &places))
            return false;
    } else if (*text == '.') {
        uint32_t fraction;
        text++;
        if (!read_digits(&text, &fraction, &places) || places > 3 || *num > 1000000)
            return false;
        for (; places > 0; places--)
            *den *= 10;
        *num = *num * *den + fraction;
    }
    if (*text != '\0' || *num == 0 || *den == 0)
        return false;
    reduce(num, den);
    return true;
}
