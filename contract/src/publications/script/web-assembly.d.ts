/** What the sandbox uses of WebAssembly: Node has it, but neither its types nor those of the language do. In the web they are the browser's. */
declare namespace WebAssembly {
  type ImportValue = ((...values: never[]) => unknown) | Memory
  type Imports = Record<string, Record<string, ImportValue>>

  /** Compiled code. */
  interface Module {
    readonly [Symbol.toStringTag]: string
  }

  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Record<string, unknown>
  }

  class Memory {
    constructor(pages: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
  }

  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>
}
