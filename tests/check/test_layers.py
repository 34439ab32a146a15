#!/usr/bin/env python3
"""What tools/check_includes.py refuses.

    test_layers.py ROOT BUILD CC NM

Each test takes the tree and the objects of a build, which pass, adds one thing that a rule forbids,
and looks for its line in what the check prints.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD, CC, NM = sys.argv[1:]
ROOT, BUILD = pathlib.Path(ROOT), pathlib.Path(BUILD)
CHECK = ROOT / "tools" / "check_includes.py"


def link(source, target):
    if str(source).endswith(".o"):
        os.symlink(source, target)


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.room.name)
        cls.build = cls.root / "build"
        for folder in ("src", "include", "examples", "frontends"):
            shutil.copytree(ROOT / folder, cls.root / folder)
        library = [BUILD / "CMakeFiles" / f"penstock_{part}.dir" for part in ("static", "kernels")]
        for folder in (*library, *BUILD.glob("frontends/*/CMakeFiles/*.dir")):
            shutil.copytree(folder, cls.build / folder.relative_to(BUILD), copy_function=link)

    @classmethod
    def tearDownClass(cls):
        cls.room.cleanup()

    def run_check(self, *options):
        command = [sys.executable, CHECK, "--nm", NM, *options, self.root]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return run.returncode, run.stdout

    def assert_refused(self, line, *options):
        code, output = self.run_check(*options)
        self.assertIn(f"{line}\n", output)
        self.assertIn(", 1 problems\n", output)
        self.assertEqual(code, 1)

    def add(self, name, text):
        """Appends to a file, or makes one, until the end of the test."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text() if path.exists() else None
        path.write_text((before or "") + text)
        self.addCleanup(path.unlink if before is None else lambda: path.write_text(before))

    def assert_include_refused(self, path, name, text):
        self.add(path, f"\n#include {name}\n")
        number = len((self.root / path).read_text().splitlines())
        plain = name.strip('<">')
        self.assert_refused(f'{path}:{number}: "{plain}": {text}')

    def assert_use_refused(self, source, name, text, home=".", target="penstock_static"):
        """Of a new source file and its object, which belong to a target of the folder `home`."""
        self.add(source, f"extern int {name}; int *ps__probe(void) {{ return &{name}; }}\n")
        inside = pathlib.Path(source).relative_to(home)
        made = self.build / home / "CMakeFiles" / f"{target}.dir" / f"{inside}.o"
        made.parent.mkdir(parents=True, exist_ok=True)
        self.addCleanup(made.unlink)
        subprocess.run([CC, "-c", "-o", made, self.root / source], check=True)
        self.assert_refused(f"{source}:1: {name}: {text}", "--objects", self.build)

    # ---- the tree as it is -------------------------------------------------------------------

    def test_the_tree_passes(self):
        code, output = self.run_check("--objects", self.build)
        self.assertIn(" objects, 0 problems\n", output)
        self.assertEqual(code, 0)

    # ---- includes ----------------------------------------------------------------------------

    def test_a_later_layer(self):
        self.assert_include_refused("src/engine/var.c", '"tensor/tensor.h"',
                                    "engine may not include tensor")

    def test_a_later_layer_in_angles(self):
        self.assert_include_refused("src/engine/var.c", "<tensor/tensor.h>",
                                    "engine may not include tensor")

    def test_a_path_from_elsewhere(self):
        self.assert_include_refused("src/engine/var.c", '"internal.h"',
                                    "write it from the root of src")

    def test_a_folder_that_is_no_layer(self):
        self.add("src/extra/extra.c", "")
        self.assert_refused("src/extra/extra.c:1: this folder is no layer: give it a line in LAYERS "
                            "(tools/check_includes.py)")

    def test_a_device_from_a_layer(self):
        self.assert_include_refused("src/tensor/place.c", '"device/null/null.h"',
                                    "only device/null/ and device/registry.c may include it")

    def test_a_device_from_another(self):
        self.assert_include_refused("src/device/late/late.c", '"device/null/null.h"',
                                    "only device/null/ and device/registry.c may include it")

    def test_a_device_sees_no_tensors(self):
        self.assert_include_refused("src/device/null/backend.c", '"tensor/tensor.h"',
                                    "device may not include tensor")

    def test_what_all_devices_share_sees_no_backend(self):
        self.assert_include_refused("src/device/registry.c", '"backend/backend.h"',
                                    "device may not include backend")

    def test_the_backend_of_the_cpu(self):
        self.assert_include_refused("src/ops/copy.c", '"backend/cpu/cpu.h"',
                                    "only backend/cpu/ may include it")

    def test_an_example(self):
        self.assert_include_refused("examples/c/extra.c", '"tensor/tensor.h"',
                                    "only penstock.h is seen from here")

    def test_a_frontend(self):
        for name in ('"tensor/tensor.h"', "<tensor/tensor.h>", '"../../../src/tensor/tensor.h"'):
            with self.subTest(name):
                self.assert_include_refused("frontends/python/src/extra.c", name,
                                            "a frontend sees penstock.h, penstock_ops.h and its own "
                                            "files")
                self.doCleanups()

    def test_another_door(self):
        self.add("src/tensor/tensor.c", "\nvoid *ps__extra(void) { return ps__storage_retain; }\n")
        self.assert_refused("src/tensor/tensor.c:1: ps__storage_retain: 1 times, not 0: see DOORS")

    # ---- symbols -----------------------------------------------------------------------------

    def test_use_of_a_later_layer(self):
        self.assert_use_refused("src/engine/extra.c", "ps__host_begin",
                                "engine may not use tensor (tensor/host.c)")

    def test_use_of_a_public_call_of_a_later_layer(self):
        self.assert_use_refused("src/engine/extra.c", "ps_tensor_wait",
                                "engine may not use tensor (tensor/tensor.c)")

    def test_use_of_what_a_layer_above_defines_from_below(self):
        self.assert_use_refused("src/engine/extra.c", "ps__tensor_grouping",
                                "engine may not use tensor (fuse/fuse.c)")

    def test_use_of_the_inside_of_a_backend(self):
        self.assert_use_refused("src/ops/extra.c", "ps__split",
                                "no header outside of backend/cpu/ declares it "
                                "(backend/cpu/split.c)")

    def test_use_of_the_inside_from_a_frontend(self):
        self.assert_use_refused("frontends/python/src/extra.c", "ps__host_begin",
                                "penstock.h does not declare it",
                                home="frontends/python", target="penstock_core")

    def test_a_hook_that_nobody_defines(self):
        self.add("src/tensor/above.h", "\nvoid ps__extra(void);\n")
        self.assert_refused("src/tensor/above.h:1: ps__extra: nothing defines it",
                            "--objects", self.build)

    def test_a_hook_that_is_none(self):
        self.add("src/tensor/above.h", "\nvoid ps__host_end(void);\n")
        self.assert_refused("src/tensor/above.h:1: ps__host_end: tensor/host.c is no layer above: "
                            "declare it with its noun", "--objects", self.build)

    def test_a_build_that_is_not_there(self):
        code, output = self.run_check("--objects", self.root / "nothing")
        self.assertIn(": build penstock_static\n", output)
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
