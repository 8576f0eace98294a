#include "cmd/film/farm/engine.h"

#include <inttypes.h>
#include <string.h>

/* A Python string literal; bytes outside ASCII stay as they are, in UTF-8. */
static void put_text(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++) {
        if (strchr("'\\", *text))
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('\'', file);
}

static void put_list(FILE *file, const char *name, char *const *lines, size_t count)
{
    fprintf(file, "%s = [\n", name);
    for (size_t i = 0; i < count; i++) {
        fputs("    ", file);
        put_text(file, lines[i]);
        fputs(",\n", file);
    }
    fputs("]\n", file);
}

static void write_opencue(FILE *file, const struct farm_plan *plan)
{
    fputs(
        "#!/usr/bin/env python3\n"
        "\"\"\"Written by gravreel farm. `python3 FILE` submits the job to OpenCue from the folder "
        "whose paths it names.\"\"\"\n"
        "import os\n"
        "import re\n"
        "import shlex\n\n"
        "import outline\n"
        "import outline.cuerun\n"
        "from outline.modules.shell import Shell\n\n",
        file);
    fputs("name = ", file);
    put_text(file, plan->name);
    fprintf(file,
            "\nresources = {'threads': %u, 'memory': '%" PRIu64 "m', 'timeout': %" PRIu64
            "}  # cores, memory, minutes\n",
            plan->cpus, plan->mebibytes, plan->minutes);
    if (plan->gpus)
        fprintf(file, "resources['gpus'] = %u\n", plan->gpus);
    if (plan->simulate)
        put_list(file, "simulate", plan->simulate, plan->tasks);
    put_list(file, "draw", plan->draw, plan->tasks);
    put_list(file, "finish", &plan->finish, 1);
    fputs("here = os.getcwd()\n\n\n"
          "def add(job, stage, number, line, after):\n"
          "    # outline joins a list with spaces alone, so the command is one text for a shell\n"
          "    command = 'cd %s && { %s; }' % (shlex.quote(here), line)\n"
          "    layer = Shell('%s_%d' % (stage, number), range='1-1', **resources,\n"
          "                  command='/bin/sh -c ' + shlex.quote(command))\n"
          "    for other in after:\n"
          "        layer.depend_all(other)\n"
          "    job.add_layer(layer)\n"
          "    return layer\n\n\n"
          "def make():\n"
          "    job = outline.Outline(re.sub(r'[^A-Za-z0-9_.-]+', '_', name), frame_range='1-1')\n",
          file);
    fputs("    before, drawn = [], []\n"
          "    for number, line in enumerate(draw):\n",
          file);
    if (plan->simulate)
        fputs("        before = [add(job, 'simulate', number, simulate[number], before)]\n", file);
    fputs("        drawn.append(add(job, 'draw', number, line, before))\n"
          "    add(job, 'finish', 0, finish[0], drawn)\n"
          "    return job\n\n\n"
          "if __name__ == '__main__':\n"
          "    outline.cuerun.launch(make(), use_pycuerun=False)\n",
          file);
}

const struct farm_engine farm_opencue = {
    .name = "opencue",
    .doc = "a studio's farm under OpenCue: an outline in Python, with a layer per task",
    .start = "python3",
    .write = write_opencue,
};
