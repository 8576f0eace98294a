#include "cmd/view/view_server.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json/facts.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/view/describe.h"
#include "cmd/view/view_job.h"
#include "cmd/view/view_request.h"
#include "render/picture/jpeg.h"
#include "scenes/print.h"
#include "scenes/value.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

enum { CONNECTIONS = 32, TIMEOUT = 15, STACK = 1 << 20, HEAD_BYTES = 1 << 15 };

/* Answers a second, and how many may come at once. */
enum { RATE = 240, BURST = 480 };

struct server {
    struct view_settings settings;
    struct motion *motion;
    struct pictures *pictures;
    struct job_run *job;
    struct MHD_Daemon *daemon;
    char token[TOKEN_DIGITS + 1], address[128];
    pthread_mutex_t mutex;
    double allowed, since; /* answers that may be given now, and when they were counted */
};

/* A request whose body is arriving. */
struct arriving {
    char *address;                   /* as it was sent: no escape is decoded */
    const char *query;               /* what follows the '?' in it; "": nothing */
    const struct resource *resource; /* NULL: the head has not been looked at */
    char *body;
    size_t size;
};

/* ---- answers ---- */

static enum MHD_Result send_bytes(struct MHD_Connection *connection, int code, const char *type,
                                  void *bytes, size_t size, enum MHD_ResponseMemoryMode mode,
                                  const char *facts)
{
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
         "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    };
    struct MHD_Response *response = MHD_create_response_from_buffer(size, bytes, mode);
    if (!response) {
        if (mode == MHD_RESPMEM_MUST_FREE)
            free(bytes);
        return MHD_NO;
    }
    MHD_add_response_header(response, "Content-Type", type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    if (facts)
        MHD_add_response_header(response, "X-Gravreel", facts);
    const enum MHD_Result result = MHD_queue_response(connection, (unsigned)code, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, int code, char *text)
{
    return send_bytes(connection, code, "application/json", text, strlen(text),
                      MHD_RESPMEM_MUST_FREE, NULL);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, int code, const char *sentence)
{
    struct facts *facts = facts_open();
    facts_text(facts, "error", sentence);
    return send_text(connection, code, facts_written(&facts, 0, 17));
}

/* This thread's sentence. */
static enum MHD_Result refuse_status(struct MHD_Connection *connection, enum status status)
{
    return refuse(connection, status == STATUS_USAGE ? 422 : 500, status_text());
}

/* A header can have ASCII alone. */
static void escape_header(char **text)
{
    char *out = memory_new(6 * strlen(*text) + 1, 1), *to = out;
    for (const unsigned char *at = (const unsigned char *)*text; *at; at++)
        if (*at < 0x80)
            *to++ = (char)*at;
        else
            to += sprintf(to, "%%%02X", *at);
    free(*text);
    *text = out;
}

static enum MHD_Result send_picture(struct server *server, struct MHD_Connection *connection,
                                    const struct wish *wish)
{
    struct answer answer;
    uint8_t *jpeg = NULL;
    size_t size = 0;
    pictures_ask(server->pictures, wish, &answer);
    if (answer.how == ANSWER_REPLACED)
        return refuse(connection, 409, "a later request has taken the place of this one");
    if (answer.how == ANSWER_LATER)
        return refuse(connection, 202, "the film is being looked through; ask again soon");
    if (answer.how == ANSWER_ENDING)
        return refuse(connection, 503, "`gravreel view` is ending");
    if (answer.how == ANSWER_FAILED)
        return refuse(connection, answer.status == STATUS_USAGE ? 422 : 500, answer.sentence);
    const enum status status = jpeg_encode(answer.pixels, answer.width, answer.height,
                                           answer.stride, wish->quality, &jpeg, &size);
    free(answer.pixels);
    escape_header(&answer.facts);
    const enum MHD_Result result = status == STATUS_OK
                                       ? send_bytes(connection, 200, "image/jpeg", jpeg, size,
                                                    MHD_RESPMEM_MUST_FREE, answer.facts)
                                       : refuse_status(connection, status);
    free(answer.facts);
    return result;
}

/* ---- the scene ---- */

/* The run that has the motion; NULL: the film simulates. */
static const char *run_of(const struct server *server)
{
    const struct scene_request *request = server->settings.source.request;
    return !request->opened ? NULL : request->run ? request->run : request->scene;
}

static char *command_of(const struct server *server)
{
    const struct view_settings *settings = &server->settings;
    char *scene = text_quoted(settings->save ? settings->save : "scene.yaml");
    char *run = run_of(server) ? text_quoted(run_of(server)) : NULL;
    char *film = text_quoted(settings->film ? settings->film : "film.mp4");
    char *command = text_format("gravreel render %s%s%s -o %s", scene, run ? " --run " : "",
                                run ? run : "", film);
    free(scene);
    free(run);
    free(film);
    return command;
}

static enum MHD_Result send_scene(struct server *server, struct MHD_Connection *connection,
                                  const struct scene *scene)
{
    char *command = command_of(server);
    const struct described described = {.scene = scene,
                                        .name = server->settings.name,
                                        .save = server->settings.save,
                                        .film = server->settings.film,
                                        .command = command};
    char *text = describe_scene(&described);
    free(command);
    return send_text(connection, 200, text);
}

static enum status save(struct server *server, const struct scene *scene)
{
    const char *path = server->settings.save;
    if (!path)
        return status_fail(STATUS_USAGE, "there is no file to save to; start `gravreel view` with "
                                         "--save-scene FILE, or copy the scene from the page");
    char *text = scene_print_short(scene, (const char *const[]){NULL});
    const enum status status = file_write(path, text, strlen(text));
    free(text);
    return status;
}

static enum status render(struct server *server, const struct scene *scene)
{
    const struct view_settings *settings = &server->settings;
    if (!settings->film)
        return status_fail(STATUS_USAGE, "there is no film to render; start `gravreel view` with "
                                         "-o FILM, or run the command that the page shows");
    enum status status = save(server, scene);
    return status == STATUS_OK
               ? job_run_start(server->job, settings->save, settings->film, run_of(server))
               : status;
}

/* ---- the state ---- */

static void put_motion(struct server *server, struct facts *facts)
{
    static const char *const stages[] = {"start", "pilot", "full"};
    struct motion_state state;
    motion_state(server->motion, &state);
    facts_text(facts, "stage", stages[state.stage]);
    facts_whole(facts, "bodies", state.bodies);
    facts_whole(facts, "count", state.count);
    facts_whole(facts, "frames", state.frames);
    facts_flag(facts, "running", state.running);
    if (state.sentence[0])
        facts_text(facts, "error", state.sentence);
}

static void put_encounters(struct facts *facts, enum moment_kind kind,
                           const struct encounter_moment *moments, size_t count, double last)
{
    for (size_t i = 0; i < count && i < ENCOUNTER_MAX && moments[i].time <= last; i++) {
        struct facts *item = facts_item(facts, "events");
        char *name = i > 0 ? text_format("%s %zu", moment_word(kind), i + 1)
                           : memory_text(moment_word(kind));
        facts_text(item, "name", name);
        facts_number(item, "frame", moments[i].time);
        free(name);
    }
}

/* Names them as options --at and keys do; those of one merged galaxy's core are left out. */
static void put_events(struct server *server, struct facts *facts)
{
    struct motion_state state;
    motion_state(server->motion, &state);
    facts_list(facts, "events");
    if (!state.met)
        return;
    const struct encounter *events = &state.events;
    const double last = events->merges ? events->merger.time : INFINITY;
    put_encounters(facts, MOMENT_PERICENTRE, events->pericentre, events->pericentre_count, last);
    put_encounters(facts, MOMENT_APOCENTRE, events->apocentre, events->apocentre_count, last);
    put_encounters(facts, MOMENT_MERGER, &events->merger, events->merges, last);
}

static void put_job(struct server *server, struct facts *facts)
{
    struct job_run_state state;
    job_run_state(server->job, &state);
    if (!state.began)
        return;
    struct facts *film = facts_object(facts, "film");
    facts_flag(film, "running", state.running);
    facts_whole(film, "frame", state.frame);
    facts_whole(film, "frames", state.frames);
    facts_text(film, "said", state.sentence);
    if (!state.running)
        facts_whole(film, "code", (uint64_t)state.code);
}

static enum MHD_Result send_state(struct server *server, struct MHD_Connection *connection)
{
    uint64_t serial;
    struct facts *facts = facts_open();
    put_motion(server, facts);
    put_events(server, facts);
    put_job(server, facts);
    char *story = pictures_story(server->pictures, &serial);
    facts_whole(facts, "story", serial);
    char *text = facts_written(&facts, 0, 17);
    if (story) { /* is JSON already: it becomes the last member */
        text[strlen(text) - 1] = '\0';
        text_append(&text, "", ", \"told\": %s}", story);
        free(story);
    }
    return send_text(connection, 200, text);
}

/* ---- requests ---- */

static bool allow(struct server *server)
{
    pthread_mutex_lock(&server->mutex);
    const double now = clock_seconds(), gained = (now - server->since) * RATE;
    server->since = now;
    server->allowed = server->allowed + gained < BURST ? server->allowed + gained : BURST;
    const bool allowed = server->allowed >= 1;
    if (allowed)
        server->allowed -= 1;
    pthread_mutex_unlock(&server->mutex);
    return allowed;
}

static enum MHD_Result answer_scene(struct server *server, struct MHD_Connection *connection,
                                    const struct wish *wish, enum resource_kind kind)
{
    struct scene *scene = NULL;
    enum status status =
        view_scene(&server->settings.source, wish->settings, wish->setting_count, &scene);
    if (status == STATUS_OK && kind == RESOURCE_SAVE)
        status = save(server, scene);
    if (status == STATUS_OK && kind == RESOURCE_RENDER)
        status = render(server, scene);
    const enum MHD_Result result = status == STATUS_OK ? send_scene(server, connection, scene)
                                                       : refuse_status(connection, status);
    scene_close(&scene);
    return result;
}

static enum MHD_Result answer_wish(struct server *server, struct MHD_Connection *connection,
                                   const struct resource *resource, const struct fields *fields)
{
    struct wish *wish = memory_new(1, sizeof *wish);
    const enum status status = wish_read(wish, fields);
    const enum MHD_Result result = status != STATUS_OK ? refuse_status(connection, status)
                                   : resource->kind == RESOURCE_PICTURE
                                       ? send_picture(server, connection, wish)
                                       : answer_scene(server, connection, wish, resource->kind);
    free(wish);
    return result;
}

static enum MHD_Result answer(struct server *server, struct MHD_Connection *connection,
                              const struct arriving *arriving)
{
    const struct resource *resource = arriving->resource;
    struct fields *fields = memory_new(1, sizeof *fields);
    enum status status = STATUS_OK;
    enum MHD_Result result;
    switch (resource->kind) {
    case RESOURCE_FILE:
        result = send_bytes(connection, 200, resource->type, (void *)resource->text,
                            strlen(resource->text), MHD_RESPMEM_PERSISTENT, NULL);
        break;
    case RESOURCE_KEYS:
        result = send_text(connection, 200, describe_keys());
        break;
    case RESOURCE_STATE:
        result = send_state(server, connection);
        break;
    case RESOURCE_STOP:
        job_run_stop(server->job);
        result = send_state(server, connection);
        break;
    default:
        status = arriving->body ? fields_parse(fields, arriving->body, arriving->size)
                                : fields_parse(fields, arriving->query, strlen(arriving->query));
        result = status == STATUS_OK ? answer_wish(server, connection, resource, fields)
                                     : refuse_status(connection, status);
    }
    fields_free(fields);
    free(fields);
    return result;
}

static enum MHD_Result begin(struct server *server, struct MHD_Connection *connection,
                             struct arriving *arriving, const char *method)
{
    char *mark = strchr(arriving->address, '?');
    if (mark)
        *mark++ = '\0';
    arriving->query = mark ? mark : "";
    const struct request_head head = {
        .method = method,
        .path = arriving->address,
        .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
        .origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
        .site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site"),
        .length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length"),
    };
    const struct resource *resource;
    const char *sentence;
    const int code = request_admit(&head, server->token, &resource, &sentence);
    if (code != 200)
        return refuse(connection, code, sentence);
    if (!allow(server))
        return refuse(connection, 429, "too many requests; wait a second");
    arriving->resource = resource;
    if (strcmp(method, "POST") == 0)
        arriving->body = memory_new(1, 1);
    return MHD_YES;
}

static enum MHD_Result access_resource(void *user, struct MHD_Connection *connection,
                                       const char *path, const char *method, const char *version,
                                       const char *data, size_t *size, void **state)
{
    struct server *server = user;
    struct arriving *arriving = *state;
    (void)version, (void)path;
    if (!arriving)
        return MHD_NO;
    if (!arriving->resource)
        return begin(server, connection, arriving, method);
    if (*size == 0)
        return answer(server, connection, arriving);
    if (!arriving->body || arriving->size + *size > REQUEST_BYTES_MAX)
        return MHD_NO;
    arriving->body = memory_grow(arriving->body, arriving->size + *size, 1);
    memcpy(arriving->body + arriving->size, data, *size);
    arriving->size += *size;
    *size = 0;
    return MHD_YES;
}

/* Keeps the address of a request: what libmicrohttpd decodes ends at the first NUL. */
static void *arrive(void *user, const char *address, struct MHD_Connection *connection)
{
    struct arriving *arriving = memory_new(1, sizeof *arriving);
    (void)user, (void)connection;
    arriving->address = memory_text(address);
    return arriving;
}

static void forget(void *user, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode how)
{
    struct arriving *arriving = *state;
    (void)user, (void)connection, (void)how;
    if (!arriving)
        return;
    free(arriving->address);
    free(arriving->body);
    free(arriving);
    *state = NULL;
}

static void stay_silent(void *user, const char *format, va_list values)
{
    (void)user, (void)format, (void)values;
}

/* ---- open and close ---- */

static enum status make_token(struct server *server)
{
    uint8_t bytes[TOKEN_DIGITS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return status_fail(STATUS_RUNTIME, "the system gives no random numbers: %s",
                           strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(server->token + 2 * i, 3, "%02x", bytes[i]);
    return STATUS_OK;
}

/* Listens on a free port of the loopback alone. */
static enum status listen_here(int *out, unsigned *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    *out = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*out >= 0 && bind(*out, (struct sockaddr *)&address, sizeof address) == 0 &&
        listen(*out, CONNECTIONS) == 0 &&
        getsockname(*out, (struct sockaddr *)&address, &size) == 0) {
        *port = ntohs(address.sin_port);
        return STATUS_OK;
    }
    const int error = errno;
    if (*out >= 0)
        close(*out);
    return status_fail(STATUS_RUNTIME, "no port of 127.0.0.1 can be listened on: %s",
                       strerror(error));
}

static enum status start(struct server *server)
{
    int descriptor;
    unsigned port = 0;
    enum status status = listen_here(&descriptor, &port);
    if (status != STATUS_OK)
        return status;
    snprintf(server->address, sizeof server->address, "http://127.0.0.1:%u/%s/", port,
             server->token);
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ERROR_LOG, 0,
        NULL, NULL, access_resource, server, MHD_OPTION_EXTERNAL_LOGGER, stay_silent, NULL,
        MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEAD_BYTES, MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK,
        MHD_OPTION_NOTIFY_COMPLETED, forget, NULL, MHD_OPTION_URI_LOG_CALLBACK, arrive, NULL,
        MHD_OPTION_END);
    if (server->daemon)
        return STATUS_OK;
    close(descriptor);
    return status_fail(STATUS_RUNTIME, "the server of the page could not be started");
}

enum status server_open(struct server **out, const struct view_settings *settings)
{
    struct server *server = *out = memory_new(1, sizeof *server);
    server->settings = *settings;
    pthread_mutex_init(&server->mutex, NULL);
    server->allowed = BURST;
    server->since = clock_seconds();
    server->job = job_run_open();
    motion_open(&server->motion, &server->settings.source);
    enum status status = make_token(server);
    if (status == STATUS_OK)
        status = pictures_open(&server->pictures, &server->settings.source, server->motion);
    if (status == STATUS_OK)
        status = start(server);
    if (status != STATUS_OK)
        server_close(out);
    return status;
}

/* There is nothing left to be closed but memory. */
static void *leave_process(void *user)
{
    (void)user;
    sleep(1);
    _exit(0);
}

static void leave_soon(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, leave_process, NULL) == 0)
        pthread_detach(thread);
}

void server_close(struct server **server)
{
    struct server *self = *server;
    if (!self)
        return;
    motion_end(self->motion);
    if (self->pictures)
        pictures_end(self->pictures);
    if (self->daemon)
        MHD_stop_daemon(self->daemon);
    job_run_close(&self->job);
    if (self->daemon) /* it has served, so the command has nothing to say afterwards */
        leave_soon();
    pictures_close(&self->pictures);
    motion_close(&self->motion);
    pthread_mutex_destroy(&self->mutex);
    free(self);
    *server = NULL;
}

const char *server_address(const struct server *server)
{
    return server->address;
}
