"""Starts the real program in a folder of its own, on a free port, with a fixed clock; stops it at the end."""
import os, re, shutil, signal, socket, subprocess, tempfile, threading, time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    def __init__(self, binary, clock, **environment):
        self.data = tempfile.mkdtemp(prefix="stepwell-browser-")
        self.port = free_port()
        self.address = f"https://localhost:{self.port}"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("STEPWELL_")},
            "STEPWELL_DATA": self.data, "STEPWELL_PORT": str(self.port), "STEPWELL_LISTEN": "127.0.0.1",
            "STEPWELL_BASE_URL": self.address, "STEPWELL_DEVELOPMENT": "1", "STEPWELL_CLOCK": clock,
            "STEPWELL_RESOURCES": ROOT, **environment}
        self.binary, self.lines, self.process = binary, [], None

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.binary, "serve"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.wait_for(r"^Ready\b")
        return self

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def wait_for(self, pattern, seconds=90):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in list(self.lines):
                found = re.search(pattern, line)
                if found:
                    return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"no line like {pattern!r} from the server:\n" + "\n".join(self.lines[-40:]))

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.data, ignore_errors=True)
