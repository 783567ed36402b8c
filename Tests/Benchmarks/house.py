"""A Stepwell of its own for a bench: data in a temporary folder, free port, embedded PostgreSQL, ended at the end."""
import http.client, os, re, shutil, signal, ssl, subprocess, tempfile, time, urllib.parse
import measure

TLS = ssl.create_default_context()
TLS.check_hostname = False
TLS.verify_mode = ssl.CERT_NONE  # the certificate is one that the program made for itself


class House:
    def __init__(self, seeded, **settings):
        self.data = tempfile.mkdtemp(prefix="stepwell-bench-")
        self.seeds = ""
        self.start(["--seed"] if seeded else [], settings)
        self.seeds = self.text()

    def start(self, arguments, settings):
        """`settings`: of stepwell.conf, by their names"""
        self.log = open(os.path.join(self.data, "server.log"), "w+")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STEPWELL_")}
        environment.update(STEPWELL_DEVELOPMENT="1", STEPWELL_DATA=self.data + "/house", STEPWELL_PORT="0",
                           STEPWELL_LISTEN="::", STEPWELL_RESOURCES=measure.ROOT)
        environment.update({f"STEPWELL_{name.upper()}": str(value) for name, value in settings.items()})
        program = os.path.join(measure.ROOT, ".build/release/stepwell")
        self.process = measure.pinned(measure.SERVER_CPU, [program, "serve", *arguments], env=environment,
                                      stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)
        self.port = self.wait_until_ready(600 if arguments else 120)
        self.database = self.find_postmaster()

    def reopen(self, **settings):
        """Ends the server and starts it again on the same data"""
        self.stop()
        self.start([], settings)

    def text(self):
        return open(self.log.name).read()

    def wait_until_ready(self, seconds):
        deadline = time.time() + seconds
        while time.time() < deadline:
            found = re.search(r"Ready at https://[^:\s]+:(\d+)", self.text())
            if found:
                return int(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        text = self.text()
        self.close()
        raise SystemExit("Stepwell did not become ready:\n" + text[-2000:])

    def find_postmaster(self):
        for folder, _, files in os.walk(self.data):
            if "postmaster.pid" in files:
                return int(open(os.path.join(folder, "postmaster.pid")).readline())
        raise SystemExit("no postmaster.pid in the data folder")

    @property
    def set_up_code(self):
        return re.search(r"Set-up code: (\S+)", self.text()).group(1)

    def password(self, login):
        """As printed with the seeds."""
        line = next((l for l in self.seeds.splitlines() if l.strip().startswith(login)), None)
        if line is None:
            raise SystemExit(f"{login} is not among the seeds:\n" + self.seeds[-1500:])
        return re.split(r"\s{2,}", line.strip())[1]

    def server_cpu(self):
        return measure.tree(self.process.pid, without={self.database})

    def database_cpu(self):
        return measure.tree(self.database)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.log.close()

    def close(self):
        self.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            print(f"The server said (ended: {self.process.poll()}):\n{self.text()[-3000:]}", flush=True)
        self.close()


class Visitor:
    """A browser without a screen: keeps the cookies, sends forms with their token."""

    def __init__(self, port):
        self.port, self.cookies = port, {}

    def ask(self, method, path, body=None, fields=None):
        connection = http.client.HTTPSConnection("localhost", self.port, context=TLS, timeout=600)
        sent = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html", **(fields or {})}
        if method == "POST":
            sent["Origin"] = f"https://localhost:{self.port}"
        if self.cookies:
            sent["Cookie"] = self.cookie
        connection.request(method, path, body=body, headers=sent)
        answer = connection.getresponse()
        answer.text = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        connection.close()
        return answer

    @property
    def cookie(self):
        return "; ".join(f"{n}={v}" for n, v in self.cookies.items())

    def token(self, page):
        found = re.search(r'name="form" value="([^"]*)"', self.ask("GET", page).text.decode())
        return found.group(1) if found else ""

    def post(self, path, pairs, page=None):
        pairs = [("form", self.token(page or path)), *pairs]
        return self.ask("POST", path, urllib.parse.urlencode(pairs),
                        {"Content-Type": "application/x-www-form-urlencoded"})

    def sign_in(self, login, password):
        answer = self.post("/sign-in", [("email", login), ("password", password)])
        if answer.status != 303:
            raise SystemExit(f"{login} could not sign in: {answer.status}")

    def upload(self, file):
        """Streams the file; gives the address of the import."""
        token, boundary = self.token("/imports"), "bench-boundary-4f1d"
        head = (f'--{boundary}\r\nContent-Disposition: form-data; name="form"\r\n\r\n{token}\r\n--{boundary}\r\n'
                f'Content-Disposition: form-data; name="file"; filename="export.xml"\r\n'
                f'Content-Type: application/octet-stream\r\n\r\n').encode()
        tail = f"\r\n--{boundary}--\r\n".encode()

        def pieces():
            yield head
            with open(file, "rb") as source:
                while piece := source.read(1 << 18):
                    yield piece
            yield tail

        answer = self.ask("POST", "/imports", pieces(), {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(head) + os.path.getsize(file) + len(tail))})
        if answer.status != 303:
            raise SystemExit(f"the upload was not taken: {answer.status} {answer.text[:500]}")
        return answer.headers["Location"]
