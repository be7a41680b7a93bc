// Python in a page: Pyodide, started from a copy of its memory in which everything is imported.
//
// The copy holds the addresses of pydantic's compiled part, so that part is loaded into the same
// place of memory and table: in `preRun`, before anything else claims room, when the copy is made
// and whenever it is read.

const LIBRARY = "/page/pydantic_core/_pydantic_core.cpython-314-wasm32-emscripten.so";
const PAGE = 65536; // bytes of WebAssembly memory that grow at once
const TABLE = 1 << 15; // where the library's functions begin: above all others, on any machine

/**
 * Start Python -> Pyodide.
 *   loadPyodide, createModule: of Pyodide's package
 *   library: bytes of pydantic's compiled part
 *   snapshot: bytes of the copy of memory; none = start afresh, so that one can be made
 */
export function startPython(loadPyodide, createModule, { library, snapshot, ...settings }) {
  const createPyodideModule = (module) => {
    if (snapshot) module.instantiateWasm = withRoom(module.instantiateWasm, snapshot.length);
    module.preRun = [...module.preRun, (started) => preload(started, library)];
    return createModule(module);
  };
  const memory = snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true };
  return loadPyodide({ ...settings, ...memory, createPyodideModule });
}

/** Instantiate with memory that holds at least `bytes`. */
function withRoom(instantiate, bytes) {
  return (imports, done) =>
    instantiate(imports, (instance, module) => {
      const { memory } = instance.exports;
      const missing = bytes - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
      return done(instance, module);
    });
}

function preload(module, library) {
  module.wasmTable.grow(TABLE - module.wasmTable.length);
  const flags = { global: false, nodelete: true };
  const folder = LIBRARY.slice(0, LIBRARY.lastIndexOf("/"));
  module.FS.mkdirTree(folder);
  module.FS.writeFile(LIBRARY, library);
  module.preloadedWasm[LIBRARY] = module.loadWebAssemblyModule(library, flags, LIBRARY, {}, 0);
  module.loadDynamicLibrary(LIBRARY, flags, {}, 0);
}
