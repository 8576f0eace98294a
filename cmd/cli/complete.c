#include "cmd/cli/complete.h"

#include "base/text.h"
#include "cmd/cli/key_options.h"
#include "scenes/builtin.h"
#include "scenes/keys.h"
#include "sim/solver/solver.h"

#include <stdlib.h>
#include <string.h>

static const char files[] = ":files\n";

void complete_offer(FILE *file, const char *word, const char *name, const char *doc)
{
    if (strncmp(name, word, strlen(word)) != 0)
        return;
    doc = doc ? doc : "";
    fprintf(file, "%s%s%.*s\n", name, *doc ? "\t" : "", (int)strcspn(doc, ";\n\t"), doc);
}

/* Offers a name, preceded by `before`. */
static void offer(FILE *file, const char *word, const char *before, const char *name,
                  const char *doc)
{
    char *whole = text_format("%s%s", before, name);
    complete_offer(file, word, whole, doc);
    free(whole);
}

static void offer_registry(FILE *file, const char *word, const char *before,
                           const struct registry *registry)
{
    const struct choice *entry;
    for (size_t i = 0; registry && (entry = choice_at(registry, i)); i++)
        offer(file, word, before, entry->name, entry->doc);
}

static void offer_values(FILE *file, const char *word, const char *before, const struct key *key)
{
    offer_registry(file, word, before, key->registry);
    if (key->type == KEY_FLAG) {
        offer(file, word, before, "true", NULL);
        offer(file, word, before, "false", NULL);
    }
    offer(file, word, before, "help", key->doc);
}

/* Offers "SECTION.KEY=" or, if the word already contains a key, the values of that key. */
static void offer_settings(FILE *file, const char *word, const char *before)
{
    const size_t skip = strlen(before);
    const char *equals = strlen(word) >= skip ? strchr(word + skip, '=') : NULL;
    if (!equals) {
        for (size_t i = 0; i < scene_key_count; i++) {
            const struct key *key = &scene_keys[i];
            char *name = text_format("%s.%s=", key->section, key->name);
            offer(file, word, before, name, key->doc);
            free(name);
        }
        return;
    }
    char *path = text_format("%.*s", (int)(equals - word - (ptrdiff_t)skip), word + skip);
    char *whole = text_format("%s%s=", before, path);
    const struct key *key = key_path_find(path);
    if (key)
        offer_values(file, word, whole, key);
    free(whole);
    free(path);
}

/* Offers the words of a list "a|b|c". */
static void offer_words(FILE *file, const char *word, const char *before, const char *words)
{
    while (*words) {
        const int length = (int)strcspn(words, "|");
        char *one = text_format("%.*s", length, words);
        offer(file, word, before, one, NULL);
        free(one);
        words += length + (words[length] == '|');
    }
}

static bool takes_file(const char *argument)
{
    static const char *const kinds[] = {"FILE", "OUT", "FOLDER", "REPORT"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(argument, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return false;
}

/* Offers the values of an option, for a separate word or after "--option=". */
static void offer_argument(FILE *file, const char *word, const char *before,
                           const struct help_row *row)
{
    const struct key_option *of_key = key_option_named(row->name);
    if (of_key)
        offer_values(file, word, before, key_path_find(of_key->path));
    else if (strcmp(row->name, "set") == 0)
        offer_settings(file, word, before);
    else if (strchr(row->argument, '|'))
        offer_words(file, word, before, row->argument);
    else if (takes_file(row->argument))
        fputs(files, file);
}

/* The option of a word that still needs a value: "-o", "--output" or "--output=x". */
static const struct help_row *find_option(const struct help_page *page, const char *word)
{
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; i < page->count; i++) {
        const struct help_row *row = &page->rows[i];
        const bool is_long = strncmp(word, "--", 2) == 0 && strlen(row->name) == length - 2 &&
                             strncmp(word + 2, row->name, length - 2) == 0;
        const bool is_short =
            word[0] == '-' && word[1] && word[1] == row->letter && word[2] == '\0';
        if (row->argument && (is_long || is_short))
            return row;
    }
    return NULL;
}

static void offer_options(FILE *file, const char *word, const struct help_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct help_row *row = &page->rows[i];
        char *name = text_format("--%s%s", row->name, row->argument && !row->optional ? "=" : "");
        complete_offer(file, word, name, row->doc);
        free(name);
    }
}

static bool is_given(char **words, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* Offers arguments that are not options. */
static void offer_word(FILE *file, const struct help_page *page, char **words, int count)
{
    const char *word = words[count - 1], *takes = page->words ? page->words : "";
    if (is_given(words, count - 1, "--keys")) {
        for (size_t i = 0; i < SECTION_COUNT; i++)
            complete_offer(file, word, scene_sections[i].name, scene_sections[i].doc);
        for (size_t i = 0; i < scene_key_count && strchr(word, '.'); i++) {
            char *name = text_format("%s.%s", scene_keys[i].section, scene_keys[i].name);
            complete_offer(file, word, name, scene_keys[i].doc);
            free(name);
        }
        return;
    }
    if (strstr(takes, "SCENE") || strstr(takes, "NAME") || strcmp(takes, "FILE") == 0)
        offer_registry(file, word, "", &builtin_registry);
    if (*takes)
        fputs(files, file);
}

void complete_print(FILE *file, const struct help_page *page, char **words, int count)
{
    const char *word = words[count - 1];
    const struct help_row *before = count > 1 ? find_option(page, words[count - 2]) : NULL;
    const struct help_row *own = strchr(word, '=') ? find_option(page, word) : NULL;
    if (own && word[1] == '-') {
        char *prefix = text_format("--%s=", own->name);
        offer_argument(file, word, prefix, own);
        free(prefix);
    } else if (before && !before->optional && !strchr(words[count - 2], '=')) {
        offer_argument(file, word, "", before);
    } else if (*word == '-') {
        offer_options(file, word, page);
    } else {
        offer_word(file, page, words, count);
    }
}
