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

/* Other spellings of AMUSE's unit names, ignoring case and a plural's s. */
static const struct {
    const char *word, *name;
} spellings[] = {
    {"msun", "MSun"},
    {"m_sun", "MSun"},
    {"msol", "MSun"},
    {"solmass", "MSun"},
    {"solarmass", "MSun"},
    {"solar_mass", "MSun"},
    {"m_odot", "MSun"},
    {"mjup", "MJupiter"},
    {"m_jup", "MJupiter"},
    {"jupitermass", "MJupiter"},
    {"mearth", "MEarth"},
    {"m_earth", "MEarth"},
    {"earthmass", "MEarth"},
    {"kg", "kg"},
    {"kilogram", "kg"},
    {"gram", "g"},
    {"rsun", "RSun"},
    {"r_sun", "RSun"},
    {"solrad", "RSun"},
    {"gpc", "Gpc"},
    {"mpc", "Mpc"},
    {"megaparsec", "Mpc"},
    {"kpc", "kpc"},
    {"kiloparsec", "kpc"},
    {"pc", "pc"},
    {"parsec", "pc"},
    {"ly", "ly"},
    {"lyr", "ly"},
    {"lightyear", "ly"},
    {"light_year", "ly"},
    {"au", "au"},
    {"astronomical_unit", "au"},
    {"km", "km"},
    {"kilometer", "km"},
    {"kilometre", "km"},
    {"meter", "m"},
    {"metre", "m"},
    {"cm", "cm"},
    {"centimeter", "cm"},
    {"centimetre", "cm"},
    {"gyr", "Gyr"},
    {"gigayear", "Gyr"},
    {"myr", "Myr"},
    {"megayear", "Myr"},
    {"kyr", "kyr"},
    {"yr", "yr"},
    {"year", "yr"},
    {"julian_year", "yr"},
    {"annum", "yr"},
    {"a", "yr"},
    {"day", "day"},
    {"d", "day"},
    {"hour", "hour"},
    {"hr", "hour"},
    {"h", "hour"},
    {"minute", "minute"},
    {"min", "minute"},
    {"second", "s"},
    {"sec", "s"},
    {"kms", "kms"},
    {"kmps", "kms"},
    {"mps", "ms"},
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

/* Removes LaTeX's markup, as in "$M_{\odot}$", and writes signs of Unicode in ASCII. */
static void plain_text(const char *text, size_t length, char out[TEXT_MAX])
{
    static const struct {
        const char *sign, *plain;
    } signs[] = {{"\\mathrm", ""},        {"\\rm", ""},
                 {"\\text", ""},          {"\\,", " "},
                 {"\\cdot", "*"},         {"~", " "},
                 {"\xc2\xb7", "*"},       {"\xe2\x8b\x85", "*"},
                 {"\xe2\x81\xbb", "^-"},  {"\xc2\xb9", "1"},
                 {"\xc2\xb2", "2"},       {"\xe2\x88\x92", "-"},
                 {"\xe2\x98\x89", "sun"}, {"\xe2\x8a\x99", "sun"}};
    size_t used = 0;
    for (size_t i = 0; i < length && used + 4 < TEXT_MAX;) {
        size_t s = 0;
        while (s < sizeof signs / sizeof *signs &&
               (length - i < strlen(signs[s].sign) ||
                strncmp(text + i, signs[s].sign, strlen(signs[s].sign)) != 0))
            s++;
        if (s < sizeof signs / sizeof *signs) {
            for (const char *plain = signs[s].plain; *plain; plain++)
                out[used++] = *plain;
            i += strlen(signs[s].sign);
        } else {
            if (!strchr("{}$\\", text[i]))
                out[used++] = text[i];
            i++;
        }
    }
    out[used] = '\0';
}

static bool read_word(const char *word, size_t length, struct amuse_unit *unit)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (strcasecmp(name, spellings[i].word) == 0)
            return amuse_unit_read(spellings[i].name, unit);
    return amuse_unit_read(name, unit);
}

/* Reads words joined by underscores as a quotient: au_d, kpc_per_gyr. */
static bool read_quotient(const char *word, size_t length, struct amuse_unit *unit)
{
    static const char PER[] = "per_";
    struct amuse_unit below;
    for (size_t at = 1; at + 1 < length; at++) {
        if (word[at] != '_')
            continue;
        size_t next = at + 1;
        if (length - next > strlen(PER) && strncasecmp(word + next, PER, strlen(PER)) == 0)
            next += strlen(PER);
        if (!read_word(word, at, unit) || !read_word(word + next, length - next, &below))
            continue;
        *unit = (struct amuse_unit){unit->factor / below.factor, unit->mass - below.mass,
                                    unit->length - below.length, unit->time - below.time,
                                    unit->scaleless || below.scaleless};
        return true;
    }
    return false;
}

/* Reads the name at *at and advances *at. */
static bool read_name(const char **at, struct amuse_unit *unit)
{
    const char *word = *at;
    size_t length = 0;
    while (is_letter(word[length]))
        length++;
    *at += length;
    return read_word(word, length, unit) || read_quotient(word, length, unit) ||
           (length > 2 && tolower((unsigned char)word[length - 1]) == 's' &&
            read_word(word, length - 1, unit));
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

/* Reads products, quotients and integer powers of numbers and names, such as "1e10 M_sun", "km
 * s^-1" or "au per day". */
static bool read_unit(const char *text, struct amuse_unit *out)
{
    enum { POWER_MAX = 12 };
    bool divides = false, empty = true;
    *out = (struct amuse_unit){.factor = 1};
    for (const char *at = skip(text); *at; at = skip(at)) {
        struct amuse_unit next = {.factor = 1};
        const bool name = is_letter(*at), per = strncasecmp(at, "per", 3) == 0 && !is_letter(at[3]);
        if ((*at == '/' || per) && !divides) {
            divides = true;
            at += per ? 3 : 1;
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
