#include "cmd/cli/arguments.h"

#include "base/suggest.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct argp_option own_options[] = {
    {"help", '?', NULL, 0, NULL, 0}, {"usage", 0, NULL, 0, NULL, 0}, {0}};

static bool is_end(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc;
}

/* The option that `name` is or begins. */
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

static const struct argp_option *find_short(const struct argp_option *options, int key)
{
    for (const struct argp_option *option = options; option && !is_end(option); option++)
        if (option->key == key)
            return option;
    return NULL;
}

/* *skip: the option's argument is the next word. */
static enum status check_long(const struct argp *argp, const char *command, const char *word,
                              bool *skip)
{
    char name[128];
    size_t length = strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    struct suggestion suggestion = {name, NULL, 0};
    const struct argp_option *option = find_long(argp->options, word, length, &suggestion);
    if (!option)
        option = find_long(own_options, word, length, &suggestion);
    *skip = option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && word[length] == '\0';
    if (option)
        return STATUS_OK;
    char meant[160] = ";";
    if (suggestion.best)
        snprintf(meant, sizeof meant, "; did you mean '--%s'?", suggestion.best);
    return status_fail(STATUS_USAGE, "there is no option '--%s'%s `gravreel %s --help` lists them",
                       name, meant, command);
}

static enum status check_short(const struct argp *argp, const char *command, const char *letters,
                               bool *skip)
{
    for (const char *letter = letters; *letter; letter++) {
        const struct argp_option *option = find_short(argp->options, (unsigned char)*letter);
        if (!option)
            option = find_short(own_options, (unsigned char)*letter);
        if (!option)
            return status_fail(STATUS_USAGE,
                               "there is no option '-%c'; `gravreel %s --help` lists them", *letter,
                               command);
        *skip = option->arg && letter[1] == '\0';
        if (option->arg)
            break;
    }
    return STATUS_OK;
}

/* getopt's own message for a mistyped option does not say what was meant. */
static enum status check_options(const struct argp *argp, const char *command, int argc,
                                 char **argv)
{
    enum status status = STATUS_OK;
    for (int i = 1; status == STATUS_OK && i < argc && strcmp(argv[i], "--") != 0; i++) {
        bool skip = false;
        if (strncmp(argv[i], "--", 2) == 0)
            status = check_long(argp, command, argv[i] + 2, &skip);
        else if (argv[i][0] == '-')
            status = check_short(argp, command, argv[i] + 1, &skip);
        i += skip;
    }
    return status;
}

enum status arguments_parse(const struct argp *argp, const char *name, int argc, char **argv,
                            void *input)
{
    enum status status = check_options(argp, name, argc, argv);
    if (status != STATUS_OK)
        return status;
    char full[64];
    snprintf(full, sizeof full, "gravreel %s", name);
    argv[0] = full; /* argp's messages begin with it */
    error_t error = argp_parse(argp, argc, argv, 0, NULL, input);
    /* The parser that stopped argp has set the sentence. */
    return error ? STATUS_USAGE : STATUS_OK;
}
