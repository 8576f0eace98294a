#include "sim/hdf5/server.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SOCKET_AT = 3, /* the descriptors that the process keeps */
    FILE_AT = 4,
    SECONDS = 20,         /* of processor time per answer */
    MEMORY_MIB = 2048,    /* in addition to its initial memory */
    CHUNK_MIB = 256,      /* largest chunk */
    CHUNKS_MAX = 1 << 24, /* per table */
    FILTERS_MAX = 8,
};

struct server {
    struct shared *shared;
    hid_t file, table, type;
    int rank; /* of the table; 0: a single number, read as one row */
    hsize_t size[2];
};

/* ---- the process ---- */

/* The process must not react to the terminal's signals, or dump core. */
static void settle(void)
{
    static const int ignored[] = {SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGPIPE, SIGTSTP, SIGCHLD};
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU};
    sigset_t none;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        (void)signal(ignored[i], SIG_IGN);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        (void)signal(deadly[i], SIG_DFL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* Writable memory in use, which the limit includes. */
static rlim_t memory_now(void)
{
    char text[256] = "";
    unsigned long long pages = 0;
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0 ||
        sscanf(text, "%*u %*u %*u %*u %*u %llu", &pages) != 1)
        pages = 0;
    if (file >= 0)
        close(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit(int what, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0)
        return;
    now.rlim_cur = now.rlim_max != RLIM_INFINITY && value > now.rlim_max ? now.rlim_max : value;
    (void)setrlimit(what, &now);
}

static void limit_seconds(void)
{
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0)
        limit(RLIMIT_CPU, (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + SECONDS);
}

/* ---- names ---- */

/* Every step of the path must be a hard link, which stays within the file. */
static enum answer walk(hid_t file, const char *path)
{
    char part[SERVER_NAME];
    for (const char *at = path; *at;) {
        at += strcspn(at, "/");
        (void)snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
        H5L_info_t link;
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0)
            return ANSWER_NONE;
        if (H5Lget_info(file, part, &link, H5P_DEFAULT) < 0)
            return ANSWER_BAD;
        if (link.type != H5L_TYPE_HARD)
            return ANSWER_LINK;
        at += *at == '/';
    }
    return ANSWER_GOOD;
}

/* ---- attributes ---- */

static enum answer get_text(hid_t attribute, hid_t type, struct hdf5_attribute *out)
{
    const size_t size = H5Tget_size(type);
    if (H5Tis_variable_str(type) > 0) {
        char *text = NULL;
        if (H5Aread(attribute, type, &text) < 0 || !text)
            return ANSWER_BAD;
        (void)snprintf(out->text, sizeof out->text, "%s", text);
        return ANSWER_GOOD;
    }
    if (size >= sizeof out->text)
        return ANSWER_TOO_LARGE;
    return H5Aread(attribute, type, out->text) >= 0 ? ANSWER_GOOD : ANSWER_BAD;
}

static enum answer get_numbers(hid_t attribute, hid_t type, hssize_t count,
                               struct hdf5_attribute *out)
{
    if (H5Tget_class(type) != H5T_INTEGER && H5Tget_class(type) != H5T_FLOAT)
        return ANSWER_TYPE;
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, out->number) < 0 ||
        H5Aread(attribute, H5T_NATIVE_UINT64, out->whole) < 0)
        return ANSWER_BAD;
    out->count = (uint32_t)count;
    return ANSWER_GOOD;
}

static enum answer read_attribute(hid_t attribute, struct hdf5_attribute *out)
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    if (type < 0 || count < 0)
        return ANSWER_BAD;
    if (count == 0)
        return ANSWER_NONE;
    if (count > HDF5_NUMBERS_MAX)
        return ANSWER_TOO_LARGE;
    if (H5Tget_class(type) == H5T_STRING)
        return count == 1 ? get_text(attribute, type, out) : ANSWER_TYPE;
    return get_numbers(attribute, type, count, out);
}

static enum answer ask_attribute(struct server *server)
{
    struct shared *shared = server->shared;
    const char *path = *shared->path ? shared->path : "/";
    memset(&shared->attribute, 0, sizeof shared->attribute);
    enum answer answer = walk(server->file, shared->path);
    if (answer != ANSWER_GOOD)
        return answer;
    if (H5Aexists_by_name(server->file, path, shared->name, H5P_DEFAULT) <= 0)
        return ANSWER_NONE;
    const hid_t attribute =
        H5Aopen_by_name(server->file, path, shared->name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return ANSWER_BAD;
    answer = read_attribute(attribute, &shared->attribute);
    H5Aclose(attribute);
    return answer;
}

/* ---- tables ---- */

static bool is_type(hid_t type, struct hdf5_table *out)
{
    const struct {
        hid_t type;
        enum hdf5_class class;
        uint32_t bytes;
        bool big;
    } known[] = {
        {H5T_IEEE_F32LE, HDF5_FLOAT, 4, false},   {H5T_IEEE_F32BE, HDF5_FLOAT, 4, true},
        {H5T_IEEE_F64LE, HDF5_FLOAT, 8, false},   {H5T_IEEE_F64BE, HDF5_FLOAT, 8, true},
        {H5T_STD_I8LE, HDF5_SIGNED, 1, false},    {H5T_STD_U8LE, HDF5_UNSIGNED, 1, false},
        {H5T_STD_I16LE, HDF5_SIGNED, 2, false},   {H5T_STD_I16BE, HDF5_SIGNED, 2, true},
        {H5T_STD_I32LE, HDF5_SIGNED, 4, false},   {H5T_STD_I32BE, HDF5_SIGNED, 4, true},
        {H5T_STD_I64LE, HDF5_SIGNED, 8, false},   {H5T_STD_I64BE, HDF5_SIGNED, 8, true},
        {H5T_STD_U16LE, HDF5_UNSIGNED, 2, false}, {H5T_STD_U16BE, HDF5_UNSIGNED, 2, true},
        {H5T_STD_U32LE, HDF5_UNSIGNED, 4, false}, {H5T_STD_U32BE, HDF5_UNSIGNED, 4, true},
        {H5T_STD_U64LE, HDF5_UNSIGNED, 8, false}, {H5T_STD_U64BE, HDF5_UNSIGNED, 8, true},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (H5Tequal(type, known[i].type) > 0) {
            out->class = known[i].class;
            out->bytes = known[i].bytes;
            out->big_endian = known[i].big;
            return true;
        }
    return false;
}

/* libhdf5 converts numbers with fewer bits, such as half precision and the output of SWIFT's lossy
 * filters, to the next native type, which becomes *type. */
static bool widen(hid_t *type, struct hdf5_table *out)
{
    const size_t bytes = H5Tget_size(*type);
    const H5T_class_t class = H5Tget_class(*type);
    hid_t wide = -1;
    if (class == H5T_FLOAT && bytes <= 8)
        wide = bytes <= 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    else if (class == H5T_INTEGER && bytes <= 8)
        wide = H5Tget_sign(*type) == H5T_SGN_NONE ? H5T_STD_U64LE : H5T_STD_I64LE;
    if (wide < 0 || !is_type(wide, out))
        return false;
    H5Tclose(*type);
    *type = H5Tcopy(wide);
    out->packed = true; /* its size in the file is smaller */
    return *type >= 0;
}

static enum answer filters(const struct server *server, hid_t how, struct hdf5_table *out)
{
    const int count = H5Pget_nfilters(how);
    server->shared->first = 0;
    if (count < 0 || count > FILTERS_MAX)
        return ANSWER_FILTER;
    for (int i = 0; i < count; i++) {
        size_t values = 0;
        unsigned flags, config;
        const H5Z_filter_t filter =
            H5Pget_filter2(how, (unsigned)i, &flags, &values, NULL, 0, NULL, &config);
        if (filter < 0 || H5Zfilter_avail(filter) <= 0) {
            server->shared->first = filter > 0 ? (uint64_t)filter : 0;
            return ANSWER_FILTER;
        }
        out->packed =
            out->packed || (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32);
    }
    return ANSWER_GOOD;
}

static enum answer chunks(hid_t how, const struct server *server, struct hdf5_table *out,
                          uint64_t *bytes)
{
    hsize_t chunk[2] = {1, 1};
    if (H5Pget_chunk(how, 2, chunk) != server->rank || chunk[0] == 0 || chunk[1] == 0)
        return ANSWER_BAD;
    const hsize_t most = (hsize_t)CHUNK_MIB << 20;
    if (chunk[0] > most || chunk[1] > most || chunk[0] * chunk[1] > most / out->bytes)
        return ANSWER_TOO_LARGE;
    const hsize_t down = out->rows / chunk[0] + 1, across = out->columns / chunk[1] + 1;
    if (down > CHUNKS_MAX / across)
        return ANSWER_TOO_LARGE;
    out->chunk_rows = chunk[0];
    *bytes = chunk[0] * chunk[1] * out->bytes * across;
    return ANSWER_GOOD;
}

static enum answer layout(const struct server *server, struct hdf5_table *out, uint64_t *chunk)
{
    const hid_t how = H5Dget_create_plist(server->table);
    enum answer answer = how >= 0 ? filters(server, how, out) : ANSWER_BAD;
    const H5D_layout_t kind = answer == ANSWER_GOOD ? H5Pget_layout(how) : H5D_LAYOUT_ERROR;
    if (answer == ANSWER_GOOD && kind == H5D_VIRTUAL)
        answer = ANSWER_VIRTUAL;
    else if (answer == ANSWER_GOOD && kind != H5D_CONTIGUOUS && kind != H5D_CHUNKED &&
             kind != H5D_COMPACT)
        answer = ANSWER_BAD;
    if (answer == ANSWER_GOOD && H5Pget_external_count(how) != 0)
        answer = ANSWER_EXTERNAL;
    if (answer == ANSWER_GOOD && kind == H5D_CHUNKED)
        answer = chunks(how, server, out, chunk);
    if (how >= 0)
        H5Pclose(how);
    if (answer == ANSWER_GOOD)
        out->stored = H5Dget_storage_size(server->table);
    if (answer == ANSWER_GOOD && kind == H5D_CONTIGUOUS) {
        const haddr_t place = H5Dget_offset(server->table);
        out->place = place == HADDR_UNDEF ? 0 : place;
        if (out->place == 0 && out->rows > 0)
            answer = ANSWER_BAD; /* its numbers were never written */
    }
    return answer;
}

static void close_table(struct server *server)
{
    if (server->table >= 0)
        H5Dclose(server->table);
    if (server->type >= 0)
        H5Tclose(server->type);
    server->table = server->type = -1;
}

static enum answer describe(struct server *server, struct hdf5_table *out, uint64_t *chunk)
{
    const hid_t space = H5Dget_space(server->table);
    server->type = H5Dget_type(server->table);
    server->rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    server->size[0] = server->size[1] = 1;
    if (server->type < 0 || space < 0)
        return ANSWER_BAD;
    if (server->rank < 0 || server->rank > 2 ||
        H5Sget_simple_extent_dims(space, server->size, NULL) != server->rank)
        return ANSWER_SHAPE;
    H5Sclose(space);
    const bool as_it_is = is_type(server->type, out);
    if (!as_it_is && !widen(&server->type, out))
        return ANSWER_TYPE;
    if (server->size[1] > HDF5_NUMBERS_MAX)
        return ANSWER_SHAPE;
    out->rows = server->size[0];
    out->columns = (uint32_t)server->size[1];
    const enum answer answer = layout(server, out, chunk);
    if (!as_it_is)
        out->place = 0; /* its bytes need conversion */
    return answer;
}

/* Chunks that do not fit in the cache would be unpacked again every few rows. */
static enum answer open_with_cache(struct server *server, const char *path, uint64_t bytes)
{
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Dclose(server->table);
    (void)H5Pset_chunk_cache(access, 521, 2 * bytes, 1);
    server->table = H5Dopen2(server->file, path, access);
    H5Pclose(access);
    return server->table >= 0 ? ANSWER_GOOD : ANSWER_BAD;
}

static enum answer ask_table(struct server *server)
{
    struct shared *shared = server->shared;
    uint64_t chunk = 0;
    H5O_info_t info;
    close_table(server);
    memset(&shared->table, 0, sizeof shared->table);
    enum answer answer = walk(server->file, shared->path);
    if (answer != ANSWER_GOOD)
        return answer;
    if (H5Oget_info_by_name2(server->file, shared->path, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
        return ANSWER_BAD;
    if (info.type != H5O_TYPE_DATASET)
        return ANSWER_NONE;
    server->table = H5Dopen2(server->file, shared->path, H5P_DEFAULT);
    if (server->table < 0)
        return ANSWER_BAD;
    answer = describe(server, &shared->table, &chunk);
    if (answer == ANSWER_GOOD && chunk > 0)
        answer = open_with_cache(server, shared->path, chunk);
    shared->table.found = answer == ANSWER_GOOD;
    return answer;
}

static enum answer ask_rows(struct server *server)
{
    const struct shared *shared = server->shared;
    const uint64_t first = shared->first, rows = shared->rows;
    const hsize_t at[2] = {first, 0}, size[2] = {rows, server->size[1]};
    const uint64_t most = SERVER_WINDOW / 8 / HDF5_NUMBERS_MAX;
    if (server->table < 0 || rows == 0 || first > server->size[0] ||
        rows > server->size[0] - first || rows > most * HDF5_NUMBERS_MAX / (size[1] ? size[1] : 1))
        return ANSWER_BAD;
    const hid_t file = H5Dget_space(server->table);
    const hid_t memory = H5Screate_simple(server->rank, size, NULL);
    const bool good = (server->rank == 0 ||
                       H5Sselect_hyperslab(file, H5S_SELECT_SET, at, NULL, size, NULL) >= 0) &&
                      H5Dread(server->table, server->type, memory, file, H5P_DEFAULT,
                              server->shared->window) >= 0;
    H5Sclose(memory);
    H5Sclose(file);
    return good ? ANSWER_GOOD : ANSWER_BAD;
}

static enum answer source_of(hid_t how, struct shared *shared)
{
    size_t count = 0;
    if (H5Pget_layout(how) != H5D_VIRTUAL)
        return ANSWER_NONE;
    if (H5Pget_virtual_count(how, &count) < 0 || count == 0)
        return ANSWER_BAD;
    const ssize_t length = H5Pget_virtual_filename(how, 0, shared->last, sizeof shared->last);
    if (length < 0)
        return ANSWER_BAD;
    return (size_t)length < sizeof shared->last ? ANSWER_GOOD : ANSWER_TOO_LARGE;
}

static enum answer ask_source(struct server *server)
{
    struct shared *shared = server->shared;
    const enum answer found = walk(server->file, shared->path);
    if (found != ANSWER_GOOD)
        return found == ANSWER_BAD ? found : ANSWER_NONE;
    const hid_t table = H5Dopen2(server->file, shared->path, H5P_DEFAULT);
    if (table < 0)
        return ANSWER_NONE;
    const hid_t how = H5Dget_create_plist(table);
    const enum answer answer = how >= 0 ? source_of(how, shared) : ANSWER_BAD;
    if (how >= 0)
        H5Pclose(how);
    H5Dclose(table);
    return answer;
}

static enum answer ask_member(struct server *server)
{
    struct shared *shared = server->shared;
    const char *path = *shared->path ? shared->path : "/";
    H5G_info_t info;
    enum answer answer = walk(server->file, shared->path);
    if (answer != ANSWER_GOOD)
        return answer;
    if (H5Gget_info_by_name(server->file, path, &info, H5P_DEFAULT) < 0)
        return ANSWER_NONE; /* not a group */
    const uint64_t index = shared->first == UINT64_MAX ? info.nlinks - 1 : shared->first;
    if (index >= info.nlinks)
        return ANSWER_NONE;
    const ssize_t length = H5Lget_name_by_idx(server->file, path, H5_INDEX_NAME, H5_ITER_INC, index,
                                              shared->last, sizeof shared->last, H5P_DEFAULT);
    if (length < 0)
        return ANSWER_BAD;
    return (size_t)length < sizeof shared->last ? ANSWER_GOOD : ANSWER_TOO_LARGE;
}

/* ---- questions ---- */

static enum answer ask_open(struct server *server)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", FILE_AT);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    (void)H5PLset_loading_state(0); /* no plugins */
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_file_locking(access, false, true);
    server->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return server->file >= 0 ? ANSWER_GOOD : ANSWER_BAD;
}

static enum answer answer_to(struct server *server)
{
    server->shared->path[SERVER_NAME - 1] = server->shared->name[SERVER_NAME - 1] = '\0';
    switch (server->shared->question) {
    case ASK_OPEN:
        return ask_open(server);
    case ASK_ATTRIBUTE:
        return ask_attribute(server);
    case ASK_TABLE:
        return ask_table(server);
    case ASK_ROWS:
        return ask_rows(server);
    case ASK_SOURCE:
        return ask_source(server);
    case ASK_MEMBER:
        return ask_member(server);
    }
    return ANSWER_BAD;
}

static _Noreturn void serve(struct shared *shared)
{
    struct server server = {.shared = shared, .file = -1, .table = -1, .type = -1};
    char byte = 0;
    ssize_t got = 1;
    shared->started = true;
    shared->question = ASK_OPEN;
    while (got == 1) {
        limit_seconds();
        shared->answer = answer_to(&server);
        if (write(SOCKET_AT, &byte, 1) != 1)
            break;
        do
            got = read(SOCKET_AT, &byte, 1);
        while (got < 0 && errno == EINTR);
    }
    _exit(0);
}

/* ---- the launcher ---- */

/* A fork of a process with threads may copy a lock that another thread holds, for example the
 * allocator's, and then waits for it forever. Therefore the processes are forked by a launcher
 * without threads, which is this program, executed again under another name. */

static const char launcher_name[] = "gravreel-hdf5";

enum sent { SENT_SOCKET, SENT_FILE, SENT_SHARED, SENT_COUNT };

/* Room for the descriptors that come with a message. */
union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(SENT_COUNT * sizeof(int))];
};

static struct msghdr message_of(struct iovec *data, union control *control)
{
    return (struct msghdr){.msg_iov = data,
                           .msg_iovlen = 1,
                           .msg_control = control->room,
                           .msg_controllen = sizeof control->room};
}

static bool send_descriptors(int socket, const int sent[SENT_COUNT])
{
    char byte = 0;
    union control control = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = message_of(&data, &control);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(SENT_COUNT * sizeof *sent);
    memcpy(CMSG_DATA(head), sent, SENT_COUNT * sizeof *sent);
    ssize_t done;
    do
        done = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (done < 0 && errno == EINTR);
    return done == 1;
}

static bool receive_descriptors(int socket, int sent[SENT_COUNT])
{
    char byte;
    union control control = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = message_of(&data, &control);
    ssize_t done;
    do
        done = recvmsg(socket, &message, 0);
    while (done < 0 && errno == EINTR);
    const struct cmsghdr *head = done == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!head || head->cmsg_type != SCM_RIGHTS ||
        head->cmsg_len != CMSG_LEN(SENT_COUNT * sizeof *sent))
        return false;
    memcpy(sent, CMSG_DATA(head), SENT_COUNT * sizeof *sent);
    return true;
}

/* Keeps only the socket and the file, at their places, and ends with the launcher. */
static _Noreturn void become_server(const int sent[SENT_COUNT], pid_t launcher)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, sent[SENT_SHARED], 0);
    if (shared == MAP_FAILED || getppid() != launcher || dup2(sent[SENT_SOCKET], SOCKET_AT) < 0 ||
        dup2(sent[SENT_FILE], FILE_AT) < 0)
        _exit(1);
    (void)close_range(FILE_AT + 1, ~0U, 0);
    limit(RLIMIT_DATA, memory_now() + ((rlim_t)MEMORY_MIB << 20));
    serve(shared);
}

/* Runs before main, in every program that can read HDF5; returns unless it is the launcher. */
__attribute__((constructor)) static void launch_if_asked(void)
{
    int sent[SENT_COUNT];
    if (strcmp(program_invocation_name, launcher_name) != 0)
        return;
    settle();
    (void)prctl(PR_SET_NAME, launcher_name);
    (void)H5open();
    const pid_t own = getpid();
    while (receive_descriptors(SOCKET_AT, sent)) {
        if (fork() == 0)
            become_server(sent, own);
        for (int i = 0; i < SENT_COUNT; i++)
            (void)close(sent[i]);
    }
    _exit(0);
}

/* ---- in the process that asks ---- */

/* One launcher serves all files, until the program ends or the launcher does. */
static struct {
    pthread_mutex_t lock;
    int socket; /* -1: it does not run */
    pid_t process;
} launcher = {PTHREAD_MUTEX_INITIALIZER, -1, -1};

/* Output of libhdf5 or a sanitizer must not reach the terminal, and no other process may wait for
 * descriptors that the launcher has inherited. Returns an error number, 0 for success. */
static int spawn_launcher(int socket)
{
    static char name[] = "gravreel-hdf5", *words[] = {name, NULL};
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_adddup2(&files, socket, SOCKET_AT);
    for (int i = 0; i < 3 && error == 0; i++)
        error = posix_spawn_file_actions_addopen(&files, i, "/dev/null", O_RDWR, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addclosefrom_np(&files, SOCKET_AT + 1);
    if (error == 0)
        error = posix_spawn(&launcher.process, "/proc/self/exe", &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static bool start_launcher(void)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    const int error = spawn_launcher(pair[1]);
    close(pair[1]);
    if (error == 0)
        launcher.socket = pair[0];
    else
        close(pair[0]);
    errno = error;
    return error == 0;
}

static void end_launcher(void)
{
    if (launcher.socket < 0)
        return;
    close(launcher.socket);
    launcher.socket = -1;
    while (waitpid(launcher.process, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Whether the new process has answered. */
static bool hear(int socket)
{
    char byte;
    ssize_t got;
    do
        got = recv(socket, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

/* Sends the file to the launcher and waits for the first answer; *socket is -1 if the process has
 * ended without it. */
static bool launch_once(int file, int memory, const struct shared *shared, int *socket)
{
    int pair[2];
    if ((launcher.socket < 0 && !start_launcher()) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    const bool sent = send_descriptors(launcher.socket, (int[]){pair[1], file, memory});
    const int reason = errno;
    close(pair[1]);
    *socket = pair[0];
    if (sent && hear(*socket))
        return true;
    close(*socket);
    *socket = -1;
    errno = sent ? EAGAIN : reason; /* the launcher could not fork */
    return sent && shared->started;
}

/* A launcher may have been killed since the last file: then another one is tried. */
static bool launch(int file, int memory, const struct shared *shared, int *socket)
{
    pthread_mutex_lock(&launcher.lock);
    bool good = launch_once(file, memory, shared, socket);
    if (!good && launcher.socket >= 0) {
        end_launcher();
        good = launch_once(file, memory, shared, socket);
    }
    pthread_mutex_unlock(&launcher.lock);
    return good;
}

/* Memory that the process cannot take away by making the file smaller. */
static struct shared *make_shared(int *memory)
{
    *memory = memfd_create(launcher_name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*memory < 0)
        return MAP_FAILED;
    if (ftruncate(*memory, sizeof(struct shared)) != 0 ||
        fcntl(*memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return MAP_FAILED;
    return mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, *memory, 0);
}

struct shared *server_start(int file, int *socket)
{
    int memory;
    struct shared *shared = make_shared(&memory);
    const bool good = shared != MAP_FAILED && launch(file, memory, shared, socket);
    const int reason = errno;
    if (!good && shared != MAP_FAILED)
        munmap(shared, sizeof *shared);
    if (memory >= 0)
        close(memory);
    errno = reason;
    return good ? shared : NULL;
}
