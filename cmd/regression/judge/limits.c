#include "cmd/regression/judge/rules.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { NAME_ROOM = 64 };

struct limit {
    double warn, fail;
    bool given;    /* whether `fail` was set */
    char *because; /* NULL: the default */
};

struct limits {
    struct limit limit[RULE_COUNT];
};

void limits_open(struct limits **out)
{
    *out = memory_new(1, sizeof **out);
    for (int i = 0; i < RULE_COUNT; i++)
        (*out)->limit[i] = (struct limit){.warn = rules[i].warn, .fail = rules[i].fail};
}

void limits_close(struct limits **limits)
{
    for (int i = 0; *limits && i < RULE_COUNT; i++)
        free((*limits)->limit[i].because);
    free(*limits);
    *limits = NULL;
}

void limits_change(struct limits *limits, const struct rule *rule, double warn, double fail,
                   const char *because)
{
    struct limit *limit = &limits->limit[rule - rules];
    char *copy = memory_text(because);
    free(limit->because);
    const bool given = limit->given || !isnan(fail);
    warn = isnan(warn) ? limit->warn : warn;
    fail = isnan(fail) ? limit->fail : fail;
    *limit = (struct limit){warn <= fail ? warn : fail, fail, given, copy};
}

/* Reads a number >= 0, or INFINITY for "never"; returns false for any other text. */
static bool limits_number(const char *text, double *out)
{
    char *end = NULL;
    if (strcmp(text, "never") == 0) {
        *out = INFINITY;
        return true;
    }
    *out = strspn(text, "+0123456789.eE-") == strlen(text) ? strtod(text, &end) : NAN;
    return *out >= 0 && isfinite(*out) && end != text && !*end;
}

/* Removes ".warn" or ".fail" from the end of the name. */
static bool ends_with(char *name, const char *end)
{
    const size_t length = strlen(name), tail = strlen(end);
    if (length < tail || strcmp(name + length - tail, end) != 0)
        return false;
    name[length - tail] = '\0';
    return true;
}

enum status limits_set(struct limits *limits, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char name[NAME_ROOM];
    const struct choice *found;
    double value;
    if (!equals || equals - assignment >= NAME_ROOM)
        return status_fail(STATUS_USAGE,
                           "'%.60s' sets no limit; write RULE=NUMBER, as in picture.counted=12; "
                           "help instead lists the rules",
                           assignment);
    memcpy(name, assignment, (size_t)(equals - assignment));
    name[equals - assignment] = '\0';
    const bool warns = ends_with(name, ".warn"), fails = !warns && ends_with(name, ".fail");
    enum status status = choice_require(&rule_registry, name, &found);
    if (status != STATUS_OK)
        return status;
    if (!limits_number(equals + 1, &value))
        return status_fail(STATUS_USAGE, "%s: a limit is a number from 0 or 'never', found '%.40s'",
                           name, equals + 1);
    limits_change(limits, (const struct rule *)found, fails ? NAN : value, warns ? NAN : value,
                  "given as an option");
    return STATUS_OK;
}

double limits_fail(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].fail;
}

double limits_warn(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].warn;
}

bool limits_is_given(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].given;
}

const char *limits_because(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].because;
}

void limits_take_lossy(struct limits *limits)
{
    for (int r = 0; r < RULE_COUNT; r++) {
        const struct rule *rule = &rules[r];
        const bool judged = rule->stage == JUDGED_PICTURE || rule->stage == JUDGED_CONTAINER;
        if (!judged || rule->flags & RULE_IS_SETTING || limits_is_given(limits, rule))
            continue;
        if (rule->lossy.means)
            limits_change(limits, rule, rule->lossy.warn, rule->lossy.fail, rule->lossy.means);
        else
            limits_change(limits, rule, INFINITY, INFINITY, "a lossy copy may differ in it");
    }
}

/* ---- files ---- */

enum { FILE_MAX = 1 << 20, WORD_ROOM = 400 };

/* Keys in the mapping of a rule. */
enum key { KEY_FAIL, KEY_WARN, KEY_BECAUSE, KEY_MEASURED, KEY_EXPIRES, KEY_COUNT };

static const struct choice keys[KEY_COUNT] = {
    [KEY_FAIL] = {"fail", "the value beyond which a film does not pass"},
    [KEY_WARN] = {"warn", "the value beyond which there is a warning"},
    [KEY_BECAUSE] = {"because", "why the default does not fit"},
    [KEY_MEASURED] = {"measured", "the largest value seen"},
    [KEY_EXPIRES] = {"expires", "the last day on which the limit is valid"},
};
static const struct registry key_registry = REGISTRY_OF("key of a limit", keys);

static bool is_date(const char *text)
{
    static const char *const form = "dddd-dd-dd";
    if (strlen(text) != strlen(form))
        return false;
    for (size_t i = 0; form[i]; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    const long month = strtol(text + 5, NULL, 10), day = strtol(text + 8, NULL, 10);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* Changes the limit of a rule by the words of its keys; NULL: not given. */
static enum status take_entry(struct limits *limits, const struct rule *rule,
                              const char *const word[KEY_COUNT], const char *today)
{
    double number[KEY_COUNT] = {[KEY_FAIL] = NAN, [KEY_WARN] = NAN, [KEY_MEASURED] = NAN};
    for (int k = KEY_BECAUSE; k < KEY_COUNT; k++)
        if (!word[k] || !word[k][0])
            return status_fail(STATUS_USAGE, "'%s' is missing, %s", keys[k].name, keys[k].doc);
    if (!word[KEY_FAIL] && !word[KEY_WARN])
        return status_fail(STATUS_USAGE, "neither 'fail' nor 'warn' is given");
    if (!is_date(word[KEY_EXPIRES]))
        return status_fail(STATUS_USAGE,
                           "expires: expected a day such as 2027-01-31, found '%.40s'",
                           word[KEY_EXPIRES]);
    if (strcmp(word[KEY_EXPIRES], today) < 0)
        return status_fail(STATUS_USAGE,
                           "expired on %s; measure again and set another day, or remove it",
                           word[KEY_EXPIRES]);
    for (int k = 0; k < KEY_COUNT; k++)
        if (word[k] && isnan(number[k]) &&
            (!limits_number(word[k], &number[k]) || (isinf(number[k]) && k == KEY_MEASURED)))
            return status_fail(STATUS_USAGE, "%s: expected a number from 0, found '%.40s'",
                               keys[k].name, word[k]);
    const double limit = word[KEY_FAIL] ? number[KEY_FAIL] : limits_fail(limits, rule);
    if (number[KEY_MEASURED] > limit)
        return status_fail(STATUS_USAGE, "the measured %g is over the limit %g",
                           number[KEY_MEASURED], limit);
    char *because = text_format("%s (measured %g, until %s)", word[KEY_BECAUSE],
                                number[KEY_MEASURED], word[KEY_EXPIRES]);
    limits_change(limits, rule, number[KEY_WARN], number[KEY_FAIL], because);
    free(because);
    return STATUS_OK;
}

struct reading {
    yaml_document_t document;
    const char *origin, *today;
    bool given[RULE_COUNT];
};

static enum status blame(const struct reading *reading, size_t line)
{
    return status_prefix(STATUS_USAGE, "%s:%zu", reading->origin, line + 1);
}

/* Finds the node of that type; the error says what was expected. */
static enum status expect(struct reading *reading, int node, yaml_node_type_t type,
                          const char *expected, const yaml_node_t **out)
{
    *out = yaml_document_get_node(&reading->document, node);
    if ((*out)->type == type)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "expected %s", expected);
    return blame(reading, (*out)->start_mark.line);
}

static enum status read_word(struct reading *reading, int node, const char *expected,
                             const char **out)
{
    const yaml_node_t *found;
    enum status status = expect(reading, node, YAML_SCALAR_NODE, expected, &found);
    if (status != STATUS_OK)
        return status;
    *out = (const char *)found->data.scalar.value;
    if (strlen(*out) == found->data.scalar.length && strlen(*out) < WORD_ROOM)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "expected %s of fewer than %d letters", expected, WORD_ROOM);
    return blame(reading, found->start_mark.line);
}

/* Finds the entry of the registry that a key names, which must be the first of its name. */
static enum status read_key(struct reading *reading, int node, const struct registry *registry,
                            const char *expected, const struct choice **out)
{
    const char *word;
    enum status status = read_word(reading, node, expected, &word);
    if (status != STATUS_OK)
        return status;
    return choice_require(registry, word, out) == STATUS_OK
               ? STATUS_OK
               : blame(reading, yaml_document_get_node(&reading->document, node)->start_mark.line);
}

static enum status read_entry(struct reading *reading, const yaml_node_pair_t *pair,
                              struct limits *limits)
{
    const size_t line = yaml_document_get_node(&reading->document, pair->key)->start_mark.line;
    const struct choice *found, *key;
    const char *word[KEY_COUNT] = {NULL};
    const yaml_node_t *value;
    enum status status = read_key(reading, pair->key, &rule_registry, "the name of a rule", &found);
    if (status != STATUS_OK)
        return status;
    const struct rule *rule = (const struct rule *)found;
    if (reading->given[rule - rules]) {
        status_fail(STATUS_USAGE, "%s is given twice; remove one", rule->name);
        return blame(reading, line);
    }
    reading->given[rule - rules] = true;
    status =
        expect(reading, pair->value, YAML_MAPPING_NODE, "{fail: ..., because: ..., ...}", &value);
    for (const yaml_node_pair_t *at = status == STATUS_OK ? value->data.mapping.pairs.start : NULL;
         status == STATUS_OK && at < value->data.mapping.pairs.top; at++) {
        status = read_key(reading, at->key, &key_registry, "a key such as 'because'", &key);
        if (status == STATUS_OK && word[key - keys]) {
            status_fail(STATUS_USAGE, "%s is given twice; remove one", key->name);
            status = blame(reading, line);
        }
        if (status == STATUS_OK)
            status = read_word(reading, at->value, "a value", &word[key - keys]);
    }
    if (status == STATUS_OK && take_entry(limits, rule, word, reading->today) != STATUS_OK) {
        status_prefix(STATUS_USAGE, "%s", rule->name);
        status = blame(reading, line);
    }
    return status;
}

/* Loads the next document; an empty one after the last. */
static enum status load(struct reading *reading, yaml_parser_t *parser)
{
    if (yaml_parser_load(parser, &reading->document))
        return STATUS_OK;
    if (parser->error == YAML_MEMORY_ERROR)
        memory_exhausted();
    status_fail(STATUS_USAGE, "not valid YAML: %s",
                parser->problem ? parser->problem : "it cannot be read");
    return blame(reading, parser->problem_mark.line);
}

static enum status read_document(struct reading *reading, yaml_parser_t *parser,
                                 struct limits *limits)
{
    const yaml_node_t *root;
    enum status status = load(reading, parser);
    if (status != STATUS_OK)
        return status;
    const bool empty = !yaml_document_get_root_node(&reading->document);
    if (!empty)
        status =
            expect(reading, 1, YAML_MAPPING_NODE, "rules, as in 'picture.counted: {...}'", &root);
    for (const yaml_node_pair_t *at = empty || status != STATUS_OK ? NULL
                                                                   : root->data.mapping.pairs.start;
         at && status == STATUS_OK && at < root->data.mapping.pairs.top; at++)
        status = read_entry(reading, at, limits);
    yaml_document_delete(&reading->document);
    if (empty || status != STATUS_OK || (status = load(reading, parser)) != STATUS_OK)
        return status;
    const yaml_node_t *more = yaml_document_get_root_node(&reading->document);
    if (more) {
        status_fail(STATUS_USAGE, "expected the end; limits are one document");
        status = blame(reading, more->start_mark.line);
    }
    yaml_document_delete(&reading->document);
    return status;
}

enum status limits_parse(struct limits *limits, const char *text, size_t size, const char *origin,
                         const char *today)
{
    struct reading reading = {.origin = origin, .today = today};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        memory_exhausted();
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    const enum status status = read_document(&reading, &parser, limits);
    yaml_parser_delete(&parser);
    return status;
}

enum status limits_read(struct limits *limits, const char *path, const char *today)
{
    char *text;
    size_t size;
    enum status status = file_read(path, FILE_MAX, &text, &size);
    if (status != STATUS_OK)
        return status;
    status = limits_parse(limits, text, size, path, today);
    free(text);
    return status;
}
