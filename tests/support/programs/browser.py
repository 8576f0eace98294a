"""A headless Chromium that is driven through a pipe (the DevTools protocol), without other packages."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds, after which an answer that has not come is a failure


def find():
    """The path of a Chromium, or None."""
    return os.environ.get('CHROMIUM') or next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)


class Browser:
    def __init__(self, width=1280, height=720, scheme='dark', scale=1, touch=False):
        self.folder = tempfile.mkdtemp()
        there, self.out = os.pipe()
        self.back, here = os.pipe()

        def hand_over():
            a, b = os.dup(there), os.dup(here)
            os.dup2(a, 3)
            os.dup2(b, 4)
        self.process = subprocess.Popen(
            [find(), '--headless=new', '--no-sandbox', '--remote-debugging-pipe', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
             '--hide-scrollbars', '--no-first-run', '--disable-background-networking', '--force-color-profile=srgb',
             f'--user-data-dir={self.folder}', f'--window-size={width},{height}', 'about:blank'],
            preexec_fn=hand_over, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(here)
        self.rest, self.number, self.session, self.noted, self.asked = b'', 0, None, [], []
        target = next(one for one in self.call('Target.getTargets')['targetInfos'] if one['type'] == 'page')
        self.session = self.call('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        for name in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(name + '.enable')
        self.size(width, height, scheme, scale, touch)
        if touch:
            self.call('Emulation.setTouchEmulationEnabled', enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        try:
            self.session = None
            self.call('Browser.close')
            self.process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        return self.number

    def call(self, method, **params):
        number, until = self.send(method, params), time.monotonic() + PATIENCE
        while time.monotonic() < until:
            answer = self.receive(until)
            if answer.get('id') == number:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]}')
                return answer['result']
            self.note(answer)
        raise TimeoutError(method)

    def receive(self, until):
        while b'\0' not in self.rest:
            if not select.select([self.back], [], [], max(until - time.monotonic(), 0))[0]:
                raise TimeoutError('Chromium does not answer')
            got = os.read(self.back, 1 << 20)
            if not got:
                raise OSError('Chromium has ended')
            self.rest += got
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def note(self, event):
        """What the page complains about, and what it asks the network for."""
        method, params = event.get('method'), event.get('params', {})
        if method == 'Runtime.exceptionThrown':
            self.noted.append(params['exceptionDetails'].get('exception', {}).get('description', 'an exception'))
        elif method == 'Log.entryAdded' and params['entry']['level'] in ('error', 'warning') and params['entry']['source'] != 'network' and \
                'GPU stall' not in params['entry']['text']:
            self.noted.append(params['entry']['text'])
        elif method == 'Runtime.consoleAPICalled' and params['type'] in ('error', 'warning'):
            self.noted.append(str(params['args']))
        elif method == 'Network.requestWillBeSent':
            self.asked.append(params['request']['url'])
        elif method == 'Page.javascriptDialogOpening':  # whether to leave a page with changes
            self.send('Page.handleJavaScriptDialog', {'accept': True})

    def ask(self, script):
        """The value of an expression, or of what it promises."""
        answer = self.call('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails'])
        return answer['result'].get('value')

    def go(self, address):
        self.call('Page.navigate', url=address)

    def wait(self, script, seconds=300):
        """Waits until the expression is true. The limit only ends a test that hangs."""
        until = time.monotonic() + seconds
        while True:
            try:
                value = self.ask(script)
            except RuntimeError:
                value = None  # the page is being loaded
            if value:
                return value
            if time.monotonic() > until:
                raise RuntimeError(f'never true: {script}; the page says: {self.ask("document.body.innerText")[:400]}')
            time.sleep(0.1)

    def size(self, width, height, scheme='dark', scale=1, touch=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def settle(self):
        self.ask('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

    def open(self, address):
        """Opens the page and waits until it has drawn; returns what it complains about instead."""
        self.call('Page.navigate', url='about:blank')
        self.call('Page.navigate', url=address)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self.ask('document.body ? document.body.dataset.failed || document.body.dataset.drawn : undefined')
            if found is not None:
                self.settle()
                return self.ask('document.body.dataset.failed') or ''
            time.sleep(0.1)
        return 'nothing was drawn'

    def shoot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))

    def press(self, key, modifiers=0):
        code = f'Key{key.upper()}' if len(key) == 1 and key.isalpha() else key
        for kind in ('keyDown', 'keyUp'):
            text = key if len(key) == 1 and kind == 'keyDown' and not modifiers & 2 else ''
            self.call('Input.dispatchKeyEvent', type=kind, key=key, code=code, text=text, modifiers=modifiers)
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def drag(self, x, y, to_x, to_y, modifiers=0, steps=6):
        self.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=1, modifiers=modifiers)
        for i in range(1, steps + 1):
            self.mouse('mouseMoved', x + (to_x - x) * i / steps, y + (to_y - y) * i / steps, button='left', buttons=1, modifiers=modifiers)
        self.mouse('mouseReleased', to_x, to_y, button='left', clickCount=1, modifiers=modifiers)
        self.settle()
