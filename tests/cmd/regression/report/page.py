"""Drives the page of a report in headless Chromium; scripts/test-report runs it.

page.py FOLDER AXE: FOLDER has reports/NAME/report.html; screenshots go to FOLDER/screens. Every
check prints a line; the exit code is 1 when one failed.
"""
import base64
import os
import sys
import time

from playwright.sync_api import sync_playwright

folder, axe_path = os.path.abspath(sys.argv[1]), sys.argv[2]
screens = os.path.join(folder, 'screens')
os.makedirs(screens, exist_ok=True)
passed = failed = 0


def check(what, good, found=''):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f'FAILED  {what}  {found}')


def address(name):
    return f'file://{folder}/reports/{name}/report.html'


FRAMES = '() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))'

# Whether the viewer, if there is one, shows its pictures.
PAINTED = """() => [...document.querySelectorAll('article.open .viewer .view img')].every(one => one.complete && one.naturalWidth > 0)"""

PATIENCE = 30  # seconds, after which what has not come is a failure


class Page:
    """A tab that notes what a page that keeps to itself never does."""

    def __init__(self, browser, name, mark='', width=1280, height=900, **options):
        self.context = browser.new_context(viewport={'width': width, 'height': height}, **options)
        self.page = self.context.new_page()
        self.noted = []
        self.page.on('console', self.note)
        self.page.on('pageerror', lambda error: self.noted.append(str(error)))
        self.page.on('dialog', lambda dialog: (self.noted.append('a dialog opened'), dialog.dismiss()))
        self.page.on('request', lambda request: None if request.url.split(':')[0] in ('file', 'data', 'blob')
                     else self.noted.append('asked for ' + request.url))
        self.name = name
        self.scripted = options.get('java_script_enabled', True)
        self.page.goto(address(name) + mark)
        if self.scripted:
            self.until(lambda: self.ask(PAINTED))
            self.settle()

    def note(self, message):
        if message.type in ('error', 'warning'):
            self.noted.append(message.text)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        files = [text for text in self.noted]
        check(f'{self.name} keeps to itself', not files, files[:3])
        self.context.close()

    def ask(self, script, *rest):
        return self.page.evaluate(script, *rest)

    def press(self, key):
        self.page.keyboard.press(key)
        self.settle()

    def settle(self):
        """What was asked for is painted in the next frame."""
        self.ask(FRAMES)

    def until(self, question):
        """Its answer, as soon as that is true."""
        since = time.monotonic()
        while not (answer := question()) and time.monotonic() < since + PATIENCE:
            self.settle()
        return answer

    def text(self, part):
        return self.page.locator(f'[data-is={part}]').first.text_content()

    def mark(self):
        return self.ask('location.hash')

    def shoot(self, what, full=False):
        self.page.screenshot(path=os.path.join(screens, f'{self.name}-{what}.png'), full_page=full)


def seen(page, name):
    """The pixels of a pane, as they are shown."""
    return page.page.locator(f'[data-pane={name}] .view').screenshot()


def accessible(browser, name):
    """One report in all ways, since they share their parts, the others in one."""
    with open(axe_path) as file:
        axe = file.read()
    whole = name == 'mixed'
    for scheme in ('light', 'dark') if whole else ('dark',):
        for width in (1280, 390) if whole else (390,):
            with Page(browser, name, width=width, color_scheme=scheme, bypass_csp=True) as page:
                page.ask('document.querySelectorAll("details.line").forEach((line, i) => { line.open = i < 2; })')
                page.ask(axe)
                for mode in ('1', '2') if whole else ('1',):
                    page.press(mode)
                    found = page.ask('() => axe.run(document, {resultTypes: ["violations"]})')['violations']
                    for one in found:
                        check(f'axe, {name}, {scheme}, {width} wide, mode {mode}', one['impact'] not in ('serious', 'critical'),
                              one['id'] + ': ' + one['nodes'][0]['html'][:160])
                        if one['impact'] not in ('serious', 'critical'):
                            print(f"note    axe, {name}, {scheme}: {one['id']} ({one['impact']})")
                    check(f'axe ran on {name}', isinstance(found, list))


def keys(browser):
    with Page(browser, 'mixed') as page:
        chosen = page.ask("""() => { const shown = [...document.querySelectorAll('article.open .shown')];
          const worst = shown.reduce((a, b) => +b.dataset.worst > +a.dataset.worst ? b : a);
          return shown.indexOf(worst) === document.querySelector('[data-is=frame]').selectedIndex; }""")
        check('opens at the worst frame', chosen)
        check('opens at the verdict', page.mark() == '' and page.ask('scrollY') == 0, (page.mark(), page.ask('scrollY')))
        page.press('j')
        page.press('k')
        first = page.mark()
        page.press('j')
        check('j goes on', page.until(lambda: page.mark() != first), page.mark())
        page.press('k')
        check('k goes back', page.until(lambda: page.mark() == first), page.mark())
        for key, mode in zip('2341', ('swap', 'slider', 'onion', 'side')):
            page.press(key)
            check(f'{key} chooses {mode}', page.ask('document.querySelector("[name=mode]:checked").value') == mode)
        plain = seen(page, 'd')
        gain = page.ask('document.querySelector("[name=gain]:checked").value')
        page.press('g')
        check('g changes the gain', page.ask('document.querySelector("[name=gain]:checked").value') != gain)
        check('and with it the difference', page.until(lambda: seen(page, 'd') != plain))
        before = [seen(page, side) for side in 'abd']
        page.press('l')
        check('l lifts the darks of all three', page.until(lambda: all(a != seen(page, side) for a, side in zip(before, 'abd'))))
        before = seen(page, 'a')
        page.press('m')
        check('m hides the marks', page.until(lambda: seen(page, 'a') != before))
        page.press('+')
        page.press('+')
        zoom = page.text('zoom')
        page.press('j')
        check('zoom is kept from frame to frame', page.text('zoom') == zoom != 'fit', zoom)
        page.press('0')
        check('0 shows the whole', page.text('zoom') == 'fit')
        page.press('2')
        page.press('b')
        words = set()
        check('b blinks', page.until(lambda: words.add(page.text('which')) or len(words) == 2), words)
        page.press('b')
        check('b stops it', page.page.locator('[data-do=blink][aria-pressed=true]').count() == 0)
        words = set()
        for _ in range(30):
            page.settle()
            words.add(page.text('which'))
        check('and nothing moves', len(words) == 1, words)
        rest = page.text('which')
        page.page.keyboard.down('x')
        check('x shows the other while held', page.until(lambda: page.text('which') != rest), rest)
        other = page.text('which')
        page.page.keyboard.up('x')
        check('and no longer', page.until(lambda: page.text('which') == rest), other)
        page.page.locator('[data-pane=one] .view').scroll_into_view_if_needed()
        box = page.page.locator('[data-pane=one] .view').bounding_box()
        page.page.mouse.move(box['x'] + box['width'] / 2, box['y'] + box['height'] / 2)
        check('pointing swaps', page.until(lambda: page.text('which') == other), page.text('which'))
        page.until(lambda: 'pixel' in page.text('pixel'))
        check('the pixel is read', 'pixel' in page.text('pixel') and ' A ' in page.text('pixel') and ' B ' in page.text('pixel'))
        page.page.mouse.move(2, 2)
        page.press('1')
        page.page.locator('[data-pane=b] .view').focus()
        page.press('ArrowRight')
        one = page.text('pixel')
        page.press('Shift+ArrowRight')
        two = page.text('pixel')
        at = [int(text.split('pixel ')[1].split(',')[0]) for text in (one, two)]
        check('arrows move the pixel', at[1] == at[0] + 10, (one, two))
        page.press('?')
        check('? opens the help', page.ask('document.getElementById("help").open'))
        page.press('Escape')
        page.press('n')
        check('n goes to the next case', page.mark().startswith('#stereo'), page.mark())
        page.press('p')
        check('p goes back', page.mark().startswith('#default'), page.mark())
        page.ask('document.getElementById("keys").checked = false')
        before = page.mark()
        page.press('j')
        check('keys can be turned off', page.mark() == before)
    with Page(browser, 'mixed', reduced_motion='reduce') as page:
        page.press('b')
        words = set()
        for _ in range(30):
            page.settle()
            words.add(page.text('which'))
        check('less motion: b swaps once', len(words) == 1 and 'now' in words.pop(), words)


def pictures_are_exact(browser):
    """Enlarged pixels are blocks, and the difference is that of the pixels times the gain."""
    with Page(browser, 'mixed') as page:
        page.press('2')
        style = page.ask("() => getComputedStyle(document.querySelector('[data-pane=one] img')).imageRendering")
        check('pixels are blocks', style == 'pixelated', style)
        page.press('1')
        page.press('m')
        page.page.set_viewport_size({'width': 1060, 'height': 900})
        box = page.ask("""() => { const one = document.querySelector('[data-pane=d] .view'); one.style.width = one.style.maxWidth = '320px';
          return one.getBoundingClientRect().height; }""")
        check('a pane has the shape of its pictures', abs(box - 180) < 1, box)
        page.settle()
        shot = base64.b64encode(seen(page, 'd')).decode()
        worst = page.ask("""async shot => { const gain = +document.querySelector('[name=gain]:checked').value;
          const read = async src => { const img = new Image(); img.src = src; await img.decode(); const canvas = new OffscreenCanvas(320, 180);
            const pen = canvas.getContext('2d'); pen.drawImage(img, 0, 0); return pen.getImageData(8, 8, 304, 164).data; };
          const [a, b, d] = await Promise.all([document.querySelector('[data-pane=a] img').src, document.querySelector('[data-pane=b] img').src, 'data:image/png;base64,' + shot].map(read));
          let worst = 0; for (let i = 0; i < d.length; i++) if (i % 4 < 3) worst = Math.max(worst, Math.abs(Math.min(gain * Math.abs(a[i] - b[i]), 255) - d[i]));
          return worst; }""", shot)
        check('the difference is exact', worst <= 2, worst)


def links(browser):
    with Page(browser, 'mixed', mark='#points/36/2,1') as page:
        check('a link opens its case', page.ask('document.querySelector("article.open").dataset.case') == 'points')
        check('and its frame', page.mark().startswith('#points/36'), page.mark())
        check('and its tile', page.text('zoom') != 'fit', page.text('zoom'))
        page.ask('location.hash = "#default/23"')
        check('a link within the page works', page.until(lambda: page.mark() == '#default/23' and page.text('zoom') == 'fit'), page.mark())
        plot = page.page.locator('article.open .plot').first
        plot.click(position={'x': plot.bounding_box()['width'] - 2, 'y': 40})
        check('a click in a timeline goes to the frame', page.until(lambda: page.mark() == '#default/47'), page.mark())
        page.page.locator('.places button').first.click()
        check('a click on what differs zooms there', page.until(lambda: page.text('zoom') != 'fit'))
    with Page(browser, 'mixed', mark='#panels') as page:
        check('a case that passes opens', page.ask('document.getElementById("panels").open'))
    for mark in ('#nothing/1/2', '#default/999999/-1,x', '#%E0%A4%A', '#/', '#default/17/9999,9999'):
        with Page(browser, 'mixed', mark=mark) as page:
            check(f'{mark} does no harm', page.page.locator('article.open').count() == 1)


FRAME = """() => { const video = document.querySelector('article.open video'), canvas = document.createElement('canvas');
  canvas.width = video.videoWidth; canvas.height = video.videoHeight;
  const pen = canvas.getContext('2d'); pen.drawImage(video, 0, 0);
  const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0; for (let i = 0; i < data.length; i++) sum = (sum * 31 + data[i]) % 1000003; return sum; }"""


def clips(browser):
    """Whole in the page, at rest until somebody steps or plays, each frame its own."""
    def video(page, what):
        return page.ask(f'document.querySelector("article.open video").{what}')

    def where(page):
        return page.page.locator('article.open .steps output').text_content()

    def rests(page, told):
        """Shows what it says, and has found that picture."""
        return page.until(lambda: where(page) == told and not video(page, 'seeking') and video(page, 'readyState') >= 2)

    with Page(browser, 'compared') as page:
        page.until(lambda: video(page, 'readyState') >= 2)
        check('a clip is decoded', video(page, 'readyState') >= 2 and video(page, 'videoWidth') > 600, video(page, 'readyState'))
        check('it lasts as long as its frames', abs(video(page, 'duration') * 24 - 48) < 1.5, video(page, 'duration'))
        check('it rests', video(page, 'paused') and not video(page, 'autoplay'))
        page.ask('document.querySelector("article.open video").currentTime = 18.5 / 24')
        rests(page, 'frame 18')
        told, sums = [], []
        for step in ('frame 19', 'frame 20 of A, missing in B', 'frame 21 of A, 20 of B', 'frame 22 of A, 21 of B'):
            page.press('.')
            check(f'. steps to {step}', rests(page, step), where(page))
            page.until(lambda: page.ask(FRAME) not in sums)
            told.append(where(page))
            sums.append(page.ask(FRAME))
        check('each frame is another picture', len(set(sums)) == 4, sums)
        page.press(',')
        check(', steps back to the same picture', rests(page, told[2]) and page.until(lambda: page.ask(FRAME) == sums[2]), where(page))
        page.press('c')
        before = video(page, 'currentTime')
        check('c plays', page.until(lambda: not video(page, 'paused') and video(page, 'currentTime') != before))
        check('and says so', page.page.locator('article.open .steps [aria-pressed=true]').count() == 1)
        page.press('c')
        check('c stops', video(page, 'paused'))
        check('nothing lies over the pictures', not video(page, 'controls'))
        page.ask('location.hash = "#" + document.querySelector("article.open").dataset.case + "/30"')
        check('the clip follows the frame that is looked at', page.until(lambda: where(page).startswith('frame 30 of A')), where(page))
        check('films have their names', page.text('name-a') == 'frame_%06d.png' and 'cut' in page.ask('document.querySelector("article.open").dataset.b'),
              page.ask('document.querySelector("article.open").dataset.b'))
        check('the worst frame is named', page.page.locator('[data-is=frame] option', has_text='worst').count() == 1)
        check('a strip shows what is missing', page.page.locator('.strip .dropped').count() == 1)
    with Page(browser, 'compared', reduced_motion='reduce') as page:
        check('less motion: the clip is slower and plays once', video(page, 'playbackRate') < 0.5 and not video(page, 'loop') and video(page, 'paused'))
        page.press('.')
        check('less motion: it is stepped all the same', where(page).startswith('frame'), where(page))
    with Page(browser, 'compared', java_script_enabled=False) as page:
        check('the clip has controls without JavaScript', page.page.locator('video[controls]').is_visible())


def opens_at_its_verdict(browser, names):
    """Whatever a page has: an address of its own would scroll past the head."""
    for name in names:
        with Page(browser, name, height=400) as page:
            check(f'{name} opens at its verdict', page.ask('scrollY') == 0 and page.page.locator('h1').is_visible(), page.ask('scrollY'))


def without_script(browser):
    with Page(browser, 'mixed', java_script_enabled=False) as page:
        images = page.page.locator('#pictures img')
        check('pictures are shown without JavaScript', images.count() > 6 and images.first.is_visible())
        images.first.scroll_into_view_if_needed()
        check('all cases are told of without JavaScript', all(name in page.page.locator('pre').text_content() for name in ('default', 'points', 'panels')))
        check('no button is dead without JavaScript', not any(button.is_visible() for button in page.page.locator('body > :not(dialog) button').all()))
        page.shoot('noscript', full=True)


def looks(browser, names):
    for name in names:
        for width, height in ((1280, 900), (390, 844)):
            for scheme in ('light', 'dark'):
                with Page(browser, name, width=width, height=height, color_scheme=scheme) as page:
                    wide = page.ask('document.documentElement.scrollWidth')
                    check(f'{name} is not wider than {width}', wide <= width, wide)
                    page.shoot(f'{width}-{scheme}')
                    if name in ('mixed', 'single', 'compared'):
                        page.shoot(f'{width}-{scheme}-full', full=True)
        with Page(browser, name, color_scheme='dark') as page:
            if name not in ('mixed', 'upright'):
                continue
            for key, mode in zip('234', ('swap', 'slider', 'onion')):
                page.press(key)
                page.page.locator('.viewer').scroll_into_view_if_needed()
                page.settle()
                page.page.locator('.viewer').screenshot(path=os.path.join(screens, f'{name}-{mode}.png'))
            page.press('1')
            page.press('g')
            page.press('l')
            page.settle()
            page.page.locator('.viewer').screenshot(path=os.path.join(screens, f'{name}-lifted.png'))


with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path=os.environ.get('CHROMIUM', '/usr/bin/chromium'), args=['--no-sandbox'])
    reports = sorted(os.listdir(os.path.join(folder, 'reports')))
    for report in reports:
        size = os.path.getsize(os.path.join(folder, 'reports', report, 'report.html'))
        check(f'{report} is smaller than 10 MB', size < 10e6, size)
        print(f'        {report}: {size / 1e6:.2f} MB')
    looks(chromium, reports)
    opens_at_its_verdict(chromium, reports)
    keys(chromium)
    clips(chromium)
    pictures_are_exact(chromium)
    links(chromium)
    without_script(chromium)
    for report in reports:
        accessible(chromium, report)
    chromium.close()
print(f'{passed} passed, {failed} failed')
sys.exit(failed > 0)
