"""Reads what `render -o film.usda` writes: usda.py PROGRAM.

Points are where the snapshots have them, to the last bit of a float, and the camera sees them where the film shows them. The reader below knows
nothing of the program; where Python has USD's own library (usd-core), that reads the files, too.
"""
import csv
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
checks = failed = 0


def check(what, good, found=''):
    global checks, failed
    checks, failed = checks + 1, failed + (not good)
    if not good:
        print(f'FAILED  {what}  {found}')


def gravreel(*arguments, code=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if code == 0 and done.returncode == 4:
        print('skipped:', done.stderr)
        sys.exit(77)
    if done.returncode != code:
        raise RuntimeError(f'{arguments}: {done.returncode} {done.stderr}')
    return done.stderr


def single(value):
    """A number as the nearest float."""
    return struct.unpack('f', struct.pack('f', value))[0]


def value_of(text):
    """Numbers, tuples and lists of USD's text, as Python's."""
    return eval(text, {'__builtins__': {}})


class Prim:
    def __init__(self):
        self.type, self.about, self.values, self.samples = '', {}, {}, {}


def read(path):
    """The prims of a file by their paths, '/' for the layer, and values and time samples of their attributes."""
    prims, place, collected = {'/': Prim()}, [], None
    attribute = re.compile(r'(?:uniform )?[\w\[\]]+ ([\w:]+)(\.timeSamples)? = (.*)')
    lines = open(path, encoding='utf-8').read().split('\n')
    check('the first line', lines[0] == '#usda 1.0', lines[0])
    for line in map(str.strip, lines[1:]):
        prim = prims['/' + '/'.join(place)]
        begun = re.fullmatch(r'def (\w+) "(\w+)"', line)
        if begun:
            place.append(begun[2])
            prims['/' + '/'.join(place)] = Prim()
            prims['/' + '/'.join(place)].type = begun[1]
        elif collected is not None:
            if line == '}':
                collected = None
            else:
                at, value = line.rstrip(',').split(': ', 1)
                collected[int(at)] = value_of(value)
        elif line == '}' and place:
            place.pop()
        elif found := attribute.fullmatch(line):
            if found[2]:
                collected = prim.samples.setdefault(found[1], {})
            else:
                prim.values[found[1]] = value_of(found[3].removesuffix(' ('))
        elif found := re.fullmatch(r'(\w+) = (.*)', line):
            if found[2] != '{':
                prim.about[found[1]] = value_of(found[2])
    check('all braces are closed', not place, place)
    return prims


def table(path):
    """Positions of a CSV by the bodies' ids, as floats."""
    with open(path, encoding='utf-8') as file:
        return {int(row['id']): tuple(single(float(row[axis])) for axis in 'xyz') for row in csv.DictReader(file)}


def floats(rows):
    return [tuple(map(single, row)) for row in rows]


def library(path, prims):
    """USD's own library reads the same."""
    try:
        from pxr import Usd, UsdGeom
    except ImportError:
        return False
    stage = Usd.Stage.Open(path)
    for name, prim in prims.items():
        if prim.type != 'Points':
            continue
        points = UsdGeom.Points.Get(stage, name)
        for at, rows in prim.samples['points'].items():
            check(f'{name} at {at} by USD', [tuple(p) for p in points.GetPointsAttr().Get(at)] == floats(rows))
        check(f'ids of {name} by USD', list(points.GetIdsAttr().Get()) == prim.values['ids'])
    first = stage.GetStartTimeCode()
    frustum = UsdGeom.Camera.Get(stage, '/film/camera').GetCamera(first).frustum
    row = prims['/film/camera'].samples['xformOp:transform'][int(first)][3]
    check('the camera by USD', all(abs(frustum.position[k] - row[k]) < 1e-9 for k in range(3)))
    check('z is up', UsdGeom.GetStageUpAxis(stage) == 'Z')
    return True


# ---- snapshots: every position, to the bit ----

gravreel('simulate', 'plummer', '-n', '300', '--every', '0.25', '--until', '1', '-o', 's%d.hdf5')
gravreel('render', '--snapshots', 's*.hdf5', '--frames', '5', '--fps', '24000/1001', '--size', '64x36', '-o', 's.usda')
prims = read('s.usda')
layer, points = prims['/'], prims['/film/plummer']
check('the layer', (layer.about['upAxis'], layer.about['metersPerUnit'], layer.about['startTimeCode'], layer.about['endTimeCode'],
                    layer.about['timeCodesPerSecond'], layer.about['defaultPrim']) == ('Z', 1, 0, 4, 24000 / 1001, 'film'), layer.about)
check('every frame', sorted(points.samples['points']) == [0, 1, 2, 3, 4])
for k in range(5):
    gravreel('convert', f's{k}.hdf5', f's{k}.csv')
    there = table(f's{k}.csv')
    rows = floats(points.samples['points'][k])
    check(f'bodies at {k}', sorted(points.values['ids']) == sorted(there))
    check(f'positions at {k}', rows == [there[i] for i in points.values['ids']])
    least, most = points.samples['extent'][k]
    check(f'the extent at {k}', all(least[a] < min(r[a] for r in rows) and max(r[a] for r in rows) < most[a] for a in range(3)))
has_library = library('s.usda', prims)

# A body that a snapshot lacks has no width there.
gravreel('simulate', 'plummer', '-n', '5', '--every', '0.5', '--until', '0.5', '-o', 'more%d.hdf5')
gravreel('simulate', 'plummer', '-n', '4', '--every', '0.5', '--until', '0.5', '-o', 'fewer%d.hdf5')
os.rename('more0.hdf5', 'lack0.hdf5')
os.rename('fewer1.hdf5', 'lack1.hdf5')
gravreel('render', '--snapshots', 'lack*.hdf5', '--frames', '2', '--size', '64x36', '-o', 'lack.usda')
points = read('lack.usda')['/film/plummer']
fifth = points.values['ids'].index(5)
widths = points.samples['widths']
check('a body that is missing', widths[1][fifth] == 0 and all(widths[1][i] > 0 for i in range(5) if i != fifth), widths)
check('its place is a number', all(map(math.isfinite, points.samples['points'][1][fifth])))

# ---- a film: the camera sees what the picture shows, in the film's colours ----

with open('five.csv', 'w', encoding='utf-8') as file:
    file.write('id,group,mass,x,y,z,vx,vy,vz\n7,a b,1e-9,0,0,0,1e-5,0,0\n8,a b,1e-9,3,1,0.5,0,1e-5,0\n9,a-b,1e-9,-2.5,1.5,-0.7,0,0,1e-5\n'
               '10,4,1e-9,1,-2.8,1,-1e-5,0,0\n4,4,1e-9,-1,-1,2,0,-1e-5,0\n')
BARE = [part for key in ('simulation.dt=1', 'overlay.clock=false', 'overlay.scale_bar=false', 'overlay.legend=false', 'overlay.title=false', 'overlay.card=0',
                         'look.glow=0', 'look.fade_in=0', 'look.fade_out=0', 'look.point_size=40', 'look.size=fixed', 'camera.frame=fixed', 'camera.distance=12',
                         'camera.target=[0.3,-0.2,0.1]', 'camera.orbit=90', 'camera.zoom=1.4') for part in ('--set', key)]
SHAPES = (('320x180', 'camera.fov=40'), ('200x300', 'camera.fov=55'))
for number, (size, fov) in enumerate(SHAPES):
    wide, high = map(int, size.split('x'))
    film = ['render', '--bodies-from', 'five.csv', '--set', 'output.frames=10', '--size', size, '--set', fov, *BARE, '--set', 'look.color=component']
    gravreel(*film, '-o', f'{number}.usda')
    prims = read(f'{number}.usda')
    library(f'{number}.usda', prims)
    check('names of groups', sorted(name for name in prims if prims[name].type == 'Points') == ['/film/_4', '/film/a_b', '/film/a_b_2'], list(prims))
    camera = prims['/film/camera']
    for frame in (0, 6):
        gravreel(*film, '--frames', f'{frame}..{frame}', '--chroma', '444', '-y', '-o', 'frame.y4m')
        with open('frame.y4m', 'rb') as file:
            head = file.read()
        body = head.index(b'FRAME\n') + 6
        deep = 2 if b'p10' in head[:head.index(b'\n')] else 1
        luma = [int.from_bytes(head[body + deep * i:body + deep * i + deep], 'little') for i in range(wide * high)]
        dark = min(luma)
        right, up, back, eye = (row[:3] for row in camera.samples['xformOp:transform'][frame])
        focal = camera.samples['focalLength'][frame]
        for name in ('/film/_4', '/film/a_b', '/film/a_b_2'):
            for place in prims[name].samples['points'][frame]:
                away = [place[k] - eye[k] for k in range(3)]
                depth = -sum(away[k] * back[k] for k in range(3))
                x = wide * (0.5 + focal / camera.values['horizontalAperture'] * sum(away[k] * right[k] for k in range(3)) / depth)
                y = high * (0.5 - focal / camera.values['verticalAperture'] * sum(away[k] * up[k] for k in range(3)) / depth)
                light = [(max(luma[j * wide + i] - dark - 8, 0), i + 0.5, j + 0.5) for j in range(max(int(y) - 8, 0), min(int(y) + 9, high))
                         for i in range(max(int(x) - 8, 0), min(int(x) + 9, wide))]
                total = sum(l for l, _, _ in light)
                seen = [sum(l[0] * l[k] for l in light) / max(total, 1) for k in (1, 2)]
                check(f'{size}, frame {frame}: a body of {name} at {x:.1f} {y:.1f}', total > 100 and math.hypot(seen[0] - x, seen[1] - y) < 0.5, (total, seen))
    check('ids', [prims[name].values['ids'] for name in ('/film/_4', '/film/a_b', '/film/a_b_2')] == [[10, 4], [7, 8], [9]])
    colours = {name: prims[name].values['primvars:displayColor'] for name in prims if prims[name].type == 'Points'}
    check('a colour for each component', len(set(colours['/film/a_b'])) == 1 and colours['/film/a_b'][0] != colours['/film/_4'][0], colours)
    check('the widths', abs(prims['/film/a_b'].values['widths'][0] / (40 / 1080 * camera.values['verticalAperture'] / camera.samples['focalLength'][0] *
                                                                      camera.samples['focusDistance'][0]) - 1) < 1e-6)

# Colours that follow the motion are there in every frame; a range has the frames of the whole.
whole = read('1.usda')
gravreel(*film, '--frames', '3..5', '--set', 'look.color=speed', '-o', 'range.usda')
prims = read('range.usda')
check('a range', sorted(prims['/film/a_b'].samples['points']) == [3, 4, 5] and prims['/'].about['startTimeCode'] == 3)
check('a range has the whole film\'s places', prims['/film/a_b'].samples['points'][4] == whole['/film/a_b'].samples['points'][4])
colours = prims['/film/a_b'].samples['primvars:displayColor']  # speeds hardly change
check('colours of the motion', sorted(colours) == [3, 4, 5] and all(abs(a - b) < 0.1 and max(x) > 0.1 for x, y in zip(colours[3], colours[5])
                                                                     for a, b in zip(x, y)), colours)

# ---- what points do not have ----

SMALL = ['render', 'plummer', '-n', '64', '--size', '64x36', '--frames', '4']
for words, arguments in ((('look.mode', 'counted'), [*SMALL, '--set', 'look.mode=activity']), (('look.color', 'density'), [*SMALL, '--set', 'look.color=density']),
                         (('output.alpha',), [*SMALL, '--alpha', 'straight']), (('look.panels', 'one camera'), ['render', 'comparison']),
                         (('camera.projection', 'flat'), [*SMALL, '--size', '64x32', '--set', 'camera.projection=equirect']),
                         (('output.codec', 'a file of points'), [*SMALL, '--codec', 'hevc']), (('manifest', 'usda'), [*SMALL, '--manifest', 'm.json']),
                         (('about 8.6 GB', 'limit is 4 GB', '--frames'), ['render', 'plummer', '-n', '2000', '--frames', '100000'])):
    told = gravreel(*arguments, '-o', 'x.usda', code=2)
    check(f'{words[0]} is refused', all(word in told for word in words), told)
check('nothing is left', not os.path.exists('x.usda'))
check('bodies are not read from it', 'USD' in gravreel('info', 's.usda', code=2))

print(f'{checks - failed} of {checks} checks pass{"" if has_library else "; without usd-core"}')
sys.exit(failed > 0)
