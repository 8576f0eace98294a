#include "base/choice.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/interrupt.h"
#include "cmd/command.h"
#include "render/gl/context.h"
#include "render/picture/png_pdf.h"
#include "render/video/codecs.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1024 };

void version_print(FILE *file)
{
    char libav[TEXT_MAX], png[TEXT_MAX], gl[TEXT_MAX];
    video_libraries(libav, sizeof libav);
    png_file_libraries(png, sizeof png);
    gl_context_describe(gl, sizeof gl);
    fprintf(file, "gravreel %s\n", GRAVREEL_VERSION);
    fprintf(file, "commit     %s\n", version_commit);
    fprintf(file, "CUDA       %s\n", GRAVREEL_CUDA_BUILT);
    fprintf(file, "MPI        %s\n", *ranks_library() ? ranks_library() : "not built in");
    fprintf(file, "encoding   %s, %s\n", libav, png);
    fprintf(file, "drawing    %s\n", gl);
    fputs("`gravreel doctor` tries the devices, the drawing and the encoders.\n", file);
}

static const struct command *const commands[] = {
    &command_render, &command_simulate, &command_resume,  &command_join,
    &command_farm,   &command_still,    &command_sheet,   &command_view,   &command_scenes,
    &command_info,   &command_doctor,   &command_bench,   &command_baseline,
    &command_check,  &command_verify,   &command_compare, &command_convert};
static const struct registry registry = REGISTRY_LIST("command", commands);

enum { WORDS_MAX = 256 }; /* words of a command line to complete */

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
          "describes a command, `gravreel --version` says what this program was built from.\n",
          file);
}

static const struct {
    const char *name, *doc;
} environment[] = {
    {"GRAVREEL_DATA", "folders in which tables of bodies are looked for, separated by colons"},
    {"GRAVREEL_TEST_UPDATE",
     "accepts the differences that `gravreel check` finds: 1, or the stages"},
    {"GRAVREEL_TEST_BECAUSE", "the reason for it"},
    {"SOURCE_DATE_EPOCH", "creation time to store in films; without it none is stored"},
    {"NO_COLOR", "no escape sequences are written, as with TERM=dumb"},
    {"TMPDIR", "where trials of --dry-run and the like are made"},
};

static const struct {
    const char *code, *doc;
} codes[] = {
    {"0", "success"},
    {"1", "failure while running"},
    {"2", "wrong usage"},
    {"3", "a comparison found a difference, or the physics exceeds a limit of the scene"},
    {"4", "no usable device, GL or encoder"},
    {"5", "file or disk error"},
    {"130, 143", "ended by SIGINT or SIGTERM, with the film up to that point"},
};

static void print_manual(FILE *file)
{
    roff_title(file, "gravreel", 1, "turns gravity into film");
    roff_section(file, "synopsis");
    roff_text(file, "`gravreel` COMMAND [OPTION...]");
    roff_section(file, "description");
    roff_text(file, "Simulates N-body gravity, draws every frame without a display, and encodes to "
                    "MP4, other films or PNG. Each command has a page of its own, such as "
                    "`gravreel-render`(1); `gravreel-scene`(5) describes every key of a scene.");
    roff_section(file, "commands");
    const struct command *command;
    for (size_t i = 0; (command = choice_at(&registry, i)); i++) {
        roff_term(file, command->name);
        roff_text(file, command->doc);
    }
    roff_section(file, "environment");
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++) {
        roff_term(file, environment[i].name);
        roff_text(file, environment[i].doc);
    }
    roff_section(file, "exit status");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        roff_term(file, codes[i].code);
        roff_text(file, codes[i].doc);
    }
    roff_section(file, "examples");
    fputs(".nf\n", file);
    roff_literal(file, "gravreel render -o film.mp4");
    roff_literal(file, "gravreel still --at 8.5 -o still.png");
    roff_literal(file, "gravreel scenes milky-way-andromeda > mine.yaml");
    fputs(".fi\n", file);
    roff_section(file, "see also");
    for (size_t i = 0; (command = choice_at(&registry, i)); i++)
        fprintf(file, "\\fBgravreel\\-%s\\fR(1),\n", command->name);
    fputs("\\fBgravreel\\-scene\\fR(5)\n", file);
}

/* Completes the subcommand, or passes the words on to the subcommand's parser. */
static int complete(int count, char **words)
{
    const struct command *command = NULL;
    if (count > 1)
        command = choice_find(&registry, words[0]);
    if (command) {
        char *argv[WORDS_MAX + 3] = {words[0], COMPLETE_WORD};
        const int kept = count - 1 < WORDS_MAX ? count - 1 : WORDS_MAX;
        memcpy(argv + 2, words + count - kept, (size_t)kept * sizeof *argv);
        return command->run(kept + 2, argv);
    }
    if (count != 1)
        return STATUS_OK;
    for (size_t i = 0; (command = choice_at(&registry, i)); i++)
        complete_offer(stdout, words[0], command->name, command->doc);
    complete_offer(stdout, words[0], "--help", "describe the commands");
    complete_offer(stdout, words[0], "--version", "what this program was built from");
    return STATUS_OK;
}

/* Whether the word is the help option in the given form, "" or "=man". */
static bool asks_help(const char *word, const char *form)
{
    return (!*form && (strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0)) ||
           (strncmp(word, "--help", 6) == 0 && strcmp(word + 6, form) == 0);
}

static int unknown_option(const char *word)
{
    struct suggestion near = {word, NULL, 0};
    suggest_offer(&near, "--version");
    suggest_offer(&near, "--help");
    return status_fail(STATUS_USAGE,
                       "there is no option '%s' before a command%s `gravreel --help` lists the "
                       "commands",
                       word, near.best ? suggest_text(&near) : ";");
}

/* Every rank runs the command. A failure of any is rank 0's, which reports it. */
static int run_together(const struct command *command, int argc, char **argv)
{
    ranks_enter(LANE_MAIN);
    const int code = command->run(argc, argv);
    const enum status agreed = ranks_scope(code <= STATUS_IO ? (enum status)code : STATUS_STOPPED);
    ranks_leave();
    return code == STATUS_OK ? (int)agreed : code;
}

static int run_command(int argc, char **argv)
{
    const struct choice *found;
    if (argv[0][0] == '-')
        return unknown_option(argv[0]);
    if (choice_require(&registry, argv[0], &found) != STATUS_OK)
        return STATUS_USAGE;
    const struct command *command = (const void *)found;
    if (argc == 2 && asks_help(argv[1], "=man")) {
        char name[64];
        snprintf(name, sizeof name, "gravreel-%s", command->name);
        roff_title(stdout, name, 1, command->doc);
    }
    if (ranks_count() > 1 && command->on_ranks)
        return run_together(command, argc, argv);
    if (ranks_own() > 0)
        return STATUS_OK;
    if (ranks_count() > 1 && command != &command_doctor)
        log_info("rank 0 runs `%s` alone; ranks share the work of render, resume, simulate, still, "
                 "sheet, baseline, check and bench",
                 command->name);
    return command->run(argc, argv);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return status_fail(
            STATUS_USAGE, "no command was given; `gravreel --help` lists them, for example render");
    }
    if (argc > 2 && strcmp(argv[1], COMPLETE_WORD) == 0)
        return complete(argc - 2, argv + 2);
    if (argc > 2 && strcmp(argv[1], "help") == 0) {
        char *words[] = {argv[2], (char[]){"--help"}, NULL};
        return run_command(2, words);
    }
    if (asks_help(argv[1], "") || strcmp(argv[1], "help") == 0)
        print_help(stdout);
    else if (asks_help(argv[1], "=man"))
        print_manual(stdout);
    else if (strcmp(argv[1], "--version") == 0)
        version_print(stdout);
    else
        return run_command(argc - 1, argv + 1);
    return STATUS_OK;
}

/* Prints the sentence of a failure; ranks from 1 on may have none. */
static void print_failure(int code)
{
    if (code > STATUS_OK && code <= STATUS_IO && *status_text())
        log_error("%s", status_text());
}

/* ---- the environment of libraries, changed before any thread starts ---- */

/* Whether a folder exists, or one mkdir can create it. */
static bool can_have(const char *folder)
{
    char *above = file_folder(folder);
    const bool can = file_exists(folder) ? file_is_folder(folder)
                                         : file_is_folder(above) && access(above, W_OK | X_OK) == 0;
    free(above);
    return can;
}

/* Whether FOLDER and the cache in it exist or can be created. */
static bool can_cache_in(const char *folder)
{
    char *cache = text_format("%s/mesa_shader_cache", folder);
    const bool can = can_have(file_exists(folder) ? cache : folder);
    free(cache);
    return can;
}

/* Versions of Mesa differ in how they find the home directory. */
static bool can_cache_at_home(const char *home)
{
    if (!home)
        return true;
    char *folder = text_format("%s/.cache", home);
    const bool can = can_cache_in(folder);
    free(folder);
    return can;
}

static bool can_cache(void)
{
    static const char *const names[] = {"MESA_SHADER_CACHE_DIR", "MESA_GLSL_CACHE_DIR",
                                        "XDG_CACHE_HOME"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *folder = getenv(names[i]);
        if (folder)
            return can_cache_in(folder);
    }
    const struct passwd *user = getpwuid(getuid());
    return can_cache_at_home(getenv("HOME")) && can_cache_at_home(user ? user->pw_dir : NULL);
}

/* Turns off Mesa's cache of compiled shaders if its folder cannot be created, as in a container
 * whose user has no home: Mesa would do the same, with a warning on stderr. */
static void shader_cache_choose(void)
{
    static const char name[] = "MESA_SHADER_CACHE_DISABLE";
    if (!getenv(name) && !getenv("MESA_GLSL_CACHE_DISABLE") && !can_cache())
        setenv(name, "true", 0);
}

/* Chooses fonts for English, so that pictures do not depend on the user's language. If the host has
 * no fontconfig configuration, and neither FONTCONFIG_FILE nor FONTCONFIG_PATH is set, fontconfig
 * reads PROGRAM/../share/fonts/fonts.conf, if it exists. */
static void fonts_prepare(void)
{
    char program[PATH_MAX];
    setenv("FC_LANG", "en", 1);
    setenv("PANGO_LANGUAGE", "en", 1);
    if (getenv("FONTCONFIG_FILE") || getenv("FONTCONFIG_PATH") ||
        file_exists("/etc/fonts/fonts.conf"))
        return;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = '\0';
    char *folder = file_folder(program);
    char *config = text_format("%s/../share/fonts/fonts.conf", folder);
    if (file_exists(config))
        setenv("FONTCONFIG_FILE", config, 0);
    free(config);
    free(folder);
}

/* ---- ranks are the same program ---- */

/* Puts the build's number, which the linker has put into the program (a note), into a text. */
static int take_build(struct dl_phdr_info *program, size_t size, void *text)
{
    (void)size;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        const char *at = (const char *)(program->dlpi_addr + part->p_vaddr);
        const char *end = at + part->p_memsz;
        ElfW(Nhdr) note;
        while (part->p_type == PT_NOTE && end - at > (ptrdiff_t)sizeof note) {
            memcpy(&note, at, sizeof note);
            const char *name = at + sizeof note, *value = name + (note.n_namesz + 3) / 4 * 4;
            if (note.n_type == NT_GNU_BUILD_ID && strcmp(name, "GNU") == 0)
                for (size_t k = 0; k < note.n_descsz; k++)
                    text_append(text, "", "%02x", (unsigned char)value[k]);
            at = value + (note.n_descsz + 3) / 4 * 4;
        }
    }
    return 1; /* the program comes first, its libraries are of no interest */
}

/* Collective: fails on all ranks where a rank's text is not rank 0's. */
static enum status compare(const char *own, const char *what, const char *todo)
{
    char *first = memory_text(own);
    enum status status = ranks_first_text(&first);
    if (status == STATUS_OK && strcmp(first, own) != 0)
        status = status_fail(STATUS_USAGE, "%s `%.300s`, but rank 0 `%.300s`; %s", what, own, first,
                             todo);
    free(first);
    return ranks_agree(status);
}

/* Another program, or other words, would part from rank 0 later, in a way that is harder to see. */
static enum status check_sameness(int argc, char **argv)
{
    if (ranks_count() == 1)
        return STATUS_OK;
    char *build = memory_text(""), *words = memory_text("");
    dl_iterate_phdr(take_build, &build);
    char *program = text_format("gravreel %s, commit %s, build %s", GRAVREEL_VERSION,
                                version_commit, *build ? build : "unknown");
    for (int i = 1; i < argc; i++) {
        char *word = text_quoted(argv[i]);
        text_append(&words, " ", "%s", word);
        free(word);
    }
    ranks_enter(LANE_MAIN);
    enum status status = compare(program, "this rank runs", "start the same program on all hosts");
    if (status == STATUS_OK)
        status = compare(words, "this rank was given the words",
                         "start all ranks with the same command");
    ranks_leave();
    free(build);
    free(program);
    free(words);
    return status;
}

static int run_in_ranks(int argc, char **argv)
{
    if (ranks_own() > 0 && !freopen("/dev/null", "w", stdout))
        return STATUS_IO;
    if (ranks_own() > 0) {
        log_only_errors(); /* rank 0 prints the rest for all */
        file_leave_writing();
    }
    fonts_prepare();
    shader_cache_choose();
    int code = check_sameness(argc, argv);
    if (code == STATUS_OK)
        code = dispatch(argc, argv);
    if (ranks_own() > 0)
        return STATUS_OK;
    print_failure(code);
    errno = 0;
    if (fflush(stdout) == 0 || code != STATUS_OK)
        return code;
    /* the reader closed the pipe (`| head`): reported by the exit code, without a message */
    if (errno == EPIPE)
        return 128 + SIGPIPE;
    log_error("cannot write to the standard output");
    return STATUS_IO;
}

static int run(int argc, char **argv)
{
    argp_err_exit_status = STATUS_USAGE;
    limits_guard();
    /* writing to a closed pipe, or beyond a file size limit, must be a write error with a
     * message */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    int code = ranks_open();
    if (code == STATUS_OK)
        code = run_in_ranks(argc, argv);
    else
        print_failure(code);
    ranks_close();
    return code;
}

int main(int argc, char **argv)
{
    interrupt_announce();
    return limits_run(run, argc, argv);
}
