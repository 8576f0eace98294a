#include "sim/formats/formats.h"

#include "sim/formats/bytes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has(const struct format_head *head, const char *text)
{
    return memmem(head->bytes, head->size, text, strlen(text)) != NULL;
}

static bool begins(const struct format_head *head, const char *text)
{
    return head->size >= strlen(text) && memcmp(head->bytes, text, strlen(text)) == 0;
}

/* ---- text ---- */

/* A line of text, as far as it matters: 0 numbers if it has anything else. */
struct line {
    int numbers;
    double first, second;
};

static struct line line_of(const char *text)
{
    struct line line = {0};
    char *end;
    for (text += strspn(text, " \t\r"); *text; text = end + strspn(end, " \t\r"), line.numbers++) {
        const double number = strtod(text, &end);
        if (end == text || !(*end == '\0' || isspace((unsigned char)*end)))
            return (struct line){0};
        if (line.numbers < 2)
            *(line.numbers == 0 ? &line.first : &line.second) = number;
    }
    return line;
}

/* The first `count` lines; those that are missing, cut off or very long have no numbers. */
static void read_lines(const struct format_head *head, struct line *lines, int count)
{
    enum { LENGTH = 1024 };
    const char *at = (const char *)head->bytes, *end = at + head->size, *stop;
    for (int i = 0; i < count; i++) {
        char text[LENGTH];
        lines[i] = (struct line){0};
        if (at >= end || !(stop = memchr(at, '\n', (size_t)(end - at))))
            continue;
        if (stop - at < LENGTH) {
            memcpy(text, at, (size_t)(stop - at));
            text[stop - at] = '\0';
            lines[i] = line_of(text);
        }
        at = stop + 1;
    }
}

static bool is_count(double number)
{
    return number >= 1 && number == floor(number);
}

/* A number of bodies, of dimensions, the time, and one mass on each line. */
static bool is_atos(const struct format_head *head)
{
    struct line lines[4];
    read_lines(head, lines, 4);
    for (int i = 0; i < 4; i++)
        if (lines[i].numbers != 1)
            return false;
    return is_count(lines[0].first) && (lines[1].first == 2 || lines[1].first == 3);
}

/* The snapshot's number, a number of bodies, the time, and rows of an index and 7 numbers. */
static bool is_phigrape(const struct format_head *head)
{
    struct line lines[4];
    read_lines(head, lines, 4);
    return lines[0].numbers == 1 && lines[1].numbers == 1 && lines[2].numbers == 1 &&
           lines[3].numbers == 8 && is_count(lines[1].first);
}

/* A file's number, a number of bodies and the time, with or without position and velocity of the
 * centre, then longer rows. */
static bool is_petar(const struct format_head *head)
{
    struct line lines[2];
    read_lines(head, lines, 2);
    return (lines[0].numbers == 3 || lines[0].numbers == 9) && lines[1].numbers > 9 &&
           lines[0].first >= 0 && lines[0].first == floor(lines[0].first) &&
           is_count(lines[0].second);
}

static bool is_votable(const struct format_head *head)
{
    return (begins(head, "<?xml") || begins(head, "<VOTABLE")) && has(head, "<VOTABLE");
}

static bool is_vtk(const struct format_head *head)
{
    return begins(head, "# vtk DataFile") || begins(head, "<VTKFile") ||
           (begins(head, "<?xml") && has(head, "<VTKFile"));
}

static bool is_page(const struct format_head *head)
{
    return begins(head, "<!DOCTYPE") || begins(head, "<!doctype") || begins(head, "<html") ||
           begins(head, "<table");
}

/* The machine-readable tables of journals and of the CDS. */
static bool is_mrt(const struct format_head *head)
{
    return has(head, "Byte-by-byte Description of file");
}

/* Names and types between bars, perhaps after keywords that begin with a backslash. */
static bool is_ipac(const struct format_head *head)
{
    static const char *const types[] = {"double|", "float|", "real|", "char|", "int|", "long|"};
    bool typed = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        typed |= has(head, types[i]);
    return typed && (begins(head, "|") || begins(head, "\\"));
}

static bool is_aastex(const struct format_head *head)
{
    return has(head, "\\begin{deluxetable") || has(head, "\\startdata");
}

static bool is_latex(const struct format_head *head)
{
    return has(head, "\\begin{tab");
}

static bool is_json(const struct format_head *head)
{
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(head->size < 31 ? head->size : 31),
             (const char *)head->bytes);
    const char *at = text + strspn(text, " \t\r\n"), *inner = *at ? at + 1 : at;
    inner += strspn(inner, " \t\r\n");
    return (*at == '{' && *inner == '"') || (*at == '[' && (*inner == '{' || *inner == '['));
}

static bool is_horizons(const struct format_head *head)
{
    return has(head, "JPL/HORIZONS") || has(head, "$$SOE") || has(head, "Ephemeris / WWW_USER");
}

static bool is_mpcorb(const struct format_head *head)
{
    return has(head, "MINOR PLANET CENTER ORBIT DATABASE");
}

static bool is_celestia(const struct format_head *head)
{
    return begins(head, "CELSTARS") || has(head, "EllipticalOrbit");
}

/* Whether records begin with six letters, including an atom's or the cell's. */
static bool is_pdb(const struct format_head *head)
{
    static const char *const first[] = {"HEADER", "TITLE ", "COMPND", "REMARK",
                                        "CRYST1", "MODEL ", "ATOM  ", "HETATM"};
    static const char *const later[] = {"ATOM  ",   "HETATM",   "CRYST1",  "\nATOM  ",
                                        "\nHETATM", "\nCRYST1", "\nSEQRES"};
    bool named = false;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        named |= begins(head, first[i]);
    for (size_t i = 0; named && i < sizeof later / sizeof *later; i++)
        if (*later[i] == '\n' ? has(head, later[i]) : begins(head, later[i]))
            return true;
    return false;
}

/* An element and its position on one line. If the element is an atomic number, nothing may follow,
 * because a row of numbers could belong to a table. */
static bool is_atom(const char *line)
{
    char element[8];
    double x, y, z;
    int begin = 0, end = 0;
    const size_t length = strcspn(line, "\r\n");
    if (sscanf(line, " %7[A-Za-z0-9]%n %lf %lf %lf%n", element, &begin, &x, &y, &z, &end) != 4 ||
        (size_t)end > length)
        return false;
    return element[0] > '9' || strchr("\r\n", line[end + (int)strspn(line + end, " \t")]);
}

/* A line with only the number of atoms, a comment, then lines with an element and its position. */
static bool is_xyz(const struct format_head *head)
{
    char text[512];
    unsigned long long atoms;
    int end = 0;
    snprintf(text, sizeof text, "%.*s",
             (int)(head->size < sizeof text ? head->size : sizeof text - 1),
             (const char *)head->bytes);
    char *comment = strchr(text, '\n'), *atom = comment ? strchr(comment + 1, '\n') : NULL;
    if (!atom)
        return false;
    *comment = '\0';
    return sscanf(text, "%llu %n", &atoms, &end) == 1 && !text[end] && atoms > 0 &&
           is_atom(atom + 1);
}

/* ---- Fortran's records: their length in bytes before and after each, in either byte order ---- */

/* The record at `at`, if it has this length; NULL: it has another. */
static const unsigned char *record(const struct format_head *head, size_t at, uint32_t length,
                                   bool swap)
{
    const unsigned char *from = head->bytes + at;
    if (at + 8 + length > head->size || bytes_u32(from, swap) != length ||
        bytes_u32(from + 4 + length, swap) != length)
        return NULL;
    return from + 4;
}

/* NTOT, MODEL, NRUN and NK, then a record of NK numbers and those of NTOT bodies. */
static bool is_conf3(const struct format_head *head)
{
    for (int swap = 0; swap < 2; swap++) {
        const unsigned char *at = record(head, 0, 16, swap);
        if (!at || head->size < 28)
            continue;
        const uint64_t bodies = bytes_u32(at, swap), constants = bytes_u32(at + 12, swap),
                       next = bytes_u32(head->bytes + 24, swap);
        if (bodies > 0 && constants > 0 && constants <= 1000 && next >= 4 * (constants + bodies))
            return true;
    }
    return false;
}

/* The numbers of processors, of dimensions and of particles, each a record. */
static bool is_ramses(const struct format_head *head)
{
    for (int swap = 0; swap < 2; swap++) {
        const unsigned char *processors = record(head, 0, 4, swap),
                            *dimensions = record(head, 12, 4, swap);
        if (processors && dimensions && bytes_u32(processors, swap) > 0 &&
            bytes_u32(dimensions, swap) - 1 < 3 && record(head, 24, 4, swap))
            return true;
    }
    return false;
}

/* A number that Phantom and its relatives begin with. */
static bool is_phantom(const struct format_head *head)
{
    for (int swap = 0; swap < 2 && head->size >= 8; swap++) {
        const uint32_t wide = bytes_u32(head->bytes, swap),
                       number = bytes_u32(head->bytes + 4, swap);
        if (wide < 256 && (number == 60769 || number == 690706))
            return true;
    }
    return false;
}

/* A file's number, a number of bodies and the time, with or without position and velocity of the
 * centre, then bodies of equal size. */
static bool is_petar_binary(const struct format_head *head)
{
    enum { HEADER = 24, CENTRE = 48, LEAST = 72, MOST = 480 };
    if (head->size < HEADER || head->whole == UINT64_MAX)
        return false;
    const uint64_t number = bytes_u64(head->bytes, false),
                   bodies = bytes_u64(head->bytes + 8, false);
    const double time = bytes_f64(head->bytes + 16, false);
    if (number > 1000000 || bodies == 0 || bodies > 1000000000 || !(time >= 0 && time < 1e12) ||
        (time > 0 && time < 1e-30))
        return false;
    for (int centre = 0; centre < 2; centre++) {
        const uint64_t left = head->whole - HEADER - (centre ? CENTRE : 0);
        if (left <= head->whole && left % (8 * bodies) == 0 && left / bodies >= LEAST &&
            left / bodies <= MOST)
            return true;
    }
    return false;
}

/* ---- archives ---- */

static bool is_zip(const struct format_head *head)
{
    return begins(head, "PK\3\4");
}

static bool is_sheet(const struct format_head *head)
{
    return is_zip(head) && (has(head, "[Content_Types].xml") || has(head, "xl/") ||
                            has(head, "opendocument.spreadsheet"));
}

static bool is_universe(const struct format_head *head)
{
    return is_zip(head) && (has(head, "simulation.json") || has(head, "ui-state.json"));
}

#define TEXT_COLUMNS "mass,x,y,z,vx,vy,vz"
#define ASTROPY(format)                                                                            \
    "save its columns as CSV: python3 -c \"from astropy.table import Table; "                      \
    "Table.read('FILE'" format ").write('bodies.csv')\""
#define PANDAS(reads)                                                                              \
    "save its columns as CSV: python3 -c \"import pandas; pandas." reads                           \
    "('FILE').to_csv('bodies.csv', index=False)\""
#define A_FILE_OF_BODIES "name a file of bodies"

#define MAGIC(text) text, sizeof text - 1

/* Recognized by a magic at a place, or by a function. The first that fits counts. */
static const struct known {
    const char *magic;
    size_t length, at;
    bool (*is)(const struct format_head *head);
    const char *what, *advice;
} known[] = {
    /* codes of N-body simulations */
    {MAGIC("REBOUND Binary File"), 0, NULL, "a SimulationArchive of REBOUND",
     "write its last moment as CSV: python3 -c \"import rebound; print('" TEXT_COLUMNS "'); "
     "[print(p.m, p.x, p.y, p.z, p.vx, p.vy, p.vz, sep=',') for p in "
     "rebound.Simulation('FILE').particles]\" > bodies.csv"},
    {NULL, 0, 0, is_atos, "a snapshot in ASCII of NEMO (atos) or of Barnes' treecode",
     "convert it with NEMO: atos in=FILE out=bodies.nemo"},
    {NULL, 0, 0, is_phigrape, "an ASCII snapshot of phiGRAPE (data.inp)",
     "leave out its first three lines: tail -n +4 FILE > bodies.ids"},
    {NULL, 0, 0, is_petar, "an ASCII snapshot of PeTar",
     "take mass, position and velocity of each row: awk 'NR>1{print $1,$2,$3,$4,$5,$6,$7}' FILE > "
     "bodies.tab"},
    {NULL, 0, 0, is_conf3, "a snapshot of NBODY6 (conf.3 or OUT3)",
     "save mass, position and velocity of its bodies as CSV, or try NEMO's u3tos, which is known "
     "to read those of NBODY1, 2 and 5: u3tos in=FILE out=bodies.nemo"},
    {NULL, 0, 0, is_ramses, "a particle file of RAMSES",
     "save the particles of its folder as CSV, with yt or pynbody"},
    {MAGIC("ncpu        ="), 0, NULL, "the description of a snapshot of RAMSES",
     "save the particles of its folder as CSV, with yt or pynbody"},
    {NULL, 0, 0, is_phantom, "a dump of Phantom or another code with its format",
     "convert it with SPLASH: splash to ascii FILE"},
    {MAGIC("HACC01"), 0, NULL, "a GenericIO file of HACC",
     "print it with GenericIOPrint, give each particle a mass, and save " TEXT_COLUMNS " as CSV"},
    {MAGIC("\0\x10\x34\xa5"), 0, NULL, "a field of an NChilada snapshot",
     "save the snapshot as Tipsy"},
    {MAGIC("# SDF"), 0, NULL, "an SDF file", "save its particles as CSV, with yt"},
    {MAGIC("(Particle"), 0, NULL, "a dyn file of Starlab",
     "convert it with AMUSE: python3 -c \"from amuse.io import *; "
     "write_set_to_file(read_set_from_file('FILE', 'dyn'), 'bodies.hdf5', 'amuse')\""},
    {MAGIC(")O+_06"), 0, NULL, "a file of bodies of Mercury",
     "write its masses, positions and velocities as CSV: " TEXT_COLUMNS},
    {MAGIC("\xdf\x65\xdf\x65\xdf\x65\xdf\x65"), 0, NULL, "a GSD file of HOOMD",
     "save the particles of its last frame for NumPy: python3 -c \"import gsd.hoomd, numpy; p = "
     "gsd.hoomd.open('FILE')[-1].particles; numpy.savez('bodies.npz', mass=p.mass, "
     "pos=p.position, vel=p.velocity)\""},
    {MAGIC("ITEM: TIMESTEP"), 0, NULL, "a dump of LAMMPS",
     "take its last time step, which must have the columns mass x y z vx vy vz: awk "
     "'/^ITEM:/{on=/ATOMS/; if(on)t=\"\"} on{sub(/ITEM: ATOMS/,\"#\"); t=t $0 \"\\n\"} "
     "END{printf \"%s\",t}' FILE > bodies.tab"},
    {NULL, 0, 0, is_pdb, "a PDB file", "save its atoms as CSV with masses and velocities"},
    {NULL, 0, 0, is_xyz, "an XYZ file", "save its atoms as CSV with masses and velocities"},

    /* planets and stars */
    {NULL, 0, 0, is_horizons, "an ephemeris of JPL Horizons",
     "write one row for each body, from the line after $$SOE of a table of vectors, below the "
     "header mass [kg],x [km],y [km],z [km],vx [km/s],vy [km/s],vz [km/s]"},
    {NULL, 0, 0, is_mpcorb, "the Minor Planet Center's table of orbits (MPCORB)",
     "compute positions and velocities from its elements, for example with REBOUND, and save them "
     "as CSV"},
    {NULL, 0, 0, is_celestia, "a catalogue of Celestia",
     "compute positions and velocities from its orbits and save them as CSV"},
    {NULL, 0, 0, is_universe, "a simulation of Universe Sandbox",
     "write mass, position and velocity of the bodies in its simulation.json as CSV"},

    /* tables and arrays */
    {MAGIC("SIMPLE  ="), 0, NULL, "a FITS file", ASTROPY("")},
    {NULL, 0, 0, is_votable, "a VOTable", ASTROPY("")},
    {NULL, 0, 0, is_mrt, "a machine-readable table (MRT) as journals and the CDS use",
     ASTROPY(", format='ascii.mrt'")},
    {NULL, 0, 0, is_ipac, "an IPAC table", ASTROPY(", format='ascii.ipac'")},
    {NULL, 0, 0, is_aastex, "a LaTeX table (AASTeX)", ASTROPY(", format='ascii.aastex'")},
    {NULL, 0, 0, is_latex, "a LaTeX table", ASTROPY(", format='ascii.latex'")},
    {MAGIC("PAR1"), 0, NULL, "a Parquet file", PANDAS("read_parquet")},
    {MAGIC("ARROW1"), 0, NULL, "an Arrow or Feather file", PANDAS("read_feather")},
    {MAGIC("FEA1"), 0, NULL, "a Feather file", PANDAS("read_feather")},
    {MAGIC("ORC"), 0, NULL, "an ORC file", PANDAS("read_orc")},
    {NULL, 0, 0, is_sheet, "a spreadsheet", PANDAS("read_excel")},
    {MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), 0, NULL,
     "a spreadsheet or document of an old Office", "save it as CSV"},
    {MAGIC("CDF\1"), 0, NULL, "a NetCDF file", "save its variables as a table or a NumPy array"},
    {MAGIC("CDF\2"), 0, NULL, "a NetCDF file", "save its variables as a table or a NumPy array"},
    {MAGIC("CDF\5"), 0, NULL, "a NetCDF file", "save its variables as a table or a NumPy array"},
    {MAGIC("\x0e\x03\x13\x01"), 0, NULL, "an HDF4 file", "convert it to HDF5 with h4toh5"},
    {NULL, 0, 0, is_vtk, "a VTK file", "save its points as CSV, with ParaView"},
    {MAGIC("MATLAB 5.0 MAT-file"), 0, NULL, "a MAT file of MATLAB",
     "save its arrays for NumPy: python3 -c \"import numpy, scipy.io; numpy.savez('bodies.npz', "
     "**{k: v for k, v in scipy.io.loadmat('FILE', squeeze_me=True).items() "
     "if k[0] != '_'})\""},
    {MAGIC("MATLAB 7.3 MAT-file"), 0, NULL, "a MAT file of MATLAB, version 7.3",
     "save its arrays for NumPy: python3 -c \"import h5py, numpy; numpy.savez('bodies.npz', "
     "**{k: v[:].squeeze().T for k, v in h5py.File('FILE').items() if k[0] != '#'})\""},
    {MAGIC("SR\0\4"), 0, NULL, "a file of IDL's SAVE",
     "save its arrays for NumPy, with scipy.io.readsav and numpy.savez"},
    {MAGIC("root\0"), 0, NULL, "a file of ROOT",
     "save its tree as CSV, with the Python package uproot"},
    {MAGIC("SQLite format 3"), 0, NULL, "an SQLite database",
     "save a table of it as CSV: sqlite3 -header -csv FILE 'select * from TABLE' > bodies.csv"},
    {MAGIC("\x80\4\x95"), 0, NULL, "a Python pickle", "save its arrays with numpy.savez"},
    {MAGIC(" BDV"), 0, NULL, "an OpenVDB volume", A_FILE_OF_BODIES},
    {MAGIC("#usda"), 0, NULL, "a USD scene", "save its points as CSV: " TEXT_COLUMNS},
    {MAGIC("PXR-USDC"), 0, NULL, "a USD scene", "save its points as CSV: " TEXT_COLUMNS},
    {NULL, 0, 0, is_json, "a JSON file", "write its bodies as CSV: " TEXT_COLUMNS},
    {NULL, 0, 0, is_page, "a web page", "download the file itself, or save its table as CSV"},

    /* archives */
    {NULL, 0, 0, is_zip, "a zip file without arrays of NumPy in it",
     "unpack it, or save it with numpy.savez"},
    {MAGIC("7z\xbc\xaf\x27\x1c"), 0, NULL, "a 7z archive", "unpack it: 7z x FILE"},
    {MAGIC("Rar!\x1a\x07"), 0, NULL, "a RAR archive", "unpack it: unrar x FILE"},
    {MAGIC("BZh"), 0, NULL, "a file packed by bzip2", "unpack it: bunzip2 FILE"},
    {MAGIC("\x04\x22\x4d\x18"), 0, NULL, "a file packed by LZ4", "unpack it: lz4 -d FILE"},
    {MAGIC("\x1f\x9d"), 0, NULL, "a file packed by compress", "unpack it: uncompress FILE"},
    {MAGIC("ustar"), 257, NULL, "a tar archive", "unpack it: tar xf FILE"},

    /* files that are not data */
    {MAGIC("%PDF"), 0, NULL, "a PDF file", A_FILE_OF_BODIES},
    {MAGIC("\x89PNG"), 0, NULL, "a picture", A_FILE_OF_BODIES},
    {MAGIC("\xff\xd8\xff"), 0, NULL, "a picture", A_FILE_OF_BODIES},
    {MAGIC("GIF8"), 0, NULL, "a picture", A_FILE_OF_BODIES},
    {MAGIC("RIFF"), 0, NULL, "a picture, sound or film", A_FILE_OF_BODIES},
    {MAGIC("ftyp"), 4, NULL, "a film", A_FILE_OF_BODIES},
    {MAGIC("\x1a\x45\xdf\xa3"), 0, NULL, "a film", A_FILE_OF_BODIES},
    {MAGIC("\x7f"
           "ELF"),
     0, NULL, "a program", A_FILE_OF_BODIES},

    /* nothing but sizes that fit */
    {NULL, 0, 0, is_petar_binary, "a binary snapshot of PeTar",
     "convert it to ASCII: petar.format.transfer -b -f FILE, then take the first seven columns"},
};

static bool fits(const struct known *entry, const struct format_head *head)
{
    if (entry->is)
        return entry->is(head);
    return head->size >= entry->at + entry->length &&
           memcmp(head->bytes + entry->at, entry->magic, entry->length) == 0;
}

enum status known_refuse(const char *path, const struct format_head *head)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (fits(known + i, head))
            return status_fail(STATUS_USAGE, "%s is %s, which gravreel does not read; %s", path,
                               known[i].what, known[i].advice);
    return STATUS_OK;
}
