/* libgravreel with a real GPU, for tests/gpu.
 *
 *     library_cuda streams FOLDER   writes the stream of the same bodies from several memories, to
 *                                   FOLDER/LAYOUT.MEMORY; those of one layout are the same
 *     library_cuda bodies FOLDER    writes streams of whole frames to FOLDER/bodies.MEMORY
 *     library_cuda freed | illegal | short   hands over an array that cannot be copied, and
 *                                   prints the sentence; exit code 0 if the frame is refused
 *     library_cuda frames FOLDER    prints what frames of 3 ms of work take, with and without a
 * film library_cuda times FOLDER     prints what a call takes for 65,536 bodies, with a stream
 * there
 */
#include <gravreel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

enum { N = 65536, NUMBERS = 4 * N, FRAMES = 3 };

static void need(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorString(error));
        exit(3);
    }
}

/* Different numbers of each frame, the same on the GPU and the processor. */
template <typename T> __host__ __device__ T number(int i, int frame)
{
    return T(1) + T(i) / 1024 + T(frame) * 64;
}

/* Takes some time before it writes, so that a copy that does not wait has the numbers before. */
template <typename T> __global__ void fill(T *out, int frame, long long wait)
{
    const long long begin = clock64();
    while (clock64() - begin < wait) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < NUMBERS; i += gridDim.x * blockDim.x)
        out[i] = number<T>(i, frame);
}

template <typename T> static gravreel_array layout_of(const std::string &layout, const T *at)
{
    const gravreel_type type = sizeof(T) == 8 ? GRAVREEL_F8 : GRAVREEL_F4;
    if (layout == "gaps")
        return {"pos", NULL, type, at, NULL, NULL, 4 * sizeof(T)};
    if (layout == "apart")
        return {"pos", NULL, type, at, at + N, at + 2 * N, 0};
    if (layout == "backwards")
        return {"pos", NULL, type, at + 3 * (N - 1), NULL, NULL, -3 * (ptrdiff_t)sizeof(T)};
    return {"pos", NULL, type, at, NULL, NULL, 0};
}

template <typename T> static T *allocate(const std::string &memory, cudaStream_t stream)
{
    T *out = NULL;
    if (memory == "host")
        out = (T *)malloc(NUMBERS * sizeof(T));
    else if (memory == "pinned")
        need(cudaMallocHost(&out, NUMBERS * sizeof(T)), "cudaMallocHost");
    else if (memory == "managed")
        need(cudaMallocManaged(&out, NUMBERS * sizeof(T)), "cudaMallocManaged");
    else if (memory == "pool")
        need(cudaMallocAsync(&out, NUMBERS * sizeof(T), stream), "cudaMallocAsync");
    else
        need(cudaMalloc(&out, NUMBERS * sizeof(T)), "cudaMalloc");
    return out;
}

/* The work is still queued, on a stream that no other waits for, when the array is handed over. The
 * call comes from a thread that has not used CUDA. */
template <typename T>
static int write_stream(const std::string &path, const std::string &layout,
                        const std::string &memory)
{
    cudaStream_t stream;
    need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    T *at = allocate<T>(memory, stream);
    gravreel_film *film = gravreel_open_stream(path.c_str());
    int code = 0;
    for (int frame = 0; frame < FRAMES && code == 0; frame++) {
        if (memory == "host" || memory == "pinned")
            for (int i = 0; i < NUMBERS; i++)
                at[i] = number<T>(i, frame);
        else
            fill<T><<<64, 256, 0, stream>>>(at, frame, 20000000);
        std::thread([&] {
            gravreel_array arrays[2] = {layout_of<T>(layout, at), layout_of<T>(layout, at)};
            arrays[1].name = "vel";
            code = gravreel_frame(film, frame, N, arrays, 2);
            if (code != 0)
                printf("%s: %s\n", path.c_str(), gravreel_error());
        }).join();
    }
    code += gravreel_close(film);
    need(cudaDeviceSynchronize(), path.c_str());
    return code;
}

static int streams(const std::string &folder)
{
    int code = 0;
    for (const char *layout : {"dense", "gaps", "apart", "backwards"})
        for (const char *memory : {"host", "pinned", "device", "managed", "pool"}) {
            const std::string path = folder + "/" + layout;
            code += write_stream<float>(path + "4." + memory, layout, memory);
            code += write_stream<double>(path + "8." + memory, layout, memory);
        }
    return code;
}

/* Frames of bodies that move, from host memory and from that of the GPU. */
static int bodies(const std::string &folder)
{
    int code = 0;
    float *device;
    std::vector<float> numbers(NUMBERS);
    need(cudaMalloc(&device, NUMBERS * sizeof *device), "cudaMalloc");
    for (const char *memory : {"host", "device"}) {
        gravreel_film *film = gravreel_open_stream((folder + "/bodies." + memory).c_str());
        const float *at = memory == std::string("host") ? numbers.data() : device;
        const ptrdiff_t stride = 4 * sizeof *at;
        for (int frame = 0; frame < FRAMES; frame++) {
            for (int i = 0; i < NUMBERS; i++)
                numbers[i] = i % 4 == 3
                                 ? 1.f / N
                                 : (i / 4) * 7919 % (1009 + 2 * (i % 4)) / 1000.f + 0.1f * frame;
            need(cudaMemcpy(device, numbers.data(), NUMBERS * sizeof *device, cudaMemcpyDefault),
                 "cudaMemcpy");
            const gravreel_array arrays[] = {
                {"pos", NULL, GRAVREEL_F4, at, NULL, NULL, stride},
                {"vel", NULL, GRAVREEL_F4, at, NULL, NULL, stride},
                {"mass", NULL, GRAVREEL_F4, at + 3, NULL, NULL, stride}};
            code += gravreel_frame(film, frame, N, arrays, 3);
        }
        code += gravreel_close(film);
    }
    return code;
}

__global__ void write_nowhere(float *at)
{
    *at = 1;
}

/* Host memory is still taken by a film of its own, after whatever has happened to the GPU. */
static int refused(const std::string &why)
{
    float *at = NULL;
    need(cudaMalloc(&at, 3 * N * sizeof *at), "cudaMalloc");
    if (why == "freed")
        need(cudaFree(at), "cudaFree");
    else if (why == "illegal")
        write_nowhere<<<1, 1>>>((float *)0x10);
    const size_t bodies = why == "short" ? (size_t)64 * N : N;
    const gravreel_array pos = {"pos", NULL, GRAVREEL_F4, at, NULL, NULL, 0};
    gravreel_film *film = gravreel_open_stream("/dev/null");
    const int code = gravreel_frame(film, 0, bodies, &pos, 1);
    printf("%s: %s\n", why.c_str(), code ? gravreel_error() : "taken");
    gravreel_close(film);
    const std::vector<float> numbers(3 * N);
    const gravreel_array host = {"pos", NULL, GRAVREEL_F4, numbers.data(), NULL, NULL, 0};
    film = gravreel_open_stream("/dev/null");
    const int after = gravreel_frame(film, 0, N, &host, 1);
    if (after != 0)
        printf("host memory: %s\n", gravreel_error());
    return gravreel_close(film) == 0 && after == 0 && code != 0 ? 0 : 1;
}

__global__ void spin(long long clocks)
{
    const long long begin = clock64();
    while (clock64() - begin < clocks) {
    }
}

/* Between frames, the GPU computes for some 10 ms, and the processor's caches get other contents.
 */
static void time_calls(const std::string &folder, const char *what, const gravreel_array &pos)
{
    std::vector<double> times;
    std::vector<char> other(1 << 26);
    gravreel_film *film = gravreel_open_stream((folder + "/stream").c_str());
    gravreel_array arrays[2] = {pos, pos};
    arrays[1].name = "vel";
    for (int frame = 0; frame < 40; frame++) {
        spin<<<1, 1>>>(20000000);
        memset(other.data(), frame, other.size());
        need(cudaDeviceSynchronize(), what);
        const auto begin = std::chrono::steady_clock::now();
        gravreel_frame(film, frame, N, arrays, 2);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        times.push_back(time.count());
    }
    gravreel_close(film);
    const double first = times[0];
    std::sort(times.begin(), times.end());
    printf("%s: %.3f ms a call, the first %.2f ms\n", what, times[times.size() / 2], first);
}

static int times(const std::string &folder)
{
    std::vector<double> host(NUMBERS, 1.5);
    double *device;
    need(cudaMalloc(&device, NUMBERS * sizeof *device), "cudaMalloc");
    need(cudaMemset(device, 0, NUMBERS * sizeof *device), "cudaMemset");
    time_calls(folder, "host, double [n][3]", layout_of<double>("dense", host.data()));
    time_calls(folder, "host, float4", layout_of<float>("gaps", (float *)host.data()));
    time_calls(folder, "GPU, double [n][3]", layout_of<double>("dense", device));
    time_calls(folder, "GPU, float [n][3]", layout_of<float>("dense", (float *)device));
    time_calls(folder, "GPU, float4", layout_of<float>("gaps", (float *)device));
    time_calls(folder, "GPU, float x, y, z apart", layout_of<float>("apart", (float *)device));
    return 0;
}

/* Milliseconds a frame, of which the GPU computes 10 times 0.3 ms: with nothing between frames,
 * with a wait for the GPU, and with a film of the given output; "": none. */
static double time_frames(const std::string &output, const char *options, bool waits, float4 *x)
{
    enum { MANY = 300 };
    const char *const words[] = {"plummer", "-y", "--size", "64x36", options, "6", NULL};
    gravreel_film *film = output.empty() ? NULL
                          : options      ? gravreel_open(output.c_str(), words)
                                         : gravreel_open_stream(output.c_str());
    const gravreel_array arrays[] = {layout_of<float>("gaps", (float *)x),
                                     {"vel", NULL, GRAVREEL_F4, x, NULL, NULL, sizeof *x},
                                     {"mass", NULL, GRAVREEL_F4, x, NULL, NULL, sizeof *x}};
    spin<<<1, 1>>>(1000);
    need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const auto begin = std::chrono::steady_clock::now();
    for (int frame = 0; frame < MANY; frame++) {
        if (waits)
            need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        if (film)
            gravreel_frame(film, frame, N, arrays, frame == 0 ? 3 : 2);
        for (int step = 0; step < 10; step++)
            spin<<<132, 256>>>(500000);
    }
    need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    if (film && gravreel_close(film) != 0)
        printf("%s\n", gravreel_error());
    return time.count() / MANY;
}

static int frames(const std::string &folder)
{
    float4 *x;
    std::vector<float> numbers(NUMBERS);
    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = i * 7919 % 1009 / 1000.f + 0.1f;
    need(cudaMalloc(&x, sizeof *x * N), "cudaMalloc");
    need(cudaMemcpy(x, numbers.data(), sizeof *x * N, cudaMemcpyHostToDevice), "cudaMemcpy");
    for (int run = 0; run < 2; run++)
        printf("ms a frame: %.3f with nothing else, %.3f with waiting, %.3f to /dev/null, %.3f "
               "with gravreel\n",
               time_frames("", NULL, false, x), time_frames("", NULL, true, x),
               time_frames("/dev/null", NULL, false, x),
               time_frames(folder + "/frames.mp4", "--frames", false, x));
    return 0;
}

int main(int argc, char **argv)
{
    const std::string task = argc > 1 ? argv[1] : "";
    if (task == "streams" && argc > 2)
        return streams(argv[2]);
    if (task == "bodies" && argc > 2)
        return bodies(argv[2]);
    if (task == "frames" && argc > 2)
        return frames(argv[2]);
    if (task == "times" && argc > 2)
        return times(argv[2]);
    return refused(task);
}
