#include "sim/formats/columns.h"

#include "base/functions/fn.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const column_names[COLUMNS] = {"mass", "x", "y", "z", "vx", "vy", "vz", "galaxy", "id"};

static const struct {
    const char *word;
    int column;
} others[] = {
    {"m", 0},
    {"masses", 0},
    {"v_x", 4},
    {"v_y", 5},
    {"v_z", 6},
    {"x_pos", 1},
    {"y_pos", 2},
    {"z_pos", 3},
    {"group", 7},
    {"ids", COLUMN_ID},
    {"pid", COLUMN_ID},
    {"iord", COLUMN_ID},
    {"particleid", COLUMN_ID},
    {"particleids", COLUMN_ID},
    {"particle_id", COLUMN_ID},
    {"particle_ids", COLUMN_ID},
    {"source_id", COLUMN_ID},
    {"sourceid", COLUMN_ID},
    {"gaia_id", COLUMN_ID},
    {"gaia_source_id", COLUMN_ID},
    {"star_id", COLUMN_ID},
    {"body_id", COLUMN_ID},
    {"object_id", COLUMN_ID},
    {"obj_id", COLUMN_ID},
    {"objid", COLUMN_ID},
};

static bool same(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && strncasecmp(word, name, length) == 0;
}

static const struct {
    const char *word;
    int column; /* of its first component */
} vectors[] = {
    {"pos", 1}, {"position", 1}, {"positions", 1}, {"coordinates", 1},
    {"xyz", 1}, {"vel", 4},      {"velocity", 4},  {"velocities", 4},
};

/* The component of a vector: pos_x, velx, Coordinates_0. */
static int find_component(const char *word, size_t length)
{
    const char component = length > 0 ? word[length - 1] : 0;
    const bool apart = length > 1 && word[length - 2] == '_';
    const size_t end = apart ? 2 : 1;
    const int first = length > end ? column_find_vector(word, length - end) : -1;
    if (first >= 0 && memchr("xyzXYZ", component, 6))
        return first + (component | 0x20) - 'x';
    return first >= 0 && apart && memchr("012", component, 3) ? first + component - '0' : -1;
}

int column_find(const char *word, size_t length)
{
    for (int c = 0; c < COLUMNS; c++)
        if (same(word, length, column_names[c]))
            return c;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (same(word, length, others[i].word))
            return others[i].column;
    return find_component(word, length);
}

int column_find_vector(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (same(word, length, vectors[i].word))
            return vectors[i].column;
    return -1;
}

int column_find_array(const char *word, size_t length, unsigned *across)
{
    const int vector = column_find_vector(word, length), single = column_find(word, length);
    *across = vector >= 0 ? 3 : 1;
    if (vector >= 0 || single >= 0)
        return vector >= 0 ? vector : single;
    if (same(word, length, "galaxies"))
        return COLUMN_GALAXY;
    /* T is a temperature */
    return same(word, length, "time") || (length == 1 && *word == 't') ? COLUMN_TIME : COLUMN_OTHER;
}

enum status columns_check_arrays(const char *path, const bool has[COLUMNS_NEEDED], const char *how)
{
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        if (!has[c])
            return status_fail(STATUS_USAGE,
                               "%s has no array%s; save it %s with the shapes (N,), (N, 3) and "
                               "(N, 3)",
                               path,
                               c == COLUMN_MASS ? " of masses"
                               : c < COLUMN_VX  ? "s of positions"
                                                : "s of velocities",
                               how);
    return STATUS_OK;
}

bool column_is_galaxy(double value)
{
    return value >= 0 && value < BODY_GALAXIES && value == floor(value);
}

enum status column_row(const double value[COLUMNS_PLAIN], bool has_galaxy, struct body_row *row)
{
    for (int c = 0; c < COLUMNS_NEEDED; c++)
        if (!isfinite(value[c]))
            return status_fail(STATUS_USAGE, "%s is not a finite number", column_names[c]);
    if (value[0] < 0)
        return status_fail(STATUS_USAGE, "the mass is %g, but must not be negative", value[0]);
    const double galaxy = has_galaxy ? value[COLUMNS_NEEDED] : 0;
    if (!column_is_galaxy(galaxy))
        return status_fail(STATUS_USAGE,
                           "the galaxy is %g, but must be a whole number from 0 to %d", galaxy,
                           BODY_GALAXIES - 1);
    row->mass = value[0];
    memcpy(row->position, value + 1, sizeof row->position);
    memcpy(row->velocity, value + 4, sizeof row->velocity);
    row->galaxy = (uint32_t)galaxy;
    return STATUS_OK;
}

/* ---- column_units ---- */

/* ---- amuse units ---- */

enum { DEPTH_MAX = 32, POWER_MAX = 12 };

struct parse {
    const char *at;
    int depth;
    bool good;
};

#define AU     1.495978707e11
#define PARSEC 3.0856775814913673e16
#define SUN    1.9884098706980504e30 /* G as in units.c */
#define YEAR   3.15576e7

static const struct {
    const char *name;
    struct amuse_unit unit;
} names[] = {
    {"kg", {1, 1, 0, 0, false}},
    {"g", {1e-3, 1, 0, 0, false}},
    {"MSun", {SUN, 1, 0, 0, false}},
    {"m", {1, 0, 1, 0, false}},
    {"cm", {1e-2, 0, 1, 0, false}},
    {"km", {1e3, 0, 1, 0, false}},
    {"AU", {AU, 0, 1, 0, false}},
    {"au", {AU, 0, 1, 0, false}},
    {"mm", {1e-3, 0, 1, 0, false}},
    {"Gpc", {1e9 * PARSEC, 0, 1, 0, false}},
    {"pc", {PARSEC, 0, 1, 0, false}},
    {"parsec", {PARSEC, 0, 1, 0, false}},
    {"kpc", {1e3 * PARSEC, 0, 1, 0, false}},
    {"Mpc", {1e6 * PARSEC, 0, 1, 0, false}},
    {"RSun", {6.957e8, 0, 1, 0, false}},
    {"ly", {9.4607304725808e15, 0, 1, 0, false}},
    {"MJupiter", {SUN * 9.545942e-4, 1, 0, 0, false}},
    {"MEarth", {SUN * 3.003490e-6, 1, 0, 0, false}},
    {"s", {1, 0, 0, 1, false}},
    {"minute", {60, 0, 0, 1, false}},
    {"hour", {3600, 0, 0, 1, false}},
    {"day", {86400, 0, 0, 1, false}},
    {"yr", {YEAR, 0, 0, 1, false}},
    {"julianyr", {YEAR, 0, 0, 1, false}},
    {"kyr", {1e3 * YEAR, 0, 0, 1, false}},
    {"Myr", {1e6 * YEAR, 0, 0, 1, false}},
    {"Gyr", {1e9 * YEAR, 0, 0, 1, false}},
    {"kms", {1e3, 0, 1, -1, false}},
    {"ms", {1, 0, 1, -1, false}},
    {"c", {299792458, 0, 1, -1, false}},
    {"mass", {1, 1, 0, 0, true}},
    {"length", {1, 0, 1, 0, true}},
    {"time", {1, 0, 0, 1, true}},
    {"speed", {1, 0, 1, -1, true}},
};

static struct amuse_unit expression(struct parse *parse);

static struct amuse_unit fail(struct parse *parse)
{
    parse->good = false;
    return (struct amuse_unit){.factor = 1};
}

static bool take(struct parse *parse, const char *token)
{
    parse->at += strspn(parse->at, " ");
    if (strncmp(parse->at, token, strlen(token)) != 0)
        return false;
    parse->at += strlen(token);
    return true;
}

/* Reads 'word' in either kind of quotes, within brackets. */
static bool quoted(struct parse *parse, const char *word)
{
    const char *before = parse->at;
    const size_t length = strlen(word);
    if (take(parse, "(") && (*parse->at == '\'' || *parse->at == '"') &&
        strncmp(parse->at + 1, word, length) == 0 && parse->at[1 + length] == *parse->at) {
        parse->at += length + 2;
        if (take(parse, ")"))
            return true;
    }
    parse->at = before;
    return false;
}

/* Reads what follows "system.get": the system and one of its base units. */
static struct amuse_unit base_unit(struct parse *parse)
{
    static const struct {
        const char *word;
        struct amuse_unit unit;
    } bases[] = {{"mass", {1, 1, 0, 0, false}},
                 {"length", {1, 0, 1, 0, false}},
                 {"time", {1, 0, 0, 1, false}}};
    const bool si = quoted(parse, "S.I."), scaleless = !si && quoted(parse, "nbody");
    if ((si || scaleless) && take(parse, ".base"))
        for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
            if (quoted(parse, bases[i].word)) {
                struct amuse_unit unit = bases[i].unit;
                unit.scaleless = scaleless;
                return unit;
            }
    return fail(parse);
}

static struct amuse_unit primary(struct parse *parse)
{
    if (take(parse, "(")) {
        if (++parse->depth > DEPTH_MAX)
            return fail(parse);
        const struct amuse_unit inner = expression(parse);
        parse->depth--;
        return take(parse, ")") ? inner : fail(parse);
    }
    if (isdigit((unsigned char)*parse->at)) {
        char *end;
        const double value = strtod(parse->at, &end);
        parse->at = end;
        return (struct amuse_unit){.factor = value};
    }
    if (take(parse, "system.get"))
        return base_unit(parse);
    if (!take(parse, "units."))
        (void)take(parse, "nbody_system.");
    const size_t length = strspn(parse->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (size_t i = 0; length > 0 && i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && strncmp(parse->at, names[i].name, length) == 0) {
            parse->at += length;
            return names[i].unit;
        }
    return fail(parse);
}

static struct amuse_unit power(struct amuse_unit unit, int n)
{
    return (struct amuse_unit){fn_pow(unit.factor, n), unit.mass * n, unit.length * n,
                               unit.time * n, unit.scaleless};
}

static struct amuse_unit raised(struct parse *parse)
{
    const struct amuse_unit unit = primary(parse);
    if (!take(parse, "**") && !take(parse, "^"))
        return unit;
    parse->at += strspn(parse->at, " ");
    char *end;
    const double n = strtod(parse->at, &end);
    if (end == parse->at || !(fabs(n) <= POWER_MAX) || n != floor(n) ||
        abs(unit.mass) + abs(unit.length) + abs(unit.time) > POWER_MAX)
        return fail(parse);
    parse->at = end;
    return power(unit, (int)n);
}

static struct amuse_unit expression(struct parse *parse)
{
    struct amuse_unit product = raised(parse);
    while (parse->good) {
        const bool times = take(parse, "*");
        if (!times && !take(parse, "/"))
            break;
        const struct amuse_unit next = power(raised(parse), times ? 1 : -1);
        product.factor *= next.factor;
        product.mass += next.mass;
        product.length += next.length;
        product.time += next.time;
        product.scaleless |= next.scaleless;
    }
    return product;
}

bool amuse_unit_read(const char *text, struct amuse_unit *out)
{
    struct parse parse = {.at = text, .good = true};
    parse.at += strspn(parse.at, " ");
    *out = expression(&parse);
    parse.at += strspn(parse.at, " ");
    return parse.good && !*parse.at && isfinite(out->factor) && out->factor > 0;
}

/* ---- column units ---- */

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
    return column == 0  ? COLUMN_OF_MASS
           : column < 4 ? COLUMN_OF_LENGTH
           : column < 7 ? COLUMN_OF_VELOCITY
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
