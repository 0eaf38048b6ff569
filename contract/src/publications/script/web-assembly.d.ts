/** The types of WebAssembly that the sandbox uses. Neither Node's types nor the language's have them; in the web they are the browser's. */
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
