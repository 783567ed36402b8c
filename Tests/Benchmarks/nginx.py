"""nginx (Debian's nginx-light) as the yardstick: one worker, the same pages as static files, the same certificate, TLS 1.3."""
import os, shutil, socket, subprocess, tempfile, time
import measure

FIELDS = """add_header Cache-Control "private, no-cache"; add_header X-Content-Type-Options nosniff;
  add_header Content-Security-Policy "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
  add_header Referrer-Policy same-origin; add_header Cross-Origin-Opener-Policy same-origin;
  add_header Cross-Origin-Resource-Policy same-origin; add_header Permissions-Policy "camera=(), geolocation=(), microphone=()";"""


class Nginx:
    def __init__(self, certificate, key):
        self.folder = tempfile.mkdtemp(prefix="stepwell-nginx-")
        os.chmod(self.folder, 0o755)
        os.makedirs(self.folder + "/www")
        shutil.copy(certificate, self.folder + "/chain.pem")
        shutil.copy(key, self.folder + "/key.pem")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        f = self.folder
        temporary = " ".join(f"{kind}_temp_path {f}/{kind};" for kind in
                             ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        user = "user www-data;" if os.geteuid() == 0 else ""
        open(f + "/nginx.conf", "w").write(f"""daemon off; worker_processes 1; pid {f}/pid; error_log {f}/error.log; {user}
worker_rlimit_nofile 4096;
events {{ worker_connections 1024; }}
http {{ access_log off; keepalive_requests 100000000; keepalive_timeout 300s; sendfile on; tcp_nopush on;
 types {{ text/html html; }} open_file_cache max=100; {temporary}
 gzip on; gzip_comp_level 1; gzip_min_length 4096;
 server {{ listen 127.0.0.1:{self.port} ssl; ssl_certificate {f}/chain.pem; ssl_certificate_key {f}/key.pem;
  ssl_protocols TLSv1.2 TLSv1.3; root {f}/www; {FIELDS} }} }}
""")
        self.process = measure.pinned(measure.SERVER_CPU, ["nginx", "-c", f + "/nginx.conf", "-p", f, "-e", f + "/error.log"])
        self.wait()

    def wait(self):
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        text = open(self.folder + "/error.log").read()
        self.close()
        raise SystemExit("nginx did not start: " + text)

    def put(self, name, body):
        with open(f"{self.folder}/www/{name}.html", "wb") as file:
            file.write(body)

    def cpu(self):
        return measure.tree(self.process.pid)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
