/* Put into the program by LD_PRELOAD: a crash, and numbers that depend on threads. For tests only.
 *
 * CRASH_ON=TEXT: a process that has TEXT among its arguments dies of a signal at once.
 * THREADS_MATTER=1: the number 1.0625, by which a test scales positions, differs in the last digit
 * where OMP_NUM_THREADS asks for one thread, as sums in another order do.
 * FRAMES_SWAPPED=N: encoders get the N-th picture, counted from 1, after the next one. */
#include <dlfcn.h>
#include <fcntl.h>
#include <libavutil/frame.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void crash(void)
{
    char words[1 << 14] = "";
    const char *text = getenv("CRASH_ON");
    const int file = text && *text ? open("/proc/self/cmdline", O_RDONLY) : -1;
    const ssize_t size = file >= 0 ? read(file, words, sizeof words - 1) : 0;
    if (file >= 0)
        close(file);
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(words + at) + 1)
        if (strcmp(words + at, text) == 0) {
            signal(SIGSEGV, SIG_DFL);
            raise(SIGSEGV);
        }
}

static bool is_one_thread(void)
{
    const char *wanted = getenv("THREADS_MATTER"), *threads = getenv("OMP_NUM_THREADS");
    return wanted && *wanted && threads && strcmp(threads, "1") == 0;
}

double strtod(const char *text, char **end)
{
    double (*const next)(const char *, char **) = (__typeof__(&strtod))dlsym(RTLD_NEXT, "strtod");
    const double value = next(text, end);
    const bool scale = strncmp(text, "1.0625", 6) == 0;
    return scale && is_one_thread() ? nextafter(value, INFINITY) : value;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int avcodec_send_frame(void *context, const AVFrame *frame);
int avcodec_send_frame(void *context, const AVFrame *frame)
{
    static AVFrame *held;
    static int sent;
    const char *wanted = getenv("FRAMES_SWAPPED");
    int (*const next)(void *, const AVFrame *) = NEXT(avcodec_send_frame);
    if (!frame || !wanted || !*wanted)
        return next(context, frame);
    if (++sent == atoi(wanted)) {
        held = NEXT(av_frame_clone)(frame);
        return 0;
    }
    if (sent != atoi(wanted) + 1)
        return next(context, frame);
    AVFrame *other = NEXT(av_frame_clone)(frame);
    const int64_t time = frame->pts;
    other->pts = held->pts;
    held->pts = time;
    int result = next(context, other);
    result = result < 0 ? result : next(context, held);
    NEXT(av_frame_free)(&other);
    NEXT(av_frame_free)(&held);
    return result;
}
