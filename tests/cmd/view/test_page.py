#!/usr/bin/env python3
"""The page of `gravreel view` in headless Chromium: turn, scrub, change a key, undo, add keyframes, save, open again.

Usage: test_page.py PROGRAM [FOLDER FOR SCREENSHOTS]. Ends with 77 where there is no browser."""

import base64
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../support/programs"))
from browser import Browser, find  # noqa: E402

SCENE = ["plummer", "-n", "400", "--size", "480x270", "--frames", "24", "--set", "overlay.title=true"]
NOISE = 2.0  # mean difference of 8-bit codes that JPEG leaves


class View:
    """Ends the program even if the test fails, for it holds the test's output."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def __init__(self, program, folder, *arguments):
        self.process = subprocess.Popen([program, "view", "--backend", "cpu", *arguments], cwd=folder,
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait()
        assert code == 0, f"view ended with {code}"
        assert self.process.stdout.read() == ""


def settled(page, frame):
    """Waits for the film's own picture of a frame."""
    page.wait(f"document.getElementById('picture').dataset.rest === 'full' && "
              f"document.getElementById('picture').dataset.frame === '{frame}'")


def seek(page, frame):
    page.ask(f"{{ const s = document.getElementById('scrub'); s.value = {frame}; s.dispatchEvent(new Event('input')); }}")


def place(page, selector):
    return page.ask(f"(() => {{ const b = document.querySelector(`{selector}`).getBoundingClientRect();"
                    "return [b.left + b.width / 2, b.top + b.height / 2]; })()")


def yaml(page):
    return page.ask("document.getElementById('yaml').textContent")


def difference(page, path):
    """The mean difference between the page's picture and a PNG file, in 8-bit codes."""
    with open(path, "rb") as file:
        png = base64.b64encode(file.read()).decode()
    return page.ask("""(async () => {
        const image = new Image(), canvas = document.getElementById('picture');
        image.src = 'data:image/png;base64,%s';
        await image.decode();
        if (image.width !== canvas.width || image.height !== canvas.height)
            throw new Error(`sizes differ: ${canvas.width}x${canvas.height}`);
        const other = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
        other.getContext('2d').drawImage(image, 0, 0);
        const a = canvas.getContext('2d').getImageData(0, 0, image.width, image.height).data;
        const b = other.getContext('2d').getImageData(0, 0, image.width, image.height).data;
        let sum = 0;
        for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
        return sum / a.length * 4 / 3;
    })()""" % png)


def still(program, folder, scene, frame):
    path = os.path.join(folder, "still.png")
    subprocess.run([program, "still", scene, "--at", f"frame {frame}", "-o", path, "-y", "--quiet"], check=True, cwd=folder)
    return path


NAMELESS = """[...document.querySelectorAll('button, input, select, textarea, canvas, [tabindex]')].filter(e =>
    !e.closest('[aria-hidden=true]') && !(e.getAttribute('aria-label') || (e.labels && [...e.labels].some(l => l.textContent.trim()))
    || (e.matches('button, [role=tabpanel]') && e.textContent.trim()))).map(e => e.outerHTML.slice(0, 120))"""


def check_names(page):
    for name in ("keys", "looks", "text"):
        page.ask(f"document.querySelector('[data-do={name}]').click()")
        page.ask("document.querySelectorAll('details').forEach(d => d.open = true)")
        nameless = page.ask(NAMELESS)
        assert not nameless, f"controls without a name: {nameless}"
    unkeyed = page.ask("[...document.querySelectorAll('[data-do]')].filter(e => !e.getAttribute('aria-keyshortcuts')).length")
    assert unkeyed == 0, "buttons without a key"
    page.ask("document.querySelector('[data-do=keys]').click()")


def edit(page):
    settled(page, 0)
    x, y = place(page, "#picture")
    page.drag(x, y, x + 60, y + 20)
    page.wait("document.getElementById('yaml').textContent.includes('azimuth')")
    assert "elevation" in yaml(page)
    seek(page, 12)
    settled(page, 12)
    page.ask("""{ const i = document.querySelector('[data-path="look.saturation"] input'); i.value = '0.5';
                  i.dispatchEvent(new Event('change')); }""")
    page.wait("document.getElementById('yaml').textContent.includes('saturation: 0.5')")
    page.press("z", modifiers=2)
    page.wait("!document.getElementById('yaml').textContent.includes('saturation')")
    page.press("Z", modifiers=2 + 8)
    page.wait("document.getElementById('yaml').textContent.includes('saturation: 0.5')")
    page.ask("""{ const i = document.querySelector('[data-path="look.saturation"] input'); i.value = '7';
                  i.dispatchEvent(new Event('change')); }""")
    page.wait("document.querySelector('[data-path=\"look.saturation\"] .wrong').textContent.includes('7')")
    assert "saturation: 0.5" in yaml(page)


def move(page):
    """Follows what is in the middle, comes closer, pans; then follows a single body."""
    settled(page, 12)
    x, y = place(page, "#picture")
    for count in 1, 2:
        page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=count)
        page.mouse("mouseReleased", x, y, button="left", clickCount=count)
    page.wait("document.getElementById('yaml').textContent.includes('follow: plummer')")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-120)
    page.wait("document.getElementById('yaml').textContent.includes('distance')")
    page.drag(x, y, x + 40, y, modifiers=8)
    page.wait("document.getElementById('yaml').textContent.includes('target')")
    page.ask("document.getElementById('picture').focus()")
    page.press("Enter", modifiers=8)
    page.wait("/follow: \"?body [0-9]+/.test(document.getElementById('yaml').textContent)")


LIST = "document.querySelector('[data-path=\"overlay.captions\"]')"


def write_caption(page):
    """Going from field to field of a list's item, the item stays open and the next field keeps the focus."""
    page.ask("[...document.querySelectorAll('#sections > details')].find(d => d.textContent.startsWith('overlay')).open = true")
    page.wait(LIST)
    page.ask(f"[...{LIST}.querySelectorAll('button')].find(b => b.textContent === 'Add').click()")
    page.wait(f"{LIST}.querySelector('details[open] input') === document.activeElement")
    field = LIST + ".querySelectorAll('details input')"
    page.ask(f"""{{ const [text, next] = {field}; text.value = 'They meet'; text.dispatchEvent(new Event('change'));
                    next.focus(); next.value = 'star'; }}""")
    page.wait("document.getElementById('yaml').textContent.includes('They meet')")
    page.settle()
    assert page.ask(f"document.activeElement === {field}[1] && {field}[1].value === 'star'"), "the next field was lost"
    page.ask(f"{{ const next = {field}[1]; next.value = 'frame 3'; next.dispatchEvent(new Event('change')); }}")
    page.wait("document.getElementById('yaml').textContent.includes('frame 3')")
    assert "They meet" in yaml(page)
    page.ask(f"[...{LIST}.querySelectorAll('details button')].find(b => b.textContent === 'Remove').click()")
    page.wait("!document.getElementById('yaml').textContent.includes('They meet')")


def undo_in_a_select(page):
    page.ask("{ const s = document.querySelector('[data-path=\"look.color\"] select'); s.focus(); s.value = 'speed';"
             "s.dispatchEvent(new Event('change')); }")
    page.wait("document.getElementById('yaml').textContent.includes('color: speed')")
    page.press("z", modifiers=2)
    page.wait("!document.getElementById('yaml').textContent.includes('color: speed')")
    page.wait("document.querySelector('[data-path=\"look.color\"] select').value !== 'speed'")


def reload(page, address):
    """The changes outlive a reload, so that Save writes what was saved before."""
    before = yaml(page)
    page.ask("window.old = true")
    page.go(address)
    page.wait("!window.old && document.getElementById('yaml').textContent")
    assert yaml(page) == before, yaml(page)
    settled(page, 20)
    page.wait("document.querySelectorAll('#marks .key').length === 2")


def add_keyframes(page):
    seek(page, 0)
    settled(page, 0)
    page.press("k")
    page.wait("document.getElementById('yaml').textContent.includes('frame 0')")
    seek(page, 20)
    settled(page, 20)
    x, y = place(page, "#picture")
    page.drag(x, y, x - 80, y)
    page.wait("!document.getElementById('free').hidden")
    page.press("k")
    page.wait("document.getElementById('yaml').textContent.includes('frame 20')")
    page.wait("document.querySelectorAll('#marks .key').length === 2")
    settled(page, 20)


def run(program, page, folder, shots):
    page.size(1440, 900)
    with View(program, folder, *SCENE, "--save-scene", "mine.yaml") as view:
        change(program, view, page, folder, shots)
    page.size(1440, 900)
    with View(program, folder, "mine.yaml") as view:
        open_again(view, page, folder)


def change(program, view, page, folder, shots):
    page.go(view.address)
    edit(page)
    write_caption(page)
    undo_in_a_select(page)
    move(page)
    add_keyframes(page)
    page.press("s")
    page.wait("document.getElementById('told').textContent.includes('mine.yaml')")
    found = difference(page, still(program, folder, "mine.yaml", 20))
    print(f"the view and the still differ by {found:.2f} codes")
    assert found < NOISE
    reload(page, view.address)
    check_names(page)
    for width, height in (1440, 900), (420, 860):
        for scheme in "dark", "light":
            page.size(width, height, scheme)
            page.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            wide = page.ask("document.documentElement.scrollWidth")
            assert wide <= width, f"the page is {wide} wide in a window of {width}"
            if shots:
                settled(page, 20)
                page.shoot(os.path.join(shots, f"view-{scheme}-{width}.png"))
    view.close()


def open_again(view, page, folder):
    page.go(view.address)
    settled(page, 0)
    seek(page, 20)
    settled(page, 20)
    found = difference(page, os.path.join(folder, "still.png"))
    assert found < NOISE, f"opened again, the picture differs by {found:.2f} codes"
    assert page.ask("document.querySelector('[data-do=save]').disabled")
    assert not page.noted, page.noted
    view.close()


def main():
    program, shots = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    if not find():
        print("SKIPPED: chromium is not installed")
        sys.exit(77)
    with Browser() as page, tempfile.TemporaryDirectory() as folder:
        run(program, page, folder, shots)


main()
