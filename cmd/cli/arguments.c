#include "cmd/cli/arguments.h"

#include "base/ranks/ranks.h"
#include "base/log.h"
#include "base/text.h"
#include "render/video/codecs.h"
#include "scenes/keys.h"
#include "scenes/reference.h"
#include "scenes/scene.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct key_option key_options[KEY_OPTIONS] = {
    {"--bodies", "bodies.count", "N", TAKERS_PHYSICS, HELP_SCENE, 'n', 0},
    {"--bodies-format", "bodies.format", "NAME", TAKERS_ALL, HELP_SCENE, 0, 0},
    {"--seed", "bodies.seed", "N", TAKERS_PHYSICS, HELP_SCENE, 0, 0},
    {"--size", "output.size", "WxH", TAKERS_ALL, HELP_SCENE, 0, 0},
    {"--fps", "output.fps", "RATE", TAKERS_ALL, HELP_SCENE, 0, 0},
    {"--codec", "output.codec", "NAME", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--crf", "output.crf", "N", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--preset", "output.preset", "NAME", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--bits", "output.bits", "N", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--chroma", "output.chroma", "MODE", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--pad", "output.pad", NULL, TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--deterministic", "output.deterministic", "BOOL", TAKERS_FILM, HELP_ENCODING, 0,
     OPTION_ARG_OPTIONAL},
    {"--audio", "output.audio", "FILE", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--start-number", "output.start_number", "N", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--captions", "output.captions", "burn|track|both", TAKERS_FILM, HELP_ENCODING, 0, 0},
    {"--alpha", "output.alpha", "none|straight|premultiplied", TAKERS_FILM | TAKER_STILL,
     HELP_ENCODING, 0, 0},
    {"--png-bits", "output.png_bits", "N", TAKERS_FILM | TAKER_STILL, HELP_ENCODING, 0, 0},
    {"--exr-bits", "output.exr_bits", "N", TAKERS_FILM | TAKER_STILL, HELP_ENCODING, 0, 0},
};

_Static_assert(OPTION_KEYS + KEY_OPTIONS <= OPTION_KEYS_END, "raise OPTION_KEYS_END");

int key_option_number(const struct key_option *option)
{
    return option->letter ? option->letter : OPTION_KEYS + (int)(option - key_options);
}

const struct key_option *key_option_find(int number)
{
    for (int i = 0; i < KEY_OPTIONS; i++)
        if (key_option_number(&key_options[i]) == number)
            return &key_options[i];
    return NULL;
}

const struct key_option *key_option_named(const char *name)
{
    for (int i = 0; i < KEY_OPTIONS; i++)
        if (strcmp(key_options[i].name + 2, name) == 0)
            return &key_options[i];
    return NULL;
}

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
            char name[KEY_PATH];
            key_path(&scene_keys[i], name);
            complete_offer(file, word, name, scene_keys[i].doc);
        }
        return;
    }
    if (strstr(takes, "SCENE") || strstr(takes, "NAME") || strcmp(takes, "FILE") == 0)
        offer_registry(file, word, "", &builtin_registry);
    if (*takes)
        fputs(files, file);
}

/* `words` are those after the command's name, count >= 1. */
static void complete_print(FILE *file, const struct help_page *page, char **words, int count)
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

static void print_row(const char *name, const char *doc)
{
    printf("  %-14s %s\n", name, doc);
}

void choices_list(const struct registry *registry)
{
    const struct choice *entry;
    for (size_t i = 0; (entry = choice_at(registry, i)); i++)
        print_row(entry->name, entry->doc);
}

/* Lists the codecs by use; a use comes where its first codec does. */
static void print_codecs(void)
{
    const struct codec *codec, *other;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)); i++) {
        size_t first = 0;
        while (strcmp(((const struct codec *)choice_at(&codec_registry, first))->use, codec->use))
            first++;
        if (first < i)
            continue;
        printf("%s:\n", codec->use);
        for (size_t j = i; (other = choice_at(&codec_registry, j)); j++) {
            char doc[256];
            snprintf(doc, sizeof doc, "%s (%s; for %s)", other->doc, other->encoder,
                     other->containers);
            if (strcmp(other->use, codec->use) == 0)
                print_row(other->name, doc);
        }
    }
}

static void print_presets(void)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)); i++)
        if (*codec->presets)
            print_row(codec->name, codec->presets);
}

enum status choices_print(const char *path)
{
    if (strcmp(path, "backend") == 0) {
        print_row("auto", "the first of these that runs here");
        choices_list(&solver_registry);
        return STATUS_OK;
    }
    struct reference one;
    enum status status = reference_find(path, &one);
    if (status != STATUS_OK)
        return status;
    const bool preset = one.key == key_path_find("output.preset");
    const bool codec = one.key && one.key->registry == &codec_registry;
    if (!preset && !codec) {
        reference_print_one(stdout, &one, REFERENCE_TEXT);
        return STATUS_OK;
    }
    reference_print_key(stdout, one.key);
    if (preset)
        print_presets();
    else
        print_codecs();
    return STATUS_OK;
}

enum status choices_check_backend(const char *name)
{
    const struct choice *backend;
    if (strcmp(name, "auto") == 0)
        return STATUS_OK;
    return choice_require(&solver_registry, name, &backend);
}

/* A word that is not an option but is often taken for one. */
struct wish {
    const char *word;
    const char *option;  /* the option to use instead; only for commands that have it */
    const char *example; /* an example of its use */
};

#define TITLE      "--set 'output.title=Two galaxies' --set overlay.title=true"
#define BACKGROUND "--set look.background=navy"
#define FADE       "--set look.fade_in=1 --set look.fade_out=1"
#define SLOW       "--set 'simulation.slow=[{at: pericentre, factor: 4}]'"
#define CAPTION    "--set 'overlay.captions=[{text: First passage, from: 2, to: 5}]'"
#define SUBTITLE   "--set overlay.card=3 --set 'overlay.subtitle=Two galaxies meet'"

static const struct wish wishes[] = {
    {"title", "set", TITLE},
    {"background", "set", BACKGROUND},
    {"music", "audio", "--audio song.m4a"},
    {"sound", "audio", "--audio song.m4a"},
    {"soundtrack", "audio", "--audio song.m4a"},
    {"transparent", "alpha", "--alpha straight"},
    {"transparency", "alpha", "--alpha straight"},
    {"slow", "set", SLOW},
    {"slowmo", "set", SLOW},
    {"slow-motion", "set", SLOW},
    {"caption", "set", CAPTION},
    {"captions", "set", CAPTION},
    {"text", "set", CAPTION},
    {"subtitle", "set", SUBTITLE},
    {"card", "set", SUBTITLE},
    {"fade", "set", FADE},
    {"fade-in", "set", FADE},
    {"fade-out", "set", FADE},
    {"color", "set", "--set look.color=help"},
    {"colour", "set", "--set look.color=help"},
    {"camera", "set", "--set camera=help"},
    {"orbit", "set", "--set camera.orbit=180"},
    {"zoom", "set", "--set camera.zoom=2"},
    {"length", "duration", "--duration 20"},
    {"resolution", "size", "--size 1920x1080"},
    {"width", "size", "--size 1920x1080"},
    {"height", "size", "--size 1920x1080"},
    {"quality", "crf", "--crf 18"},
    {"threads", "set", "--set output.threads=8"},
};

/* Finds `word`, without dashes. NULL: unknown. */
static const struct wish *wish_find(const char *word)
{
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++)
        if (strcmp(wishes[i].word, word) == 0)
            return &wishes[i];
    return NULL;
}

static const struct argp_option own_options[] = {
    {"help", '?', NULL, 0, NULL, 0},
    {"help", 'h', NULL, 0, NULL, 0},
    {"usage", 0, NULL, 0, NULL, 0},
    {0},
};

static bool is_end(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc;
}

/* The option whose name is `name` or begins with it. */
static const struct argp_option *find_long(const struct argp_option *options, const char *name,
                                           size_t length, struct suggestion *suggestion)
{
    const struct argp_option *found = NULL;
    for (const struct argp_option *option = options; option && !is_end(option); option++) {
        if (!option->name)
            continue;
        suggest_offer(suggestion, option->name);
        if (strncmp(option->name, name, length) != 0)
            continue;
        found = option;
        if (option->name[length] == '\0')
            break;
    }
    return found;
}

/* Another option that begins like `option` was abbreviated; NULL: the abbreviation is unique. */
static const char *find_other(const struct argp *argp, const struct argp_option *option,
                              const char *name, size_t length)
{
    for (const struct argp_option *other = argp->options; other && !is_end(other); other++)
        if (other != option && option->name[length] && other->name &&
            strncmp(other->name, name, length) == 0)
            return other->name;
    return NULL;
}

static const struct argp_option *find_short(const struct argp_option *options, int key)
{
    for (const struct argp_option *option = options; option && !is_end(option); option++)
        if (option->key == key)
            return option;
    return NULL;
}

/* The special meaning of a command-line word, apart from the effect of its option. */
struct word {
    const struct argp_option *takes; /* option whose argument is the next word; NULL: none */
    const char *help; /* the form of help: "" or what follows "--help="; NULL: none */
};

/* Suggests what an unknown long option may have meant, as the rest of a sentence. */
static void say_meant(const struct argp *argp, const char *name, const char *nearest, char *out,
                      size_t size)
{
    struct suggestion unused = {name, NULL, 0};
    const struct wish *wish = wish_find(name);
    if (wish && find_long(argp->options, wish->option, strlen(wish->option), &unused))
        snprintf(out, size, "; did you mean `%s`?", wish->example);
    else if (nearest)
        snprintf(out, size, "; did you mean '--%s'?", nearest);
    else
        snprintf(out, size, ";");
}

static enum status check_long(const struct argp *argp, const char *command, const char *word,
                              struct word *out)
{
    char name[128];
    size_t length = strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    struct suggestion suggestion = {name, NULL, 0};
    const struct argp_option *option = find_long(argp->options, word, length, &suggestion);
    if (!option) {
        option = find_long(own_options, word, length, &suggestion);
        if (option && strcmp(option->name, "help") == 0)
            out->help = word + length + (word[length] == '=');
    }
    const char *other = option ? find_other(argp, option, word, length) : NULL;
    if (other)
        return status_fail(STATUS_USAGE, "'--%s' may be '--%s' or '--%s'; write the option in full",
                           name, other, option->name);
    if (option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && word[length] == '\0')
        out->takes = option;
    if (option)
        return STATUS_OK;
    char meant[160];
    say_meant(argp, name, suggestion.best, meant, sizeof meant);
    return status_fail(STATUS_USAGE, "there is no option '--%s'%s `gravreel %s --help` lists them",
                       name, meant, command);
}

static enum status check_short(const struct argp *argp, const char *command, const char *letters,
                               struct word *out)
{
    for (const char *letter = letters; *letter; letter++) {
        const struct argp_option *option = find_short(argp->options, (unsigned char)*letter);
        if (!option) {
            option = find_short(own_options, (unsigned char)*letter);
            out->help = option ? "" : out->help;
        }
        if (!option)
            return status_fail(STATUS_USAGE,
                               "there is no option '-%c'; `gravreel %s --help` lists them", *letter,
                               command);
        out->takes = option->arg && letter[1] == '\0' ? option : NULL;
        if (option->arg)
            break;
    }
    return STATUS_OK;
}

/* Whether the word is exactly one of the options. */
static bool is_option(const struct argp *argp, const char *word)
{
    struct suggestion unused = {word, NULL, 0};
    if (word[0] != '-' || word[1] == '\0')
        return false;
    if (word[1] != '-')
        return word[2] == '\0' && (find_short(argp->options, (unsigned char)word[1]) ||
                                   find_short(own_options, (unsigned char)word[1]));
    const size_t length = strcspn(word + 2, "=");
    const struct argp_option *option = find_long(argp->options, word + 2, length, &unused);
    if (!option)
        option = find_long(own_options, word + 2, length, &unused);
    return option && length > 0 && option->name[length] == '\0';
}

/* Fails if the value of an option is itself an option: the value was probably forgotten. */
static enum status check_value(const struct argp *argp, const struct argp_option *option,
                               const char *value)
{
    if (!value || !is_option(argp, value))
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "--%s needs %s, found the option '%s'", option->name,
                       option->arg, value);
}

/* Reports mistyped options with a suggestion, which getopt's own message lacks. *help: as in struct
 * word, of the first word that asks for help. */
static enum status check_options(const struct argp *argp, const char *command, int argc,
                                 char **argv, const char **help)
{
    enum status status = STATUS_OK;
    for (int i = 1; status == STATUS_OK && !*help && i < argc && strcmp(argv[i], "--") != 0; i++) {
        struct word word = {0};
        if (strncmp(argv[i], "--", 2) == 0)
            status = check_long(argp, command, argv[i] + 2, &word);
        else if (argv[i][0] == '-')
            status = check_short(argp, command, argv[i] + 1, &word);
        if (status == STATUS_OK && word.takes)
            status = check_value(argp, word.takes, i + 1 < argc ? argv[i + 1] : NULL);
        i += word.takes != NULL;
        *help = word.help;
    }
    return status;
}

/* Ends the process as argp does after --help. */
static _Noreturn void end_process(void)
{
    if (fflush(stdout) == 0)
        exit(STATUS_OK);
    log_error("cannot write to the standard output");
    exit(STATUS_IO);
}

static enum status print_help(const struct argp *argp, const char *full, const char *form)
{
    struct help_page page;
    const bool text = !*form, manual = strcmp(form, "man") == 0;
    if (!text && !manual)
        return status_fail(STATUS_USAGE,
                           "--help is text, or with --help=man a manual page; found '%s'", form);
    help_page_make(&page, argp, full);
    if (text)
        help_print_text(stdout, &page);
    else
        help_print_manual(stdout, &page);
    help_page_free(&page);
    end_process();
}

static _Noreturn void complete(const struct argp *argp, const char *full, char **words, int count)
{
    struct help_page page;
    help_page_make(&page, argp, full);
    complete_print(stdout, &page, words, count);
    help_page_free(&page);
    end_process();
}

enum status arguments_parse(const struct argp *argp, const char *name, int argc, char **argv,
                            void *input)
{
    char full[64];
    const char *help = NULL;
    snprintf(full, sizeof full, "gravreel %s", name);
    if (argc > 2 && strcmp(argv[1], COMPLETE_WORD) == 0)
        complete(argp, full, argv + 2, argc - 2);
    enum status status = check_options(argp, name, argc, argv, &help);
    if (status == STATUS_OK && help)
        status = print_help(argp, full, help);
    if (status != STATUS_OK)
        return status;
    argv[0] = full;                                           /* argp's messages begin with it */
    const unsigned flags = ranks_own() > 0 ? ARGP_SILENT : 0; /* rank 0 speaks for all */
    error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
    /* the parser that stopped argp has set the message */
    return error ? STATUS_USAGE : STATUS_OK;
}

enum status number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                         uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value < least || value > most)
        return status_fail(STATUS_USAGE, "%s needs a whole number from %llu to %llu, found '%s'",
                           option, (unsigned long long)least, (unsigned long long)most, text);
    *out = value;
    return STATUS_OK;
}

enum status count_parse(const char *option, const char *text, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;
    enum status status = number_parse(option, text, 1, most, &value);
    *out = (uint32_t)value;
    return status;
}
