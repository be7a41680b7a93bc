"""A numba pipeline that makes machine code of entry points only, and its cache.

By default numba optimises every function together with all that it calls and turns each into
machine code, though only the entry points are ever called from Python. Here a kernel stays LLVM
IR, and an entry links, optimises and emits all that it reaches once: a cold compile takes 40 s of
CPU time instead of 69, at the same speed in play (2 cores, numba 0.68.1).

The only file that uses numba's internals, and jit.py the only one that imports it: for the numba
versions listed there. tests/core/test_jit.py covers what it relies on.
"""

import hashlib
import os
import pickle
import time
from collections.abc import Callable
from typing import Any

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
    """The machine code of an entry and of every kernel that it reaches."""

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
        """Optimise with all kernels private to this entry, which frees LLVM to reshape them."""
        for function in self._final_module.functions:
            if function.linkage == codegen.ll.Linkage.linkonce_odr:
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


class Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder that is asked for and no other, whether or not it can be written to."""

    @classmethod
    def from_function(cls, function: Any, file: str) -> Any:
        """The place of a function's files."""
        return cls(function, file)


class EntryCacheFiles(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Where numba keeps what it has compiled."""

    _locator_classes = (Locator,)


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
    ) -> None:
        super().__init__(function)
        self._entry, self._report, self._not_kept, self._begun = name, report, not_kept, 0.0
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = SealedFile(self._cache_path, self._impl.filename_base, stamp)

    def _index_key(self, sig: Any, generator: Any) -> Any:
        """Without the variables around it, which come from the sources that name the folder."""
        return sig, generator.magic_tuple()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load it without numba's registries, which only compiling needs: 0.5 s less."""
        rtsys.initialize(target_context)
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
