import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { addCounters } from './counters.ts'

// Node finds the types of the package's CommonJS build, which differ.
const quickJs = variant as unknown as QuickJSSyncVariant

// QuickJS with counters in it, compiled once for many sandboxes.
export type SandboxProgram = WebAssembly.Module

/** An engine without page, network, timers and clock. It is for one script and is dropped afterwards, in whatever state it is. */
export interface Sandbox {
  context: QuickJSContext
  /** Sets how many steps may be used from now on. */
  allow: (steps: number) => void
  /** Returns the steps that were used since `allow`. */
  countUsed: () => number
  /** Returns the limit that was reached; undefined where none was. */
  findLimit: () => Limit | undefined
}

export type Limit = 'steps' | 'memory' | 'depth'

// Bytes that a script may use.
export const memoryLimit = 16 * 1024 * 1024

const pageBytes = 65_536
// Bytes that the program's stack and data and the engine take before a script is loaded.
const ownBytes = 6 * 1024 * 1024
// The size of memory that the program declares, in pages.
const initialPages = 256
const maximumPages = (ownBytes + memoryLimit) / pageBytes

// Bytes of the engine's own stack for calls within calls. A script may catch the error when they are used up.
const engineStack = 96 * 1024
// Bytes of the machine's stack, for deeply nested code: about 350 kB are needed. A worker of Chromium has 500 kB, a thread of Node more.
const machineStack = 700_000

// Steps that are left when the engine is interrupted, so that it can report where it was.
const reserve = 5_000_000

// The time that every script sees on the clock.
const now = Date.UTC(2026, 0, 1, 12)

/**
 * Compiles QuickJS with counters in it.
 * @param wasm the file `@jitl/quickjs-wasmfile-release-sync/wasm`
 */
export const compileSandbox = (wasm: Uint8Array): Promise<SandboxProgram> => WebAssembly.compile(addCounters(wasm))

interface Counter {
  value: number
}

/** Opens a new engine. Its clock, time zone and memory are the same on every machine. */
export async function openSandbox(program: SandboxProgram): Promise<Sandbox> {
  let isFull = false
  const { context, steps, stack } = await openEngine(program, () => {
    isFull = true
  })
  let allowed = 0
  context.runtime.setMaxStackSize(engineStack)
  context.runtime.setInterruptHandler(() => steps.value < reserve)
  return {
    context,
    allow: (count) => {
      allowed = count
      steps.value = count + reserve
      stack.value = machineStack
    },
    countUsed: () => allowed + reserve - steps.value,
    findLimit: () => {
      if (isFull) return 'memory'
      if (steps.value < reserve) return 'steps'
      return stack.value < 0 ? 'depth' : undefined
    },
  }
}

async function openEngine(program: SandboxProgram, onFull: () => void) {
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maximumPages })
  const counters: Record<string, Counter> = {}
  const counted = newVariant(quickJs, {
    wasmMemory: memory,
    emscriptenModule: {
      instantiateWasm(imports: { a: HostImports }, onInstance: (instance: WebAssembly.Instance) => void) {
        const host = imports.a
        const instance = new WebAssembly.Instance(program, { a: { ...host, ...ownImports(host, memory, onFull) } })
        Object.assign(counters, instance.exports)
        onInstance(instance)
        return instance.exports
      },
    },
  })
  const engine = await newQuickJSWASMModuleFromVariant(counted)
  const { steps, stack } = counters
  if (!steps || !stack) throw new Error('The program has no counters.')
  return { context: engine.newContext(), steps, stack }
}

type HostImports = Record<string, WebAssembly.ImportValue>

/**
 * Replaces what the engine would take from its machine, as verdicts must not differ between machines: memory without a limit, a clock, a
 * time zone and a language. The short names are those of this version of the package's build.
 */
function ownImports(host: HostImports, memory: WebAssembly.Memory, onFull: () => void): HostImports {
  const words = () => new Int32Array(memory.buffer)
  const grow = host.k as (bytes: number) => boolean
  return {
    k: (bytes: number) => {
      const isGrown = grow(bytes)
      if (!isGrown) onFull()
      return isGrown
    },
    p: () => now,
    // localtime_r.
    m: (seconds: bigint, at: number) => {
      const date = new Date(Number(seconds) * 1000)
      const year = date.getUTCFullYear()
      const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000)
      const clock = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()]
      words().set([...clock, date.getUTCDate(), date.getUTCMonth(), year - 1900, date.getUTCDay(), dayOfYear, 0, 0], at >> 2)
    },
    // An environment without variables.
    f: (count: number, size: number) => {
      words()[count >> 2] = 0
      words()[size >> 2] = 0
      return 0
    },
  }
}
