"""A numba pipeline that makes machine code of entry points only, and its cache.

By default numba optimises every function together with all that it calls and turns each into
machine code, though only the entry points are ever called from Python. Here a kernel stays LLVM
IR, and an entry links, optimises and emits all that it reaches once: a cold compile takes 40 s of
CPU time instead of 69, at the same speed in play (2 cores, numba 0.68.1).

The only file that uses numba's internals, and jit.py the only one that imports it: for the numba
versions listed there. tests/core/test_jit.py covers what it relies on.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import (
    caching,
    codegen,
    compiler,
    compiler_machinery,
    typed_passes,
    untyped_passes,
)
from numba.core.runtime import rtsys


class NoEnvironment:
    """A code generator that does not look up environments: kernels have no addresses."""

    def __init__(self, real: Any) -> None:
        self.real = real

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: compiled code of the core never falls back to objects."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


class KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The IR of one kernel, to be linked into entries; never machine code of its own."""

    @property
    def codegen(self) -> Any:
        """The code generator, without environments."""
        return NoEnvironment(self._codegen)

    def _optimize_functions(self, module: Any) -> None:
        """Nothing: the whole is optimised once."""
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """No linking, no optimising, no machine code."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is nothing to call from Python."""
        return 0

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            for function in self._final_module.functions:
                external = function.linkage == codegen.ll.Linkage.external
                if external and not function.is_declaration:
                    function.linkage = "linkonce_odr"  # many entries may link it
            self._shared_module = self._final_module
        return self._shared_module


class EntryLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The machine code of one or several entries and of every kernel that they reach.

    public: names of the functions that Python calls; None: all that are not shared.
    """

    public: frozenset[str] | None = None

    def finalize(self) -> None:
        """Link the kernels reached by way of kernels too, then go on as numba does."""
        reached: dict[int, Any] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if id(library) not in reached:
                reached[id(library)] = library
                if isinstance(library, KernelLibrary):
                    waiting.extend(library._linking_libraries)
        self._linking_libraries = list(reached.values())
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise with all kernels private, which frees LLVM to reshape them."""
        for function in self._final_module.functions:
            shared = function.linkage == codegen.ll.Linkage.linkonce_odr
            hidden = self.public is not None and function.name not in self.public
            if shared or (hidden and not function.is_declaration):
                function.linkage = "internal"
        super()._optimize_final_module()


# Passes for what no function of the core contains
SPARED = (
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.DumpParforDiagnostics,
)


class Arguments(tuple[Any, ...]):
    """Argument types that do not spell out every field of every record at each of 28 passes."""

    def __str__(self) -> str:
        return f"{len(self)} arguments"


def _pipeline(library: type[codegen.JITCodeLibrary]) -> type[compiler.CompilerBase]:
    """The nopython pipeline of numba, its code going into a library of the given kind."""

    @compiler_machinery.register_pass(mutates_CFG=False, analysis_only=True)
    class ChooseLibrary(compiler_machinery.AnalysisPass):  # type: ignore[misc]
        """Set the library before numba makes its own."""

        _name = f"choose_{library.__name__}"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return False

    class Pipeline(compiler.CompilerBase):  # type: ignore[misc]
        """The nopython pipeline with ChooseLibrary in it."""

        def define_pipelines(self) -> list[Any]:
            self.state.args = Arguments(self.state.args)
            passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.passes = [chosen for chosen in passes.passes if chosen[0] not in SPARED]
            passes.add_pass_after(ChooseLibrary, typed_passes.AnnotateTypes)
            passes.finalize()
            return [passes]

    return Pipeline


# ---- machine code on disk ----------------------------------------------------------------------
class SealedFile(caching.IndexDataCacheFile):  # type: ignore[misc]
    """Index and data, each with a hash in front: what is damaged counts as not there."""

    def _load_index(self) -> Any:
        stamp, overloads = self._read(self._index_path) or (None, {})
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: Any) -> None:
        self._write(self._index_path, (self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        """What `_write` wrote, or None."""
        try:
            with open(path, "rb") as file:
                mark, content = file.read(32), file.read()
        except OSError:
            return None
        return pickle.loads(content) if mark == self._mark(path, content) else None

    def _write(self, path: str, value: Any) -> None:
        content = self._dump(value)
        with self._open_for_write(path) as file:
            file.write(self._mark(path, content) + content)

    def _mark(self, path: str, content: bytes) -> bytes:
        """32 bytes that change with the content, where it lies, and the source it is made from."""
        told = repr((numba.__version__, os.path.basename(path), self._source_stamp))
        return hashlib.sha256(told.encode() + content).digest()


# The processor for which wheels have finished code: of 2013 and later (`make package`)
COMMON = "x86-64-v3"
COMMON_FEATURES = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
SHIPPED = Path(__file__).resolve().parents[1] / "compiled"


class Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder that is asked for and no other, whether or not it can be written to."""

    @classmethod
    def from_function(cls, function: Any, file: str) -> Any:
        """The place of a function's files."""
        return cls(function, file)


class EntryCacheFiles(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Where numba keeps what it has compiled."""

    _locator_classes = (Locator,)


class Unit:
    """Entries that are linked, optimised and emitted as one module, and kept in one file.

    One by one, LLVM would optimise the rules again for every entry: all 22 of Agemonia took 253 s
    of CPU time, together they take 110 (2 cores, numba 0.68.1). The file is found by content: its
    folder is named after the sources and versions, it after the processor.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        sources: str,
        report: Callable[[str, float | None], None],
        not_kept: Callable[[Any, Exception], None],
    ) -> None:
        """sources: hash of those that do not name the folder."""
        self._name, self._folder, self._sources = name, folder, sources
        self._report, self._not_kept = report, not_kept
        self._members: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
        self._results: dict[str, Any] = {}

    def add(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """An entry, and the types of its arguments."""
        self._members[name] = function, arguments

    def has(self, name: str, arguments: tuple[Any, ...]) -> bool:
        """Whether arguments of these types are those that an entry is compiled for."""
        return self._members[name][1] == arguments

    def result(self, name: str, context: Any) -> Any:
        """A compiled entry; the first one that is asked for loads or compiles all."""
        if not self._results:
            path = self._path(self._folder, context.codegen().magic_tuple())
            kept = self._read(path) or self._shipped(context)
            if kept is None:
                library, known = self._compile(context)
                self._write(path, (library._get_compiled_object(), known))
            else:
                code, known = kept
                library = self._loaded(context, code, known)
            for entry, made in known.items():
                self._results[entry] = _result(context, library, *made)
        return self._results[name]

    def _compile(self, context: Any) -> tuple[EntryLibrary, dict[str, Any]]:
        """Compile all entries -> their library, and what numba knows of each."""
        library, known, public = EntryLibrary(context.codegen(), self._name), {}, set()
        library.enable_object_caching()
        for name, (function, arguments) in self._members.items():
            with self._timed(name):
                options = {"no_cfunc_wrapper": True, "pipeline_class": KernelPipeline}
                dispatcher = numba.njit(nogil=True, **options)(function)
                dispatcher.compile(arguments)
            made = dispatcher.overloads[arguments]
            made.library._ensure_finalized()
            library._final_module.link_in(made.library._final_module, preserve=True)
            library._linking_libraries += made.library._linking_libraries
            made.fndesc.typemap = made.fndesc.calltypes = None  # large, and not picklable
            known[name] = made.fndesc, made.environment, made.signature
            public.add(made.fndesc.llvm_cpython_wrapper_name)
        library.public = frozenset(public)
        with self._timed(f"{self._name}: machine code"):
            library.finalize()
        return library, known

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        """Report what is done, and the seconds that it took."""
        self._report(name, None)
        since = time.perf_counter()
        yield
        self._report(name, time.perf_counter() - since)

    def _loaded(self, context: Any, code: bytes, known: dict[str, Any]) -> Any:
        """The library of finished machine code."""
        called = (function.llvm_cpython_wrapper_name for function, *_ in known.values())
        context.codegen()._engine._defined_symbols.update(called)
        library = context.codegen().create_library(self._name)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        return library

    def _path(self, folder: Path, target: tuple[str, str, str]) -> Path:
        """Where a module is kept; target: triple, processor and its features."""
        told = repr((target, sorted(self._members), self._sources))
        return folder / f"{self._name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}.code"

    def _shipped(self, context: Any) -> Any:
        """The module that came with a wheel, if this processor runs it."""
        triple, *_ = context.codegen().magic_tuple()
        able = llvm.get_host_cpu_features() if triple.startswith("x86_64") else {}
        if not all(able.get(feature) for feature in COMMON_FEATURES):
            return None
        return self._read(self._path(SHIPPED / self._folder.name, (triple, COMMON, "")))

    def _read(self, path: Path) -> Any:
        """What `_write` wrote; None if it is not there, or damaged."""
        try:
            content = path.read_bytes()
        except OSError:
            return None
        intact = content[:32] == hashlib.sha256(content[32:]).digest()
        return pickle.loads(content[32:]) if intact else None

    def _write(self, path: Path, kept: Any) -> None:
        """Keep what was compiled, or warn once; other processes see all of it or nothing."""
        content = caching.dumps(kept)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(hashlib.sha256(content).digest() + content)
            part.replace(path)
        except OSError as error:
            self._not_kept(self._folder, error)


def _result(context: Any, library: Any, fndesc: Any, environment: Any, signature: Any) -> Any:
    """An entry in a library, as numba's dispatcher takes it."""
    return compiler.compile_result(
        typing_context=context.typing_context,
        target_context=context,
        entry_point=context.get_executable(library, fndesc, environment),
        library=library,
        signature=signature,
        fndesc=fndesc,
        environment=environment,
        objectmode=False,
        lifted=(),
    )


class EntryCache(caching.FunctionCache):  # type: ignore[misc]
    """Finished machine code on disk. Reports what has to be compiled because it is not there.

    Code that cannot be written to disk is used all the same; `not_kept` is told folder and reason.
    """

    _impl_class = EntryCacheFiles

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        report: Callable[[str, float | None], None],
        not_kept: Callable[[Any, Exception], None],
        unit: Unit | None = None,
    ) -> None:
        super().__init__(function)
        self._entry, self._report, self._not_kept, self._begun = name, report, not_kept, 0.0
        self._unit = unit
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = SealedFile(self._cache_path, self._impl.filename_base, stamp)

    def _index_key(self, sig: Any, generator: Any) -> Any:
        """Without the variables around it, which come from the sources that name the folder."""
        return sig, generator.magic_tuple()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load it without numba's registries, which only compiling needs: 0.5 s less."""
        rtsys.initialize(target_context)
        if self._unit is not None and self._unit.has(self._entry, tuple(sig)):
            return self._unit.result(self._entry, target_context)
        found = None
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
        if found is None:
            self._report(self._entry, None)
            self._begun = time.perf_counter()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep it, or warn once; numba calls this as soon as it has compiled."""
        self._report(self._entry, time.perf_counter() - self._begun)
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self._not_kept(self._cache_path, error)


KernelPipeline = _pipeline(KernelLibrary)
EntryPipeline = _pipeline(EntryLibrary)
