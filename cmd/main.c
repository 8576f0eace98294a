#include "cmd/command.h"

#include "base/log.h"
#include "base/suggest.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {&command_render, &command_join,   &command_still,
                                                 &command_sheet,  &command_scenes, &command_info,
                                                 &command_doctor, &command_bench,  NULL};

static void print_help(FILE *file)
{
    fputs("Usage: gravreel COMMAND [OPTION...]\n"
          "Turns gravity into film: simulates colliding galaxies, draws every frame, encodes to "
          "MP4 or PNG.\n\n",
          file);
    for (const struct command *const *command = commands; *command; command++)
        fprintf(file, "  %-10s %s\n", (*command)->name, (*command)->doc);
    fputs("\n`gravreel render -o film.mp4` renders the default scene; `gravreel COMMAND --help` "
          "tells more.\n",
          file);
}

static int unknown_command(const char *name)
{
    struct suggestion suggestion = {name, NULL, 0};
    for (const struct command *const *command = commands; *command; command++)
        suggest_offer(&suggestion, (*command)->name);
    return status_fail(STATUS_USAGE, "there is no command '%s'%s%s `gravreel --help` lists them",
                       name, suggest_text(&suggestion), suggestion.best ? "" : ";");
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return status_fail(
            STATUS_USAGE,
            "a command is wanted, and none was given; try `gravreel render -o film.mp4`");
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("gravreel " GRAVREEL_VERSION);
        return STATUS_OK;
    }
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, argv[1]) == 0)
            return (*command)->run(argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = STATUS_USAGE;
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of write, with a sentence */
    int code = dispatch(argc, argv);
    if (code > STATUS_OK && code <= STATUS_IO)
        log_error("%s", status_text());
    if (fflush(stdout) != 0 && code == STATUS_OK) {
        log_error("cannot write to the standard output");
        code = STATUS_IO;
    }
    return code;
}
