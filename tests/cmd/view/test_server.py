#!/usr/bin/env python3
"""Attacks on the server of `gravreel view`, over sockets: other hosts and origins, no token, many requests, half
requests, paths, large bodies; then it still answers, and Ctrl-C leaves nothing.

Usage: test_server.py PROGRAM"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

SCENE = ["plummer", "-n", "64", "--size", "64x64", "--frames", "4", "--save-scene", "mine.yaml"]

# a scene whose simulation in the background fails
LATE = """bodies: {count: 600}
output: {frames: 12, size: 64x64}
overlay:
  captions:
    - text: never
      from: pericentre 9
"""


class Server:
    def __init__(self, program, folder, arguments, **more):
        self.process = subprocess.Popen([program, "view", "--backend", "cpu", *arguments],
                                        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **more)
        address = urllib.parse.urlparse(self.process.stdout.readline().strip())
        assert address.hostname == "127.0.0.1"
        self.port, self.root = address.port, address.path

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def send(self, data):
        """All that is answered to some bytes, as one text."""
        with self.connect() as link:
            try:
                link.sendall(data)
                link.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            answer = b""
            try:
                while piece := link.recv(1 << 16):
                    answer += piece
            except OSError:
                pass
        return answer

    def ask(self, path, method="GET", body=None, host=None, more=()):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", "Connection: close", *more]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        answer = self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b""))
        return int(answer.split(b" ", 2)[1]) if answer else 0, answer.partition(b"\r\n\r\n")[2]


    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait()
        assert code == 0, f"view ended with {code}"


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder, SCENE)
        try:
            attack(server, folder)
        finally:
            server.close()
        assert os.listdir(folder) == ["mine.yaml"], os.listdir(folder)
        names_the_file(program, folder)
        marks_what_happens(program, folder)
        shows_other_inputs(program, folder)
        shows_slow_runs(program, folder)
        shows_keyframes(program, folder)
        opens_a_browser(program, folder)


def state_at_rest(server):
    """The state when the simulation has ended."""
    while (state := json.loads(server.ask(server.root + "state")[1]))["running"]:
        time.sleep(0.1)
    return state


def marks_what_happens(program, folder):
    """Moments of the run are named as --at names them, and are where it finds them."""
    scene = ["-n", "600", "--frames", "300", "--size", "64x64", "--set", "simulation.slow=[]"]
    server = Server(program, folder, scene)
    try:
        assert server.ask(server.root + "picture?frame=0&width=64&height=64")[0] == 200
        while not (events := state_at_rest(server)["events"]):
            time.sleep(0.1)
    finally:
        server.close()
    frames = {event["name"]: event["frame"] for event in events}
    assert frames["pericentre"] < frames["apocentre"], frames
    said = subprocess.run([program, "still", "--backend", "cpu", *scene, "--at", "apocentre", "-o", "far.png"], cwd=folder,
                          stderr=subprocess.PIPE, text=True, check=True).stderr
    found = int(re.search(r"far.png: frame (\d+)", said)[1])
    assert abs(frames["apocentre"] - found) <= 0.6, (frames, found)


FRAMES = ["--set", "output.frames=6"]


def shows_other_inputs(program, folder):
    """Runs, snapshots and bodies; a run of another motion is refused before anything is served."""
    def gravreel(*arguments):
        return subprocess.run([program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    plummer = ["plummer", "-n", "64", *FRAMES]
    for output, more in ("run.gvr", []), ("s_%d.hdf5", ["--every", "2"]):
        made = gravreel("simulate", "--backend", "cpu", *plummer, *more, "-o", output)
        assert made.returncode == 0, made.stderr
    inputs = ["run.gvr"], [*plummer, "--run", "run.gvr"], ["s_*.hdf5", *FRAMES], ["s_0.hdf5", *FRAMES]
    for arguments in inputs:
        server = Server(program, folder, arguments)
        try:
            assert server.ask(server.root + "picture?frame=0&width=64&height=64")[0] == 200, arguments
            state = state_at_rest(server)
            assert (state["count"], state["stage"], state["bodies"]) == (6, "full", 64), (arguments, state)
            while (answer := server.ask(server.root + "picture?frame=5&width=64&height=64&exact=1"))[0] == 202:
                time.sleep(0.1)
            assert answer[0] == 200, (arguments, answer)
            scene = json.loads(server.ask(server.root + "scene")[1])
            assert scene["name"] == arguments[0], scene["name"]
            assert ("--run run.gvr" in scene["command"]) == ("run.gvr" in arguments), scene["command"]
            code, told = server.ask(server.root + "scene", "POST", b"set=simulation.softening=0.3")
            assert code == (422 if "run.gvr" in arguments else 200), (arguments, told)
        finally:
            server.close()
    other = gravreel("view", "plummer", "-n", "65", *FRAMES, "--run", "run.gvr")
    assert other.returncode == 2 and not other.stdout and "the run was simulated with" in other.stderr, other


def shows_slow_runs(program, folder):
    """The start of a run with slow motion that stops is drawn before the run's moments are known."""
    subprocess.run([program, "simulate", "--backend", "cpu", "--quiet", "mice", "-n", "600", "--set", "output.frames=20",
                    "--set", "simulation.freeze_at=frame 15", "-o", "slow.gvr"],
                   cwd=folder, check=True)
    server = Server(program, folder, ["slow.gvr"])
    try:
        answers = [server.ask(server.root + "picture?frame=0&width=64&height=64") for _ in range(4)]
        assert all(code in (200, 202) for code, _ in answers) and answers[0][0] == 200, answers
        state_at_rest(server)
        while (answer := server.ask(server.root + "picture?frame=12&width=64&height=64&exact=1"))[0] == 202:
            time.sleep(0.1)
        assert answer[0] == 200, answer
    finally:
        server.close()


def shows_keyframes(program, folder):
    """A picture at a keyframe is that of its values, also before anything has been simulated."""
    def pictures(*settings):
        server = Server(program, folder, ["plummer", "-n", "64", *FRAMES, "--set", "look.exposure=1", "--set", "look.shutter=0",
                                          *(word for setting in settings for word in ("--set", setting))])
        try:
            found = [server.ask(server.root + "picture?frame=0&width=64&height=64")]
            state_at_rest(server)
            for frame in 0, 5:
                while (answer := server.ask(server.root + f"picture?frame={frame}&width=64&height=64&exact=1"))[0] == 202:
                    time.sleep(0.1)
                found.append(answer)
        finally:
            server.close()
        assert [code for code, _ in found] == [200] * 3, found
        return [picture for _, picture in found]
    keyed = pictures("camera.distance=20", "camera.zoom=[{at: start, value: 2}, {at: frame 5, value: 4}]",
                     "camera.orbit=[{at: start, value: 30}, {at: frame 5, value: 90}]")
    first = pictures("camera.distance=10", "camera.zoom=1", "camera.orbit=0", "camera.azimuth=30")
    last = pictures("camera.distance=5", "camera.zoom=1", "camera.orbit=0", "camera.azimuth=90")
    assert keyed == [first[0], first[1], last[2]], [len(picture) for picture in (*keyed, *first, *last)]


def opens_a_browser(program, folder):
    """The browser gets a file that only its owner can read and that leads to the address; it is removed in the end."""
    tools, opened = os.path.join(folder, "tools"), os.path.join(folder, "opened")
    os.mkdir(tools)
    with open(os.path.join(tools, "xdg-open"), "w") as file:
        file.write(f"#!/bin/sh\n{{ stat -c %a \"$1\"; echo \"$1\"; cat \"$1\"; }} > {opened}.part && mv {opened}.part {opened}\n")
    os.chmod(os.path.join(tools, "xdg-open"), 0o755)
    server = Server(program, folder, [*SCENE, "-y", "--open"],
                    env={**os.environ, "PATH": tools + ":" + os.environ["PATH"], "XDG_RUNTIME_DIR": folder})
    try:
        while not os.path.exists(opened):
            time.sleep(0.1)
        with open(opened) as file:
            mode, path, page = file.read().split("\n", 2)
        assert mode == "600" and f"http://127.0.0.1:{server.port}{server.root}" in page, (mode, page)
    finally:
        server.close()
    assert not os.path.exists(path)


def names_the_file(program, folder):
    """What fails in the background names the file of the command line, and its line."""
    with open(os.path.join(folder, "late.yaml"), "w") as file:
        file.write(LATE)
    server = Server(program, folder, ["late.yaml"])
    try:
        assert server.ask(server.root + "picture?frame=0&width=64&height=64")[0] == 200
        state = state_at_rest(server)
        assert state["error"].startswith("late.yaml:6: overlay.captions[1].from: there is no pericentre 9"), state
    finally:
        server.close()


def listens_on_the_loopback_alone(server):
    mine = f"{server.port:04X}"
    found = []
    for name in "tcp", "tcp6":
        try:
            with open(f"/proc/net/{name}") as file:
                found += [line.split()[1] for line in file if line.split()[3] == "0A"]
        except OSError:
            pass
    addresses = [one.split(":")[0] for one in found if one.endswith(":" + mine)]
    assert addresses == ["0100007F"], addresses


def attack(server, folder):
    root, own = server.root, f"127.0.0.1:{server.port}"
    listens_on_the_loopback_alone(server)
    code, page = server.ask(root)
    assert code == 200 and b"page.js" in page and root.encode().strip(b"/") not in page
    code, told = server.ask(root + "keys")
    assert code == 200 and json.loads(told)["sections"]

    # no token, a wrong one, other hosts, other origins
    for path in "/", "/keys", "/page.js", "/" + "0" * 32 + "/", root[:-2] + "/", root.upper(), "//" + root:
        assert server.ask(path)[0] == 403, path
    for host in "evil.example", "127.0.0.1.evil.example:80", f"evil.example:{server.port}", "0.0.0.0", "":
        assert server.ask(root, host=host or " ")[0] in (400, 403), host
    for origin in "http://evil.example", "null", f"https://{own}", "http://127.0.0.1:1":
        assert server.ask(root + "scene", "POST", b"", more=[f"Origin: {origin}"])[0] == 403, origin
    assert server.ask(root + "scene", more=["Sec-Fetch-Site: cross-site"])[0] == 403
    assert server.ask(root + "scene", "POST", b"", more=[f"Origin: http://{own}"])[0] == 200

    # paths and methods
    for path in "../keys", "../../etc/passwd", "%2e%2e/keys", "page.js/..", "keys%00", "keys/", "x" * 4000:
        assert server.ask(root + path)[0] in (400, 403, 404, 414), path
    for method in "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "X" * 100:
        assert server.ask(root + "scene", method)[0] in (400, 403, 405, 501), method
    assert server.ask(root + "save")[0] == 405

    # nothing that names a file
    for key in "bodies.file", "output.audio":
        assert server.ask(root + "scene", "POST", f"set={key}=/etc/passwd".encode())[0] == 422
    assert server.ask(root + "save", "POST", b"path=/tmp/other.yaml")[0] == 422
    assert server.ask(root + "render", "POST", b"")[0] == 422  # no -o was given

    # bodies: too large, of another length than said, without one, no form
    assert server.ask(root + "scene", "POST", b"x" * 200000)[0] in (0, 413)
    head = f"POST {root}scene HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n"
    assert b" 413 " in server.send((head + "Content-Length: 99999999999\r\n\r\n").encode())
    assert b" 411 " in server.send((head + "\r\n").encode())
    assert b" 200 " not in server.send((head + "Transfer-Encoding: chunked\r\n\r\n" + "ffff\r\n").encode() + b"x" * 65535)
    assert server.ask(root + "scene", "POST", b"\x00\xff=%")[0] == 422
    assert server.ask(root + "scene", "POST", b"set=camera.azimuth=x")[0] == 422

    # half requests: all connections are taken, and the server outlives them
    half = [server.connect() for _ in range(40)]
    for link in half:
        try:
            link.sendall(f"GET {root}".encode())
        except OSError:
            pass
    for link in half:
        link.close()
    server.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(200))
    server.send(b"GET / HTTP/1.1\r\n" + b"A: " + b"b" * 100000 + b"\r\n\r\n")

    # 10,000 requests on a few connections, with and without the token
    codes = {}
    lock = threading.Lock()

    def many(path, count, at_once):
        request = f"GET {path} HTTP/1.1\r\nHost: {own}\r\n\r\n".encode() * at_once
        for _ in range(count // at_once):
            with server.connect() as link:
                link.sendall(request[:-2] + b"Connection: close\r\n\r\n")
                answer = b""
                try:
                    while piece := link.recv(1 << 16):
                        answer += piece
                except OSError:
                    pass
            with lock:
                for code in re.findall(rb"HTTP/1.1 (\d+)", answer):
                    codes[code] = codes.get(code, 0) + 1

    # a refusal ends its connection
    threads = [threading.Thread(target=many, args=(path, 2500, 25 if path == root + "state" else 1))
               for path in ("/", root + "nothing", root + "state", "/" + "0" * 32 + "/picture")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print({code.decode(): count for code, count in sorted(codes.items())})
    assert set(codes) <= {b"200", b"403", b"404", b"429", b"503"} and (codes[b"403"], codes[b"404"]) == (5000, 2500), codes

    # it answers as before
    while True:
        code, picture = server.ask(root + "picture?frame=0&width=64&height=64")
        if code != 429:
            break
    assert code == 200 and picture[:2] == b"\xff\xd8", code
    code, told = server.ask(root + "save", "POST", b"set=camera.azimuth=12")
    assert code == 200, told
    with open(os.path.join(folder, "mine.yaml")) as file:
        assert "azimuth: 12" in file.read()


main()
