#include "sim/formats/column_units.h"

#include "sim/formats/amuse_units.h"
#include "sim/formats/columns.h"
#include "base/functions/fn.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Other spellings of AMUSE's unit names, ignoring case. */
static const struct {
    const char *word, *name;
} spellings[] = {
    {"msun", "MSun"},   {"m_sun", "MSun"},    {"msol", "MSun"},     {"solmass", "MSun"},
    {"m_odot", "MSun"}, {"mjup", "MJupiter"}, {"mearth", "MEarth"}, {"rsun", "RSun"},
    {"kpc", "kpc"},     {"pc", "pc"},         {"mpc", "Mpc"},       {"parsec", "pc"},
    {"au", "au"},       {"ly", "ly"},         {"lyr", "ly"},        {"kms", "kms"},
    {"km_s", "kms"},    {"kmps", "kms"},      {"mps", "ms"},        {"m_s", "ms"},
    {"sec", "s"},       {"year", "yr"},       {"myr", "Myr"},       {"gyr", "Gyr"},
    {"kyr", "kyr"},     {"d", "day"},         {"kg", "kg"},         {"cm", "cm"},
    {"km", "km"},
};

enum { TEXT_MAX = 64 };

static const char *const none[] = {"", "1", "-", "code", "nbody", "n-body", "dimensionless"};

enum column_kind column_kind(int column)
{
    return column == 0  ? COLUMN_MASS
           : column < 4 ? COLUMN_LENGTH
           : column < 7 ? COLUMN_VELOCITY
                        : COLUMN_KINDS;
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* Skips separators between the factors of a unit. */
static const char *skip(const char *at)
{
    return at + strspn(at, " \t*.");
}

/* Removes LaTeX markup, as in "$M_{\odot}$". */
static void plain_text(const char *text, size_t length, char out[TEXT_MAX])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < TEXT_MAX; i++)
        if (!strchr("{}$\\", text[i]))
            out[used++] = text[i];
    out[used] = '\0';
}

/* Reads the name at *at and advances *at. */
static bool read_name(const char **at, struct amuse_unit *unit)
{
    char name[32];
    size_t length = 0;
    while (is_letter((*at)[length]))
        length++;
    snprintf(name, sizeof name, "%.*s", (int)length, *at);
    *at += length;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strcasecmp(name, spellings[i].word) == 0)
            return amuse_unit_read(spellings[i].name, unit);
    return amuse_unit_read(name, unit);
}

/* Reads "^-1", "**2" or, after a name, "-1"; 1 if there is none. */
static long read_power(const char **at, bool after_name)
{
    const bool marked = **at == '^' || strncmp(*at, "**", 2) == 0;
    const char *sign = *at + strspn(*at, "^*");
    const char *digits = sign + (*sign == '-' || *sign == '+');
    if (!(marked || after_name) || !isdigit((unsigned char)*digits))
        return 1;
    char *end;
    const long power = strtol(sign, &end, 10);
    *at = end;
    return power;
}

/* Reads products, quotients and integer powers of numbers and names, such as "1e10 M_sun" or "km
 * s^-1". */
static bool read_unit(const char *text, struct amuse_unit *out)
{
    enum { POWER_MAX = 12 };
    bool divides = false, empty = true;
    *out = (struct amuse_unit){.factor = 1};
    for (const char *at = skip(text); *at; at = skip(at)) {
        struct amuse_unit next = {.factor = 1};
        const bool name = is_letter(*at);
        if (*at == '/' && !divides) {
            divides = true;
            at++;
            continue;
        }
        char *end = NULL;
        if (isdigit((unsigned char)*at)) {
            next.factor = strtod(at, &end);
            at = end;
        } else if (!name || !read_name(&at, &next)) {
            return false;
        }
        const long power = read_power(&at, name);
        if (labs(power) > POWER_MAX)
            return false;
        const int n = (int)(divides ? -power : power);
        out->factor *= fn_pow(next.factor, n);
        out->mass += n * next.mass;
        out->length += n * next.length;
        out->time += n * next.time;
        out->scaleless |= next.scaleless;
        divides = empty = false;
    }
    return !empty && !divides && isfinite(out->factor) && out->factor > 0;
}

static bool is_none(const char *text)
{
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strcasecmp(text, none[i]) == 0)
            return true;
    return false;
}

static enum column_unit unit_of(int column, const char *text, double *unit)
{
    static const struct {
        int mass, length, time;
    } kinds[COLUMN_KINDS] = {{1, 0, 0}, {0, 1, 0}, {0, 1, -1}};
    const enum column_kind kind = column_kind(column);
    struct amuse_unit found;
    if (kind == COLUMN_KINDS || is_none(text))
        return COLUMN_PLAIN;
    if (!read_unit(text, &found) || found.mass != kinds[kind].mass ||
        found.length != kinds[kind].length || found.time != kinds[kind].time)
        return COLUMN_REFUSED;
    *unit = found.factor;
    return found.scaleless ? COLUMN_PLAIN : COLUMN_UNIT;
}

enum column_unit column_read(const char *word, int *column, double *unit)
{
    char text[TEXT_MAX];
    size_t name = strcspn(word, "[("), length = name;
    while (length > 0 && isspace((unsigned char)word[length - 1]))
        length--;
    *column = column_find(word, length);
    if (*column >= 0 && word[name]) {
        const char *end = strrchr(word, word[name] == '[' ? ']' : ')');
        const char *inside = word + name + 1;
        plain_text(inside, end && end >= inside ? (size_t)(end - inside) : strlen(inside), text);
        return unit_of(*column, text + strspn(text, " "), unit);
    }
    if (*column >= 0)
        return COLUMN_PLAIN;
    /* Splits at an underscore, which both the name and the unit may contain. */
    for (size_t at = length; at-- > 1;) {
        const int found = word[at] == '_' ? column_find(word, at) : -1;
        if (found < 0)
            continue;
        snprintf(text, sizeof text, "%.*s", (int)(length - at - 1), word + at + 1);
        if (unit_of(found, text, unit) != COLUMN_UNIT)
            continue;
        *column = found;
        return COLUMN_UNIT;
    }
    return COLUMN_PLAIN;
}
