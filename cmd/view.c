#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/queue.h"
#include "base/text.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/view/view_server.h"
#include "sim/run/run.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { KEY_OPEN = OPTION_OWN };

struct view_command {
    struct render_options options;
    bool open;
    char *door; /* the page that leads the browser to the address; NULL: none */
};

static enum status take(void *user, int key, char *argument)
{
    (void)key, (void)argument;
    ((struct view_command *)user)->open = true;
    return STATUS_OK;
}

/* A file of bodies, or a pattern of snapshots, is shown in the default scene. */
static void take_file(struct scene_request *request)
{
    const char *name = request->scene;
    if (request->bodies_from || request->snapshots || scene_is_named(name) || run_is_file(name) ||
        strcmp(file_extension(name), RUN_EXTENSION) == 0 || own_scene_possible(name))
        return;
    *(strpbrk(name, "*?[") ? &request->snapshots : &request->bodies_from) = name;
    request->scene = builtin_default();
}

/* The scene's own file may be saved to without -y, since it is named twice. */
static enum status check(const struct render_options *options)
{
    const struct scene_request *request = &options->request;
    enum status status = STATUS_OK;
    if (request->bodies_from && file_is_standard(request->bodies_from))
        return status_fail(STATUS_USAGE, "the page needs the bodies more than once, and standard "
                                         "input can be read only once; name a file");
    if (options->save_scene && file_is_standard(options->save_scene))
        return status_fail(STATUS_USAGE, "--save-scene needs the name of a file for the page");
    if (options->output && !options->save_scene)
        return status_fail(STATUS_USAGE, "a film is rendered from the scene that the page saves; "
                                         "add --save-scene FILE to -o");
    if (options->save_scene && !file_same(options->save_scene, request->scene))
        status = render_options_check_save(options);
    return status == STATUS_OK && options->output
               ? output_check_new(options->output, options->overwrite, "name for -o")
               : status;
}

/* A browser is told the address by a file that only its owner can read: every user sees the
 * arguments of a process, and they would contain the token. */
static enum status make_door(struct view_command *view, const char *address)
{
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (!folder || !*folder)
        folder = getenv("TMPDIR");
    view->door = text_format("%s/gravreel-XXXXXX.html", folder && *folder ? folder : "/tmp");
    const int descriptor = mkstemps(view->door, 5);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file) {
        const enum status status = status_cannot_write(view->door, errno);
        free(view->door);
        view->door = NULL;
        return status;
    }
    fprintf(file,
            "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=%s\"><a href=\"%s\">"
            "gravreel view</a>\n",
            address, address);
    return fclose(file) == 0 ? STATUS_OK : status_cannot_write(view->door, errno);
}

static enum status open_browser(struct view_command *view, const char *address)
{
    const enum status status = make_door(view, address);
    if (status != STATUS_OK)
        return status;
    const char *const arguments[] = {"xdg-open", view->door, NULL};
    posix_spawn_file_actions_t files;
    pid_t process;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int error =
        posix_spawnp(&process, arguments[0], &files, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0)
        log_warning("no browser was started, because xdg-open cannot be run: %s; open the address "
                    "yourself",
                    strerror(error));
    return STATUS_OK;
}

static void wait_for_signal(const volatile sig_atomic_t *stop)
{
    static const struct timespec while_waiting = {.tv_nsec = 50000000};
    while (!stop_asked(stop))
        nanosleep(&while_waiting, NULL);
}

/* Opens a run once, rather than for each picture. */
static enum status open_run(struct scene_request *request, struct scene **out)
{
    const struct view_source source = {.request = request};
    enum status status = view_scene(&source, NULL, 0, out);
    if (status == STATUS_OK && look_is_montage(&(*out)->look))
        status = status_fail(
            STATUS_USAGE, "the page shows one scene, and look.panels has several; view each scene "
                          "by itself, or the panels with `gravreel still`");
    if (status == STATUS_OK)
        request->opened = (*out)->run;
    return status == STATUS_OK ? scene_request_find_bodies(request, *out) : status;
}

/* Names what the page shows as the command line does. */
static const char *name_of(const struct scene_request *request)
{
    const char *bodies = request->bodies_from ? request->bodies_from : request->snapshots;
    return bodies ? bodies : request->scene;
}

static int serve(struct view_command *view)
{
    struct render_options *options = &view->options;
    const struct view_settings settings = {
        .source = {&options->request, options->backend, options->device},
        .name = name_of(&options->request),
        .save = options->save_scene,
        .film = options->output,
    };
    const enum log_level level = log_get_level();
    struct scene *scene = NULL;
    struct server *server = NULL;
    volatile sig_atomic_t *stop = interrupt_catch();
    enum status status = open_run(&options->request, &scene);
    if (status == STATUS_OK)
        status = server_open(&server, &settings);
    if (status == STATUS_OK) {
        printf("%s\n", server_address(server));
        fflush(stdout);
        log_info("open this address in a browser on this machine; over ssh, forward its port with "
                 "-L. Ctrl-C ends");
        if (level >= LOG_WARNING && level <= LOG_INFO) /* or each picture would say what it does */
            log_set_level(LOG_ERROR);
        if (view->open)
            status = open_browser(view, server_address(server));
    }
    if (status == STATUS_OK)
        wait_for_signal(stop);
    log_set_level(level);
    if (view->door)
        unlink(view->door);
    free(view->door);
    server_close(&server);
    scene_close(&scene);
    return status == STATUS_OK ? 0 : (int)status;
}

static int run_view(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"open", KEY_OPEN, NULL, 0, "Start the browser", HELP_OTHER},
        {"save-scene", OPTION_SAVE_SCENE, "FILE", 0,
         "Where the page can save the scene; it can write nowhere else", HELP_FILES},
        {"output", OPTION_OUTPUT, "FILM", 0,
         "The film that the page can render, from the saved scene", HELP_FILES},
        {0},
    };
    struct view_command view = {0};
    const struct scene_command command = {
        .name = "view",
        .args_doc = "[SCENE|RUN|BODIES|SNAPSHOTS]",
        .doc = "Serves a page on this machine that shows a scene as its film will: turn it with "
               "the mouse, play it, change its keys and see the change, add keyframes, save it. "
               "Prints the page's address. Default scene: milky-way-andromeda.\v"
               "Only this machine is answered, and only with the token in the address. Over ssh, "
               "forward the port: ssh -L PORT:127.0.0.1:PORT HOST.\n"
               "Examples:\n"
               "  gravreel view --open\n"
               "  gravreel view plummer --save-scene mine.yaml -o mine.mp4",
        .taker = TAKER_VIEW,
        .options = table,
        .take = take,
        .user = &view,
    };
    enum status status = scene_command_parse(&command, &view.options, argc, argv);
    int code = (int)status;
    if (status == STATUS_OK && !view.options.answered) {
        take_file(&view.options.request);
        status = check(&view.options);
        code = status == STATUS_OK ? serve(&view) : (int)status;
    }
    render_options_free(&view.options);
    return code;
}

const struct command command_view = {
    .name = "view",
    .doc = "look at a scene in the browser, and change it",
    .run = run_view,
};
