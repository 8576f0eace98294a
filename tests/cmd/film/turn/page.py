"""Drives pages of `render -o film.html` in headless Chromium: page.py PROGRAM [FOLDER for screenshots].

A page must look like `gravreel still` of the same scene, keep to itself, and do what its help says.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../support/programs'))
from browser import Browser, find  # noqa: E402

program = os.path.abspath(sys.argv[1])
if not find():
    print('skipped: chromium is not installed: pages were not opened')
    sys.exit(77)
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)
shots = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else folder.name
os.makedirs(shots, exist_ok=True)
checks = failed = 0


def check(what, good, found=''):
    global checks, failed
    checks, failed = checks + 1, failed + (not good)
    if not good:
        print(f'FAILED  {what}  {found}')


def gravreel(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f'{arguments}: {done.stderr}')
    return done


# Without letters, fades and motion blur, which a page draws otherwise or leaves out.
BARE = [part for key in ('overlay.title=false', 'overlay.clock=false', 'overlay.scale_bar=false', 'overlay.legend=false', 'overlay.card=0',
                         'overlay.captions=[]', 'overlay.labels=[]', 'look.fade_in=0', 'look.shutter=0') for part in ('--set', key)]
SCENES = {
    'default': ['-n', '2048', '--frames', '24'],
    'plummer': ['plummer', '-n', '2000', '--frames', '24'],
    'map': ['plummer', '-n', '1500', '--frames', '24', '--set', 'look.color=speed', '--set', 'look.map=viridis'],
    'classic': ['-n', '1500', '--frames', '24', '--set', 'look.preset=classic', '--set', 'look.shutter=0'],
    'upright': ['-n', '1500', '--frames', '24', '--set', 'look.color=radial', '--set', 'look.tone=filmic'],
}


def likeness(name, still, shot, metered=True):
    """1 - the mean of SSIM over the lit windows, by `gravreel compare`."""
    subprocess.run([program, 'compare', still, shot, '--lossy', '--json', 'likeness.json', '-y'], capture_output=True)
    with open('likeness.json') as file:
        case = json.load(file)['cases'][0]
    found = {one['rule']: one['value'] for stage in case['stages'] for one in stage.get('findings', [])}
    check(f'{name}: the mean SSIM of lit windows is at least 0.9', 1 - found['picture.ssim_mean'] >= 0.9, 1 - found['picture.ssim_mean'])
    check(f'{name}: nothing has moved', found.get('picture.shift', 0) < 0.5 and found.get('picture.layout', 0) < 0.04, found)
    if metered:
        check(f'{name}: colours and brightness are those of the still', found['picture.colour'] < 2 and found['picture.brightness'] < 2.5, found)
    print(f'{name}: mean SSIM of lit windows {1 - found["picture.ssim_mean"]:.4f}, colours differ by {found["picture.colour"]:.2f}')


def looks(browser):
    """The start and a frame in the middle, which tests the paths as the page decodes them."""
    for name, scene in SCENES.items():
        size = '360x640' if name == 'upright' else '1280x720' if name in ('default', 'plummer', 'map') else '640x360'
        wide, high = map(int, size.split('x'))
        gravreel('render', *scene, *BARE, '--size', size, '-o', f'{name}.html')
        browser.call('Emulation.setDeviceMetricsOverride', width=wide, height=high, deviceScaleFactor=1, mobile=False)
        for frame in (0, 13) if name == 'default' else (0,) if size == '1280x720' else (5,):
            gravreel('still', *scene, *BARE, '--size', size, '--at', f'frame {frame}', '-o', 'still.png', '-y')
            found = browser.open(f'file://{folder.name}/{name}.html#bare,plain,frame={frame}')
            check(f'{name} draws', not found, found)
            shot = os.path.join(shots, f'{name}-{frame}.png')
            browser.shoot(shot)
            likeness(f'{name}, frame {frame}', 'still.png', shot)
        check(f'{name} asks for nothing but itself', all(url.startswith(('file://', 'blob:', 'about:')) for url in browser.asked), browser.asked)
        check(f'{name} complains about nothing', not browser.noted, browser.noted[:3])
        browser.asked.clear()
        browser.noted.clear()


SUM = '''(() => { const pen = new OffscreenCanvas(64, 36).getContext('2d'); pen.drawImage(canvas, 0, 0, 64, 36);
  return Array.from(pen.getImageData(0, 0, 64, 36).data).reduce((sum, value, i) => (sum * 31 + value * (i % 7 + 1)) % 1000003, 7); })()'''


def acts(browser):
    browser.call('Emulation.setDeviceMetricsOverride', width=1280, height=720, deviceScaleFactor=1, mobile=False)
    gravreel('render', '-n', '2048', '--frames', '48', '--set', 'look.shutter=0', '-o', 'acts.html')
    check('a page opens', not browser.open(f'file://{folder.name}/acts.html#frame=40'))
    browser.shoot(os.path.join(shots, 'acts.png'))
    ask = browser.ask
    check('the title is the document\'s', ask('document.title') == 'Milky Way and Andromeda', ask('document.title'))
    check('the clock runs', 'yr' in ask('at("clock").textContent'), ask('at("clock").textContent'))
    check('a bar has a length', 'kpc' in ask('at("scale").textContent'), ask('at("scale").textContent'))
    check('the error is told', 'pixels of the film' in ask('at("figures").textContent'), ask('at("figures").textContent'))
    start = ask(SUM)
    browser.drag(600, 300, 700, 340)
    turned = ask(SUM)
    check('dragging turns', turned != start and ask('mine.turn < -10 && mine.tilt > 5'), ask('JSON.stringify(mine)'))
    browser.mouse('mouseWheel', 600, 300, deltaX=0, deltaY=-300)
    browser.settle()
    check('the wheel comes closer', ask('mine.closer > 1.3') and ask(SUM) != turned, ask('mine.closer'))
    browser.drag(600, 300, 640, 300, modifiers=8)
    check('shift-dragging moves aside', ask('size(mine.aside) > 0'), ask('JSON.stringify(mine.aside)'))
    saved = ask('section()')
    browser.press('c')
    check('c shows the camera', ask('at("section").open && at("yaml").value') == saved)
    ask('at("section").close()')
    browser.press('0')
    check('0 is the film\'s camera', ask('JSON.stringify(mine) === JSON.stringify(still)') and ask(SUM) == start)
    browser.drag(600, 300, 700, 340)
    for click in (1, 2):
        browser.mouse('mousePressed', 600, 300, button='left', clickCount=click)
        browser.mouse('mouseReleased', 600, 300, button='left', clickCount=click)
    browser.settle()
    check('a double click, too', ask('JSON.stringify(mine) === JSON.stringify(still)'), ask('JSON.stringify(mine)'))
    browser.press('.')
    check('. is a frame on', ask('document.body.dataset.drawn') == '41', ask('document.body.dataset.drawn'))
    browser.press('Home')
    check('home is the start', ask('document.body.dataset.drawn') == '0')
    space = 'document.body.dispatchEvent(new KeyboardEvent("keydown", {key: " ", bubbles: true}))'
    check('space plays', ask(f'{space}, playing && at("play").getAttribute("aria-label") === "Pause"'))
    check('and the film goes on', ask('new Promise(done => { const look = () => frame > 2 ? done(true) : setTimeout(look, 20); look(); })'))
    check('space stops', ask(f'play(true), {space}, !playing'))
    browser.press('ArrowLeft')
    browser.press('+')
    check('arrows and + do what the mouse does', ask('mine.turn === -5 && mine.closer > 1'), ask('JSON.stringify(mine)'))
    browser.press('o')
    check('o hides the letters', ask('at("overlay").hidden'))
    browser.press('?')
    check('? helps', ask('at("help").open'))
    browser.press('Escape')
    ask('at("help").close()')
    nameless = ask('''[...document.querySelectorAll('button, input, textarea, canvas, main')].filter(one => !(one.ariaLabel || one.textContent.trim())).length''')
    check('every control has a name', nameless == 0, nameless)
    check('nothing is complained about', not browser.noted, browser.noted[:3])


def seen_again(browser):
    """The copied camera section gives the picture that was seen."""
    scene = ['-n', '2048', '--frames', '48', *BARE, '--size', '1280x720']
    gravreel('render', *scene, '-o', 'seen.html')
    check('a page opens', not browser.open(f'file://{folder.name}/seen.html#frame=40,bare,plain'))
    browser.drag(600, 300, 680, 350)
    browser.drag(600, 300, 640, 280, modifiers=8)
    browser.mouse('mouseWheel', 600, 300, deltaX=0, deltaY=-200)
    browser.settle()
    lines = browser.ask('section()').splitlines()
    check('the section is the camera\'s', lines[0] == 'camera:', lines)
    keys = [part for line in lines[1:] for part in ('--set', 'camera.' + line.strip().replace(': ', '=', 1))]
    shot = os.path.join(shots, 'seen.png')
    browser.shoot(shot)
    gravreel('still', *scene, *keys, '--at', 'frame 40', '-o', 'still.png', '-y')
    likeness('the camera section', 'still.png', shot, metered=False)  # another camera meters another exposure


def fits(width, height, scheme, name):
    with Browser(width, height, scheme, touch=width < 600) as browser:
        check(f'{name} opens', not browser.open(f'file://{folder.name}/acts.html#frame=20'))
        wide = browser.ask('document.documentElement.scrollWidth')
        check(f'{name} is not wider than {width}', wide <= width, wide)
        check(f'{name}: controls are seen', browser.ask('at("controls").getBoundingClientRect().bottom <= innerHeight + 1'))
        browser.shoot(os.path.join(shots, f'{name}.png'))


with Browser() as browser:
    looks(browser)
    acts(browser)
    seen_again(browser)
fits(390, 844, 'light', 'phone')
print(f'{checks - failed} passed, {failed} failed')
sys.exit(failed > 0)
