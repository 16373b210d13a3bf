# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Builds of the copy that scripts/mutate breaks, and the tests in them: one as it is, one that
counts which lines run, and some with sanitizers."""
import collections
import json
import os
import resource
import shutil
import signal
import subprocess
import time

LABELS = "unit;privilege;oracle;faults;simulation;docs"
TESTS = (r"^(unit|async|capture|discover|discovery|engine|monitor|privilege|faults)\."
         r"|^conformance\.(golden|wire)$|^simulation\.(seeds|recorded|races)$|^docs\.facts$")
# The labels of tests whose reports by TSan are wrong.
NOT_THREADED = "^(forks|cancels)$"
# Tests that need a simulated fabric, or are about more than the libraries.
NOT_TESTS = (r"^(engine\.(rmpp-shim|example|tutorial)"
             r"|monitor\.(untouched|test-sockets)|privilege\.environment"
             r"|capture\.tshark-.*|faults\.(functions|calls))$")
MEMORY = 1 << 30  # bytes of data, for what a broken library allocates without end
MAPPED = {"simulation.races": 8 << 30}  # bytes; the test maps much and touches little of it
SLOW_SECONDS = 120  # of processor time; a test that takes more has to be one of NOT_TESTS
SANITIZED_SLOW_SECONDS = 360  # of a test with a sanitizer
PATIENCE = 10  # the first run may take PATIENCE times that in real time, on a busy machine
SKIPPED = 77
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1:verify_asan_link_order=0:allocator_may_return_null=1",
              "TSAN_OPTIONS": "allocator_may_return_null=1"}

# seconds: of real time, for the limits of later runs; processor: seconds of processor time
Test = collections.namedtuple("Test", "name command targets seconds processor environment")


def processor_time():
    """Seconds that all children which have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, seconds, folder, environment=None, data=MEMORY):
    """The status of a command, or None when it took too long and was stopped."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if data:
            resource.setrlimit(resource.RLIMIT_DATA, (data, data))
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))

    # A session of its own: whatever it starts is stopped with it.
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, **(environment or {})},
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True,
                               preexec_fn=limit)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


class Build:
    """A build folder and the tests that pass in it while nothing is broken."""

    def __init__(self, source, folder, flags="", sanitize=""):
        self.folder = folder
        self.sanitized, self.settings = bool(sanitize), SANITIZERS if sanitize else {}
        self.not_labels = NOT_THREADED if sanitize == "thread" else "^$"
        flags = "-O0 -w " + flags + (" -fuse-ld=gold" if shutil.which("ld.gold") else "")
        subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={flags}",
                        "-DIBMAD_LTO=OFF", f"-DIBMAD_SANITIZE={sanitize}",
                        "-DBUILD_TESTING=ON", f"-DIBMAD_TEST_LABELS={LABELS}"],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", folder, "-j2"], check=True, stdout=subprocess.DEVNULL)
        self.tests = []

    def ninja(self, *targets):
        return run(["ninja", "-j1", *targets], 300, self.folder) == 0

    def show(self, test, seconds):
        """The status of a test, None when it took too long."""
        # The shadow memory of the sanitizers is data without end.
        data = None if self.sanitized else MAPPED.get(test.name, MEMORY)
        return run(test.command, seconds, self.folder, {**self.settings, **test.environment}, data)

    def find_tests(self, names=None):
        """Finds the tests (of these names). Those that are skipped are named; returns those that
        fail or take too much processor time, whose loss would change what a run finds."""
        listing = json.loads(subprocess.run(
            ["ctest", "--show-only=json-v1", "-R", TESTS, "-E", NOT_TESTS, "-LE", self.not_labels],
            cwd=self.folder, check=True, capture_output=True, text=True).stdout)
        lost, slow = [], SANITIZED_SLOW_SECONDS if self.sanitized else SLOW_SECONDS
        for entry in listing["tests"]:
            if names is not None and entry["name"] not in names:
                continue
            test = self.test_of(entry)
            before, used = time.monotonic(), processor_time()
            status = self.show(test, PATIENCE * slow)
            test = test._replace(seconds=time.monotonic() - before,
                                 processor=processor_time() - used)
            if status == 0 and test.processor <= slow:
                self.tests.append(test)
            else:
                print(f"not used: {test.name}, status {status}, "
                      f"{test.processor:.1f} s of processor time in {test.seconds:.1f} s")
                lost += [test.name] if status != SKIPPED else []
        seconds = sum(test.processor for test in self.tests)
        print(f"{len(self.tests)} test programs, {seconds:.1f} s of processor time in all")
        return lost

    def test_of(self, entry):
        """A test as ctest lists it, with what it sets for it and the targets that it runs."""
        values = [value for setting in entry["properties"] if setting["name"] == "ENVIRONMENT"
                  for value in setting["value"]]
        wanted = dict(value.split("=", 1) for value in values)
        words = entry["command"] + [word for value in wanted.values() for word in value.split(":")]
        built = [os.path.relpath(word, self.folder) for word in words
                 if word.startswith(self.folder + "/")]
        return Test(entry["name"], entry["command"], built, 0, 0, wanted)

    def notices(self, test):
        """Whether a test fails. One that waits for time to pass has to fail twice."""
        if not self.ninja(*test.targets):
            return True
        limit = 3 + 5 * test.seconds
        status = self.show(test, limit)
        if status != 0 and (status is None or test.seconds > 0.3):
            status = self.show(test, 2 * limit)
        return status != 0
