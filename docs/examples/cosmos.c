/* A small universe for trying films of cosmological snapshots: a particle-mesh simulation of dark
 * matter in a periodic box of flat LCDM, written as GADGET's HDF5.
 *
 *     cc -O2 -fopenmp cosmos.c $(pkg-config --cflags --libs hdf5) -lm -o cosmos
 *     ./cosmos 64 60 24 cosmos_%03d.hdf5    # 64^3 bodies, 60 Mpc/h, 24 snapshots, from z = 24 to 0
 *
 * The initial conditions are Zel'dovich's (1970, A&A 5, 84), of the power spectrum of Bardeen et
 * al. (1986, ApJ 304, 15, eq. G3); forces and steps are those of A. Klypin and J. Holtzman (1997,
 * arXiv:astro-ph/9712217), with two cells of the mesh per body along each axis. Inside, lengths are
 * cells of the mesh and times 1 / H0. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, matter = 0.3, hubble = 0.7, sigma8 = 0.8,
                    first = 0.04;

static int bodies, mesh; /* along an axis */
static double box;       /* Mpc/h */
static double (*grid)[2], (*x)[3], (*p)[3];

static double expansion(double a) /* H / H0 */
{
    return sqrt(matter / (a * a * a) + 1 - matter);
}

/* ---- Fourier transforms ---- */

static void transform_row(double (*row)[2], int n, int sign)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        for (int c = 0; c < 2 && i < j; c++) {
            const double kept = row[i][c];
            row[i][c] = row[j][c];
            row[j][c] = kept;
        }
    }
    for (int half = 1; half < n; half *= 2)
        for (int k = 0; k < half; k++) {
            const double re = cos(pi * k / half), im = sign * sin(pi * k / half);
            for (int i = k; i < n; i += 2 * half) {
                double *a = row[i], *b = row[i + half];
                const double u = b[0] * re - b[1] * im, v = b[0] * im + b[1] * re;
                b[0] = a[0] - u;
                b[1] = a[1] - v;
                a[0] += u;
                a[1] += v;
            }
        }
}

/* Transforms the whole grid in place. */
static void transform(int sign)
{
    const size_t n = (size_t)mesh, stride[3] = {n * n, n, 1};
    for (int axis = 0; axis < 3; axis++) {
        const size_t a = stride[(axis + 1) % 3], b = stride[(axis + 2) % 3];
#pragma omp parallel for
        for (size_t line = 0; line < n * n; line++) {
            double row[1024][2];
            double(*from)[2] = grid + line / n * a + line % n * b;
            for (size_t i = 0; i < n; i++)
                memcpy(row[i], from[i * stride[axis]], sizeof *row);
            transform_row(row, mesh, sign);
            for (size_t i = 0; i < n; i++)
                memcpy(from[i * stride[axis]], row[i], sizeof *row);
        }
    }
}

/* The wave number along an axis, in 2 pi per box. */
static int wave(size_t i)
{
    return (int)i < mesh / 2 ? (int)i : (int)i - mesh;
}

/* ---- initial conditions ---- */

static double power(double k) /* not normalized; k in h/Mpc */
{
    const double q = k / (matter * hubble);
    const double t =
        log(1 + 2.34 * q) / (2.34 * q) *
        pow(1 + 3.89 * q + pow(16.1 * q, 2) + pow(5.46 * q, 3) + pow(6.71 * q, 4), -0.25);
    return k * t * t;
}

/* The factor that makes the variance in spheres of 8 Mpc/h today sigma8^2. */
static double amplitude(void)
{
    double sum = 0;
    for (double l = log(1e-4); l < log(1e2); l += 1e-3) {
        const double k = exp(l), r = 8 * k, w = 3 * (sin(r) - r * cos(r)) / (r * r * r);
        sum += power(k) * w * w * k * k * k * 1e-3 / (2 * pi * pi);
    }
    return sigma8 * sigma8 / sum;
}

/* The growth factor and its logarithmic derivative; Heath (1977, MNRAS 179, 351). */
static double growth(double a)
{
    double sum = 0;
    for (int i = 1; i <= 2000; i++) {
        const double s = a * (i - 0.5) / 2000;
        sum += a / 2000 / pow(s * expansion(s), 3);
    }
    return 2.5 * matter * expansion(a) * sum;
}

static double random_number(void)
{
    static unsigned long long state = 20;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

static size_t cell(int i, int j, int k)
{
    const int n = mesh;
    return ((size_t)((i + n) % n) * (size_t)n + (size_t)((j + n) % n)) * (size_t)n +
           (size_t)((k + n) % n);
}

/* White noise on the lattice of the bodies, so that the mesh does not matter, times the spectrum.
 */
static void begin(void)
{
    const size_t n = (size_t)mesh, all = n * n * n;
    const double d = growth(first) / growth(1), scale = amplitude(), volume = box * box * box;
    const double slope = log(growth(first * 1.001) / growth(first)) / log(1.001);
    const double fast = first * first * expansion(first) * slope;
    const int step = mesh / bodies;
    double(*noise)[2] = malloc(all * sizeof *noise);
    memset(grid, 0, all * sizeof *grid);
    for (int i = 0; i < bodies; i++)
        for (int j = 0; j < bodies; j++)
            for (int k = 0; k < bodies; k++)
                grid[cell(step * i, step * j, step * k)][0] =
                    sqrt(-2 * log(random_number())) * cos(2 * pi * random_number());
    transform(-1);
    memcpy(noise, grid, all * sizeof *noise);
    for (int axis = 0; axis < 3; axis++) {
        for (size_t c = 0; c < all; c++) {
            const int w[3] = {wave(c / (n * n)), wave(c / n % n), wave(c % n)};
            const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
            const int highest = bodies / 2;
            const int inside =
                square > 0 && abs(w[0]) < highest && abs(w[1]) < highest && abs(w[2]) < highest;
            const double k = 2 * pi / box * sqrt(square);
            /* displacement i k / k^2 delta, in cells */
            const double by = inside ? d * sqrt(scale * power(k) / volume * pow(bodies, -3)) *
                                           w[axis] / square * mesh / (2 * pi)
                                     : 0;
            grid[c][0] = -by * noise[c][1];
            grid[c][1] = by * noise[c][0];
        }
        transform(1);
        for (int b = 0, i = 0; i < bodies; i++)
            for (int j = 0; j < bodies; j++)
                for (int k = 0; k < bodies; k++, b++) {
                    const int place[3] = {i, j, k};
                    const double moved = grid[cell(step * i, step * j, step * k)][0];
                    x[b][axis] = fmod((place[axis] + 0.5) * step + moved + mesh, mesh);
                    p[b][axis] = fast * moved;
                }
    }
    free(noise);
}

/* ---- motion ---- */

static void share(const double at[3], int low[3], double part[3])
{
    for (int c = 0; c < 3; c++) {
        low[c] = (int)floor(at[c]);
        part[c] = at[c] - low[c];
    }
}

/* The potential, whose Laplacian is 1.5 matter delta / a, without the factor of a. */
static void find_potential(int count)
{
    const size_t n = (size_t)mesh, all = n * n * n;
    const double weight = (double)all / count;
    for (size_t c = 0; c < all; c++) {
        grid[c][0] = -1;
        grid[c][1] = 0;
    }
    for (int b = 0; b < count; b++) {
        int low[3];
        double part[3];
        share(x[b], low, part);
        for (int k = 0; k < 8; k++)
            grid[cell(low[0] + (k & 1), low[1] + (k >> 1 & 1), low[2] + (k >> 2))][0] +=
                weight * (k & 1 ? part[0] : 1 - part[0]) * (k & 2 ? part[1] : 1 - part[1]) *
                (k & 4 ? part[2] : 1 - part[2]);
    }
    transform(-1);
    for (size_t c = 0; c < all; c++) {
        const double s[3] = {sin(pi * wave(c / (n * n)) / mesh), sin(pi * wave(c / n % n) / mesh),
                             sin(pi * wave(c % n) / mesh)};
        const double laplacian = -4 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        const double by = c > 0 ? 1.5 * matter / laplacian / (double)all : 0;
        grid[c][0] *= by;
        grid[c][1] *= by;
    }
    transform(1);
}

/* Changes the momenta by the potential's pull over da. */
static void kick(int count, double a, double da)
{
    const double by = da / (a * a * expansion(a));
#pragma omp parallel for
    for (int b = 0; b < count; b++) {
        int low[3];
        double part[3];
        share(x[b], low, part);
        for (int k = 0; k < 8; k++) {
            const int at[3] = {low[0] + (k & 1), low[1] + (k >> 1 & 1), low[2] + (k >> 2)};
            const double w = (k & 1 ? part[0] : 1 - part[0]) * (k & 2 ? part[1] : 1 - part[1]) *
                             (k & 4 ? part[2] : 1 - part[2]);
            for (int c = 0; c < 3; c++)
                p[b][c] -= by * w / 2 *
                           (grid[cell(at[0] + (c == 0), at[1] + (c == 1), at[2] + (c == 2))][0] -
                            grid[cell(at[0] - (c == 0), at[1] - (c == 1), at[2] - (c == 2))][0]);
        }
    }
}

static void step_by(int count, double a, double da)
{
    const double middle = a + da / 2, drift = da / (middle * middle * middle * expansion(middle));
    kick(count, a, da / 2);
    for (int b = 0; b < count; b++)
        for (int c = 0; c < 3; c++)
            x[b][c] = fmod(x[b][c] + drift * p[b][c] + mesh, mesh);
    find_potential(count);
    kick(count, a + da, da / 2);
}

/* ---- files ---- */

static void put_numbers(hid_t file, const char *name, const double *values, hsize_t count)
{
    const hid_t space = count > 1 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t made = H5Acreate_by_name(file, "Header", name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, H5T_NATIVE_DOUBLE, values);
    H5Aclose(made);
    H5Sclose(space);
}

static void put_counts(hid_t file, const char *name, int count)
{
    const hsize_t six = 6;
    const int counts[6] = {0, count};
    const hid_t space = H5Screate_simple(1, &six, NULL);
    const hid_t made = H5Acreate_by_name(file, "Header", name, H5T_STD_U32LE, space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, H5T_NATIVE_INT, counts);
    H5Aclose(made);
    H5Sclose(space);
}

static void put_vectors(hid_t file, const char *name, double (*from)[3], double by, int count)
{
    const hsize_t size[2] = {(hsize_t)count, 3};
    float(*rows)[3] = malloc((size_t)count * sizeof *rows);
    for (int b = 0; b < count; b++)
        for (int c = 0; c < 3; c++)
            rows[b][c] = (float)(from[b][c] * by);
    const hid_t space = H5Screate_simple(2, size, NULL);
    const hid_t made =
        H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(made, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows);
    H5Dclose(made);
    H5Sclose(space);
    free(rows);
}

/* Writes a snapshot in GADGET's units: comoving Mpc/h, km/s divided by the square root of a, and 1e10
 * solar masses divided by h. */
static void save(const char *pattern, int number, int count, double a)
{
    char name[4096];
    const double unit = box / mesh, critical = 27.7536627;
    const double masses[6] = {0, critical * matter * box * box * box / count};
    const double one = 1, z = 1 / a - 1, lambda = 1 - matter, mpc = 3.0856775814913673e24,
                 gram = 1.98841e43, kms = 1e5;
    snprintf(name, sizeof name, pattern, number);
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0)
        exit(1);
    H5Gclose(H5Gcreate2(file, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(file, "PartType1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put_counts(file, "NumPart_ThisFile", count);
    put_counts(file, "NumPart_Total", count);
    put_numbers(file, "MassTable", masses, 6);
    put_numbers(file, "Time", &a, 1);
    put_numbers(file, "Redshift", &z, 1);
    put_numbers(file, "BoxSize", &box, 1);
    put_numbers(file, "Omega0", &matter, 1);
    put_numbers(file, "OmegaLambda", &lambda, 1);
    put_numbers(file, "HubbleParam", &hubble, 1);
    put_numbers(file, "NumFilesPerSnapshot", &one, 1);
    put_numbers(file, "UnitLength_in_cm", &mpc, 1);
    put_numbers(file, "UnitMass_in_g", &gram, 1);
    put_numbers(file, "UnitVelocity_in_cm_per_s", &kms, 1);
    put_vectors(file, "PartType1/Coordinates", x, unit, count);
    put_vectors(file, "PartType1/Velocities", p, 100 * unit / a / sqrt(a), count);
    const hsize_t rows = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &rows, NULL);
    const hid_t made = H5Dcreate2(file, "PartType1/ParticleIDs", H5T_STD_U32LE, space, H5P_DEFAULT,
                                  H5P_DEFAULT, H5P_DEFAULT);
    int *ids = malloc((size_t)count * sizeof *ids);
    for (int b = 0; b < count; b++)
        ids[b] = b + 1;
    H5Dwrite(made, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids);
    free(ids);
    H5Dclose(made);
    H5Sclose(space);
    H5Fclose(file);
    fprintf(stderr, "%s: z = %.2f\n", name, z);
}

int main(int argc, char **argv)
{
    const int snapshots = argc == 5 ? atoi(argv[3]) : 0;
    bodies = argc == 5 ? atoi(argv[1]) : 0;
    box = argc == 5 ? atof(argv[2]) : 0;
    mesh = 2 * bodies;
    if (bodies < 4 || mesh > 1024 || (bodies & (bodies - 1)) != 0 || !(box > 0) || snapshots < 2) {
        fprintf(stderr,
                "usage: cosmos BODIES BOX SNAPSHOTS PATTERN\nBODIES: along each axis, a power "
                "of two from 4 to 512; BOX: its edge in Mpc/h\n");
        return 2;
    }
    enum { STEPS = 8 }; /* from one snapshot to the next */
    const int count = bodies * bodies * bodies;
    const size_t cells = (size_t)mesh * (size_t)mesh * (size_t)mesh;
    grid = malloc(cells * sizeof *grid);
    x = malloc((size_t)count * sizeof *x);
    p = malloc((size_t)count * sizeof *p);
    if (!grid || !x || !p)
        return 1;
    begin();
    find_potential(count);
    double a = first;
    save(argv[4], 0, count, a);
    for (int k = 1; k < snapshots; k++) {
        const double next = first + (1 - first) * k / (snapshots - 1), da = (next - a) / STEPS;
        for (int s = 0; s < STEPS; s++)
            step_by(count, a + s * da, da);
        a = next;
        save(argv[4], k, count, a);
    }
    return 0;
}
