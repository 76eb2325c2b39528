"""Opens JupyterLab on the first notebook, or with --check starts it, asks it over HTTP and stops it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import environment
import frontend

NOTEBOOK = frontend.ROOT / "notebooks" / "01-prior-knowledge.ipynb"
START_LIMIT = 90.0
CONFIG = 'id="jupyter-config-data"'


def server_command(*options: str) -> list[str]:
    """The command that starts JupyterLab in the environment."""
    command = [str(environment.PYTHON), "-m", "jupyterlab", *options]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # As root, in a container say, JupyterLab starts only when it is told to.
        command.append("--allow-root")
    return command


def open_lab() -> int:
    """Hand over to JupyterLab; it runs until the user stops it."""
    environment.say(f"JupyterLab: opening {NOTEBOOK.relative_to(frontend.ROOT)} (stop with Ctrl+C).")
    try:
        return subprocess.run(
            [*server_command(), str(NOTEBOOK)], cwd=frontend.ROOT, env=environment.environ()
        ).returncode
    except KeyboardInterrupt:
        return 0


class CheckError(RuntimeError):
    """The server does not do what it should; the message says what."""


class Server:
    """A JupyterLab server of its own on a free port, with empty settings, stopped at the end."""

    def __init__(self, folder: Path) -> None:
        self.runtime = folder / "runtime"
        self.log = folder / "server.log"
        self.runtime.mkdir()
        env = environment.environ()
        env |= {"JUPYTER_RUNTIME_DIR": str(self.runtime), "JUPYTER_CONFIG_DIR": str(folder / "config")}
        command = server_command(
            "--no-browser", "--ServerApp.port=0", f"--ServerApp.root_dir={NOTEBOOK.parent}"
        )
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=folder, env=env, stdout=log, stderr=subprocess.STDOUT
            )
        self.url = self.token = ""
        # A proxy set for the outside must not be asked for a server on this machine.
        self.direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def wait(self) -> None:
        """Wait until the server has said where it listens and answers there."""
        end = time.monotonic() + START_LIMIT
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise CheckError(f"JupyterLab ended at once:\n{self.log.read_text()}")
            for file in self.runtime.glob("jpserver-*.json"):
                try:
                    about = json.loads(file.read_text())
                    self.url, self.token = about["url"], about["token"]
                    self.get("api/status")
                    return
                except (json.JSONDecodeError, urllib.error.URLError):
                    pass  # The file is being written, or the port does not answer yet.
            time.sleep(0.1)
        raise CheckError(f"JupyterLab did not answer within {START_LIMIT:.0f} s:\n{self.log.read_text()}")

    def get(self, path: str) -> bytes:
        """The body of an answer with status 200; anything else raises."""
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"token {self.token}"})
        with self.direct.open(request, timeout=30) as answer:
            body: bytes = answer.read()
        return body

    def stop(self) -> None:
        """End the server that was started here, and only that one."""
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def expect(found: bool, what: str) -> None:
    """One line per thing that was asked for."""
    if not found:
        raise CheckError(f"JupyterLab runs, but {what} is missing from its answer.")
    environment.say(f"  ok  {what}")


def page_settings(page: str) -> dict[str, object]:
    """The settings that JupyterLab's page carries for its scripts."""
    start = page.index(">", page.index(CONFIG)) + 1
    settings: dict[str, object] = json.loads(page[start : page.index("</script>", start)])
    return settings


def check() -> int:
    """Start JupyterLab, ask for the page, the notebook and the extension, stop it."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pdp-lab-") as folder:
        server = Server(Path(folder))
        try:
            server.wait()
            environment.say(f"JupyterLab: answers on {server.url}")
            page = server.get("lab").decode()
            expect(CONFIG in page, "the page")
            settings = page_settings(page)
            notebook = json.loads(server.get(f"api/contents/{NOTEBOOK.name}"))
            expect(bool(notebook["content"]["cells"]), f"the notebook {NOTEBOOK.name}")
            extensions = settings.get("federated_extensions")
            ours = (
                [e for e in extensions if e["name"] == "pdp-widgets"] if isinstance(extensions, list) else []
            )
            expect(len(ours) == 1, "the extension pdp-widgets")
            script = server.get(f"lab/extensions/pdp-widgets/{ours[0]['load']}")
            expect(b"pdp-widgets" in script, "the extension's script")
            kernels = json.loads(server.get("api/kernelspecs"))["kernelspecs"]
            expect("python3" in kernels, "the Python kernel")
        except (CheckError, urllib.error.URLError) as error:
            print(f"\n{error}", file=sys.stderr)
            return 1
        finally:
            server.stop()
    environment.say(f"JupyterLab: started, answered and stopped in {time.monotonic() - begin:.1f} s.")
    return 0


def main(arguments: list[str]) -> int:
    """Make the environment, then open or check."""
    status = environment.main(["lab"])
    if status:
        return status
    return check() if "--check" in arguments else open_lab()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
