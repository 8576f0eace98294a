#include "cmd/command.h"

#include "base/choice.h"
#include "base/log.h"

#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_render,   &command_join,  &command_still,  &command_sheet,
    &command_scenes,   &command_info,  &command_doctor, &command_bench,
    &command_baseline, &command_check, &command_verify, &command_compare};
static const struct registry registry = REGISTRY_LIST("command", commands);

static void print_help(FILE *file)
{
    fputs("Usage: gravreel COMMAND [OPTION...]\n"
          "Turns gravity into film: simulates colliding galaxies, draws every frame and encodes to "
          "MP4 or PNG.\n\n"
          "Commands:\n",
          file);
    const struct command *command;
    for (size_t i = 0; (command = choice_at(&registry, i)); i++)
        fprintf(file, "  %-10s %s\n", command->name, command->doc);
    fputs("\n`gravreel render -o film.mp4` renders the default scene. `gravreel COMMAND --help` "
          "describes a command.\n",
          file);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return status_fail(
            STATUS_USAGE, "no command was given; `gravreel --help` lists them, for example render");
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
    const struct choice *found;
    if (choice_require(&registry, argv[1], &found) != STATUS_OK)
        return STATUS_USAGE;
    const struct command *command = (const void *)found;
    return command->run(argc - 1, argv + 1);
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
