#include "cmd/regression/judge/limits_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

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

struct entry {
    const struct rule *rule;
    size_t line;
    char *word[KEY_COUNT]; /* NULL: not given */
};

struct walk {
    yaml_parser_t parser;
    yaml_event_t event;
    const char *origin, *today;
    bool given[RULE_COUNT];
};

static enum status blame(const struct walk *walk, size_t line)
{
    return status_prefix(STATUS_USAGE, "%s:%zu", walk->origin, line);
}

static size_t line_of(const struct walk *walk)
{
    return walk->event.start_mark.line + 1;
}

static enum status next(struct walk *walk)
{
    yaml_event_delete(&walk->event);
    if (yaml_parser_parse(&walk->parser, &walk->event))
        return STATUS_OK;
    if (walk->parser.error == YAML_MEMORY_ERROR)
        memory_exhausted();
    status_fail(STATUS_USAGE, "not valid YAML: %s",
                walk->parser.problem ? walk->parser.problem : "it cannot be read");
    return blame(walk, walk->parser.problem_mark.line + 1);
}

/* Returns a scalar's text, or NULL with the error set. */
static const char *scalar(const struct walk *walk, const char *expected)
{
    const char *text = (const char *)walk->event.data.scalar.value;
    if (walk->event.type == YAML_SCALAR_EVENT && strlen(text) == walk->event.data.scalar.length &&
        strlen(text) < WORD_ROOM)
        return text;
    status_fail(STATUS_USAGE, "expected %s of fewer than %d letters", expected, WORD_ROOM);
    blame(walk, line_of(walk));
    return NULL;
}

static enum status expect(const struct walk *walk, yaml_event_type_t type, const char *expected)
{
    if (walk->event.type == type)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "expected %s", expected);
    return blame(walk, line_of(walk));
}

static enum status read_key(struct walk *walk, struct entry *entry)
{
    const struct choice *found;
    const char *word = scalar(walk, "a key such as 'because'");
    if (!word)
        return STATUS_USAGE;
    if (choice_require(&key_registry, word, &found) != STATUS_OK)
        return blame(walk, line_of(walk));
    const ptrdiff_t key = found - keys;
    if (entry->word[key]) {
        status_fail(STATUS_USAGE, "%s is given twice; remove one", found->name);
        return blame(walk, line_of(walk));
    }
    enum status status = next(walk);
    if (status == STATUS_OK && !(word = scalar(walk, "a value")))
        status = STATUS_USAGE;
    if (status == STATUS_OK)
        entry->word[key] = memory_text(word);
    return status;
}

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

static enum status read_number(const struct entry *entry, enum key key, double *out)
{
    const char *text = entry->word[key];
    if (!limits_number(text, out) || (isinf(*out) && key == KEY_MEASURED))
        return status_fail(STATUS_USAGE, "%s: expected a number from 0, found '%.40s'",
                           keys[key].name, text);
    return STATUS_OK;
}

/* Checks whether the entry is valid; the error says why not. */
static enum status accept(struct walk *walk, struct limits *limits, const struct entry *entry)
{
    const char *expires = entry->word[KEY_EXPIRES];
    double fail = NAN, warn = NAN, measured;
    static const enum key required[] = {KEY_BECAUSE, KEY_MEASURED, KEY_EXPIRES};
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!entry->word[required[i]] || !entry->word[required[i]][0])
            return status_fail(STATUS_USAGE, "'%s' is missing, %s", keys[required[i]].name,
                               keys[required[i]].doc);
    if (!entry->word[KEY_FAIL] && !entry->word[KEY_WARN])
        return status_fail(STATUS_USAGE, "neither 'fail' nor 'warn' is given");
    if (!is_date(expires))
        return status_fail(STATUS_USAGE,
                           "expires: expected a day such as 2027-01-31, found '%.40s'", expires);
    if (strcmp(expires, walk->today) < 0)
        return status_fail(STATUS_USAGE,
                           "expired on %s; measure again and set another day, or remove it",
                           expires);
    enum status status = read_number(entry, KEY_MEASURED, &measured);
    if (status == STATUS_OK && entry->word[KEY_FAIL])
        status = read_number(entry, KEY_FAIL, &fail);
    if (status == STATUS_OK && entry->word[KEY_WARN])
        status = read_number(entry, KEY_WARN, &warn);
    if (status != STATUS_OK)
        return status;
    const double limit = isnan(fail) ? limits_fail(limits, entry->rule) : fail;
    if (measured > limit)
        return status_fail(STATUS_USAGE, "the measured %g is over the limit %g", measured, limit);
    char *because =
        text_format("%s (measured %g, until %s)", entry->word[KEY_BECAUSE], measured, expires);
    limits_change(limits, entry->rule, warn, fail, because);
    free(because);
    return STATUS_OK;
}

static enum status read_keys(struct walk *walk, struct entry *entry)
{
    enum status status = next(walk);
    if (status == STATUS_OK)
        status = expect(walk, YAML_MAPPING_START_EVENT, "{fail: ..., because: ..., ...}");
    for (;;) {
        if (status != STATUS_OK || (status = next(walk)) != STATUS_OK ||
            walk->event.type == YAML_MAPPING_END_EVENT)
            return status;
        status = read_key(walk, entry);
    }
}

static enum status read_entry(struct walk *walk, struct limits *limits)
{
    struct entry entry = {.line = line_of(walk)};
    const struct choice *found;
    const char *name = scalar(walk, "the name of a rule");
    if (!name)
        return STATUS_USAGE;
    if (choice_require(&rule_registry, name, &found) != STATUS_OK)
        return blame(walk, entry.line);
    entry.rule = (const struct rule *)found;
    if (walk->given[entry.rule - rules]) {
        status_fail(STATUS_USAGE, "%s is given twice; remove one", entry.rule->name);
        return blame(walk, entry.line);
    }
    walk->given[entry.rule - rules] = true;
    enum status status = read_keys(walk, &entry);
    if (status == STATUS_OK && (status = accept(walk, limits, &entry)) != STATUS_OK) {
        status_prefix(status, "%s", entry.rule->name);
        status = blame(walk, entry.line);
    }
    for (int i = 0; i < KEY_COUNT; i++)
        free(entry.word[i]);
    return status;
}

static enum status read_document(struct walk *walk, struct limits *limits)
{
    enum status status;
    if ((status = next(walk)) != STATUS_OK || (status = next(walk)) != STATUS_OK ||
        walk->event.type == YAML_STREAM_END_EVENT) /* the file is empty */
        return status;
    if ((status = next(walk)) == STATUS_OK)
        status = expect(walk, YAML_MAPPING_START_EVENT, "rules, as in 'picture.counted: {...}'");
    while (status == STATUS_OK && (status = next(walk)) == STATUS_OK &&
           walk->event.type != YAML_MAPPING_END_EVENT)
        status = read_entry(walk, limits);
    if (status != STATUS_OK || (status = next(walk)) != STATUS_OK ||
        (status = next(walk)) != STATUS_OK)
        return status;
    return expect(walk, YAML_STREAM_END_EVENT, "the end; limits are one document");
}

enum status limits_parse(struct limits *limits, const char *text, size_t size, const char *origin,
                         const char *today)
{
    struct walk walk = {.origin = origin, .today = today};
    if (!yaml_parser_initialize(&walk.parser))
        memory_exhausted();
    yaml_parser_set_input_string(&walk.parser, (const unsigned char *)text, size);
    enum status status = read_document(&walk, limits);
    yaml_event_delete(&walk.event);
    yaml_parser_delete(&walk.parser);
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
