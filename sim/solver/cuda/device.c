#include "sim/solver/cuda/device.h"
#include "kernels/pairs/cuda/pairs.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

static enum status fail_count(int error)
{
    int driver = 0, runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaGetLastError();
    if (driver == 0)
        return status_fail(STATUS_DEVICE, "there is no NVIDIA driver on this machine (libcuda.so.1 "
                                          "was not found); install it, or use --backend cpu");
    if (error == cudaErrorInsufficientDriver)
        return status_fail(STATUS_DEVICE,
                           "the NVIDIA driver is for CUDA %d.%d and this program needs %d.%d; "
                           "update the driver, or use --backend cpu",
                           driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    if (error == cudaErrorNoDevice)
        return status_fail(STATUS_DEVICE, "the NVIDIA driver finds no device; check nvidia-smi and "
                                          "CUDA_VISIBLE_DEVICES, or use --backend cpu");
    return status_fail(STATUS_DEVICE, "CUDA does not start: %s; use --backend cpu",
                       cudaGetErrorString((cudaError_t)error));
}

enum status cuda_probe(int device)
{
    int count = 0, error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        return fail_count(error == cudaSuccess ? cudaErrorNoDevice : error);
    if (device < 0 || device >= count)
        return status_fail(STATUS_DEVICE, "there is no CUDA device %d; there are %d, from 0",
                           device, count);

    struct cudaDeviceProp properties;
    error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess)
        error = cudaSetDevice(device);
    if (error == cudaSuccess)
        error = force_cuda_supported();
    if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidDeviceFunction)
        return status_fail(
            STATUS_DEVICE,
            "%s has compute capability %d.%d, and this program holds no code for it; "
            "build with -DCMAKE_CUDA_ARCHITECTURES=%d%d, or use --backend cpu",
            properties.name, properties.major, properties.minor, properties.major,
            properties.minor);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return status_fail(STATUS_DEVICE, "CUDA device %d does not start: %s; use --backend cpu",
                           device, cudaGetErrorString((cudaError_t)error));
    }
    return STATUS_OK;
}

enum status cuda_describe(int device, char *text, size_t size)
{
    struct cudaDeviceProp properties;
    int error = cudaGetDeviceProperties(&properties, device);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return status_fail(STATUS_DEVICE, "CUDA device %d gives no properties: %s", device,
                           cudaGetErrorString((cudaError_t)error));
    }
    snprintf(text, size, "%s, %d multiprocessors, %.1f GiB, compute capability %d.%d",
             properties.name, properties.multiProcessorCount,
             (double)properties.totalGlobalMem / (1 << 30), properties.major, properties.minor);
    return STATUS_OK;
}
