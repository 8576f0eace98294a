#include "sim/formats/amuse_units.h"

#include "base/functions/fn.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
