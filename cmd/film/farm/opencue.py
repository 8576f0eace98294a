#!/usr/bin/env python3
"""Written by gravreel farm. `python3 FILE` submits the job to OpenCue from the folder whose paths it names."""
import os
import re
import shlex

import outline
import outline.cuerun
from outline.modules.shell import Shell

name = {{name}}
resources = {'threads': {{cpus}}, 'memory': '{{mebibytes}}m', 'timeout': {{minutes}}}  # cores, memory, minutes
resources['gpus'] = {{gpus}}
begin = {{begin}}
simulate = [{{simulate}}
{{if ranges}}]
draw = [{{draw}}
]
finish = {{finish}}
here = os.getcwd()


def add(job, stage, number, line, after):
    # outline joins a list with spaces alone, so the command is one text for a shell
    command = 'cd %s && { %s; }' % (shlex.quote(here), line)
    layer = Shell('%s_%d' % (stage, number), range='1-1', **resources,
                  command='/bin/sh -c ' + shlex.quote(command))
    for other in after:
        layer.depend_all(other)
    job.add_layer(layer)
    return layer


def make():
    job = outline.Outline(re.sub(r'[^A-Za-z0-9_.-]+', '_', name), frame_range='1-1')
    before, drawn = [], []
{{if begin}}    before = [add(job, 'begin', 0, begin, [])]
    for number, line in enumerate(draw):
{{if ranges}}        before = [add(job, 'simulate', number, simulate[number], before)]
{{if checks}}        line += ' || test $? -eq 3'  # a difference is a result, and no reason to try again
        drawn.append(add(job, 'draw', number, line, before))
    add(job, 'finish', 0, finish, drawn)
    return job


if __name__ == '__main__':
    outline.cuerun.launch(make(), use_pycuerun=False)
