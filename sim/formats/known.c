#include "sim/formats/known.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct known {
    const char *magic, *what, *advice;
    size_t at;
} known[] = {
    {"# SDF", "an SDF file", "save its particles as a table or as HDF5, with yt or SPLASH", 0},
    {"PK\3\4", "a zip file without arrays of NumPy in it", "unpack it, or save it with numpy.savez",
     0},
    {"SIMPLE  =", "a FITS file", "save its columns as CSV, with astropy or TOPCAT", 0},
    {"CDF\1", "a NetCDF file", "save its variables as a table or a NumPy array", 0},
    {"PAR1", "a Parquet file", "save its columns as CSV", 0},
    {"# vtk DataFile", "a VTK file", "save its points as CSV, with ParaView", 0},
    {"<VTKFile", "a VTK file", "save its points as CSV, with ParaView", 0},
    {"REBOUND Binary File", "a binary file of REBOUND",
     "write mass, x, y, z, vx, vy, vz of sim.particles as a table, with REBOUND in Python", 0},
    {"ITEM: TIMESTEP", "a dump of LAMMPS", "save its atoms as CSV with the masses, with OVITO", 0},
    {"%PDF", "a PDF file", "name a file of bodies", 0},
    {"\x89PNG", "a picture", "name a file of bodies", 0},
    {"ftyp", "a film", "name a file of bodies", 4},
};

static bool has(const unsigned char *head, size_t size, const char *text)
{
    return memmem(head, size, text, strlen(text)) != NULL;
}

static bool begins(const unsigned char *head, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(head, text, strlen(text)) == 0;
}

static bool is_votable(const unsigned char *head, size_t size)
{
    return (begins(head, size, "<?xml") || begins(head, size, "<VOTABLE")) &&
           has(head, size, "<VOTABLE");
}

/* Whether records begin with six letters, including an atom's or the cell's. */
static bool is_pdb(const unsigned char *head, size_t size)
{
    static const char *const first[] = {"HEADER", "TITLE ", "COMPND", "REMARK",
                                        "CRYST1", "MODEL ", "ATOM  ", "HETATM"};
    static const char *const later[] = {"ATOM  ",   "HETATM",   "CRYST1",  "\nATOM  ",
                                        "\nHETATM", "\nCRYST1", "\nSEQRES"};
    bool named = false;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        named |= begins(head, size, first[i]);
    for (size_t i = 0; named && i < sizeof later / sizeof *later; i++)
        if (*later[i] == '\n' ? has(head, size, later[i]) : begins(head, size, later[i]))
            return true;
    return false;
}

/* The machine-readable tables of journals and of the CDS. */
static bool is_mrt(const unsigned char *head, size_t size)
{
    return has(head, size, "Byte-by-byte Description of file");
}

/* Names and types between bars, perhaps after keywords that begin with a backslash. */
static bool is_ipac(const unsigned char *head, size_t size)
{
    static const char *const types[] = {"double|", "float|", "real|", "char|", "int|", "long|"};
    bool typed = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        typed |= has(head, size, types[i]);
    return typed && (begins(head, size, "|") || begins(head, size, "\\"));
}

static bool is_latex(const unsigned char *head, size_t size)
{
    return has(head, size, "\\begin{tab") || has(head, size, "\\startdata");
}

static bool is_html(const unsigned char *head, size_t size)
{
    return begins(head, size, "<html") || begins(head, size, "<!DOCTYPE html") ||
           begins(head, size, "<table");
}

/* An element and its position. If the element is an atomic number, nothing may follow, because a
 * row of numbers could belong to a table. */
static bool is_atom(const char *line)
{
    char element[8];
    double x, y, z;
    int end = 0;
    if (sscanf(line, " %7[A-Za-z0-9] %lf %lf %lf%n", element, &x, &y, &z, &end) != 4)
        return false;
    return element[0] > '9' || strchr("\r\n", line[end + (int)strspn(line + end, " \t")]);
}

/* A line with only the number of atoms, a comment, then lines with an element and its position. */
static bool is_xyz(const unsigned char *head, size_t size)
{
    char text[512];
    unsigned long long atoms;
    int end = 0;
    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1),
             (const char *)head);
    char *comment = strchr(text, '\n'), *atom = comment ? strchr(comment + 1, '\n') : NULL;
    if (!atom)
        return false;
    *comment = '\0';
    return sscanf(text, "%llu %n", &atoms, &end) == 1 && !text[end] && atoms > 0 &&
           is_atom(atom + 1);
}

static const struct known_text {
    bool (*is)(const unsigned char *head, size_t size);
    const char *what, *advice;
} known_texts[] = {
    {is_votable, "a VOTable", "save its columns as CSV, with astropy or TOPCAT"},
    {is_pdb, "a PDB file", "save its atoms as CSV with masses and velocities"},
    {is_mrt, "a machine-readable table (MRT) as journals and the CDS use",
     "save its columns as CSV, with astropy: Table.read(file, "
     "format='ascii.mrt').write('bodies.csv')"},
    {is_ipac, "an IPAC table", "save its columns as CSV, with astropy or TOPCAT"},
    {is_latex, "a LaTeX table", "save its columns as CSV, with astropy"},
    {is_html, "a web page", "save its table as CSV"},
    {is_xyz, "an XYZ file", "save its atoms as CSV with masses and velocities"},
};

static enum status refuse(const char *path, const char *what, const char *advice)
{
    return status_fail(STATUS_USAGE, "%s is %s, which gravreel does not read; %s", path, what,
                       advice);
}

enum status known_refuse(const char *path, const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t length = strlen(known[i].magic);
        if (size >= known[i].at + length && memcmp(head + known[i].at, known[i].magic, length) == 0)
            return refuse(path, known[i].what, known[i].advice);
    }
    for (size_t i = 0; i < sizeof known_texts / sizeof *known_texts; i++)
        if (known_texts[i].is(head, size))
            return refuse(path, known_texts[i].what, known_texts[i].advice);
    return STATUS_OK;
}
