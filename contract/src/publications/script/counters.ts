import { ByteReader, encodeUnsigned, withLength } from './wasm-bytes.ts'

/** The names of the exported counters, which are numbers (i32) that count down to zero. */
export const counterNames = ['steps', 'stack'] as const

const section = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const
const i32 = 0x7f
const bytesPerStep = 64
// Bytes of the machine's stack that a call takes besides its variables.
const frameBytes = 128

// Indices of the two counters among the program's globals, and of a function.
interface Counters {
  steps: number
  stack: number
  // The function that takes the steps for a number of bytes.
  charge: number
}

interface FunctionType {
  parameters: number
  results: Uint8Array
}

/**
 * Adds two counters to a WebAssembly program. The program stops (WebAssembly.RuntimeError) when one is used up.
 * `steps`: one for each call of a function, each round of a loop, and each 64 bytes that one instruction copies or fills. Unlike time, or
 * interrupts of an interpreter, steps count all work alike on every machine, also regular expressions, sorting and copying.
 * `stack`: about the bytes that calls under way take of the machine's own stack, whose size differs between browsers and Node.
 * @throws Error for an unknown instruction
 */
export function addCounters(program: Uint8Array): Uint8Array<ArrayBuffer> {
  const sections = readSections(program)
  const content = (id: number) => {
    const found = sections.find((each) => each.id === id)
    if (!found) throw new Error(`The program has no section ${id}.`)
    return found.content
  }
  const imported = countImports(content(section.import))
  const types = readTypes(content(section.type))
  const functions = readIndices(content(section.function)).map((index) => types[index]!)
  const globals = imported.globals + new ByteReader(content(section.global)).unsigned()
  const counters = { steps: globals, stack: globals + 1, charge: imported.functions + functions.length }
  // A mutable global, which begins with the largest number, as the program may do something when it starts.
  const global = Uint8Array.of(i32, 1, 0x41, 0xff, 0xff, 0xff, 0xff, 0x07, 0x0b)
  const added = new Map<number, Uint8Array[]>([
    // (i32) -> (i32)
    [section.type, [Uint8Array.of(0x60, 1, i32, 1, i32)]],
    [section.function, [encodeUnsigned(types.length)]],
    [section.global, [global, global]],
    [section.export, counterNames.map((name) => exportGlobal(name, counters[name]))],
  ])
  const rewritten = sections.map(({ id, content }) => {
    const next = id === section.code ? rewriteCode(content, functions, counters) : append(content, added.get(id) ?? [])
    return join([Uint8Array.of(id), withLength(next)])
  })
  return join([program.subarray(0, 8), ...rewritten])
}

function readSections(program: Uint8Array): { id: number; content: Uint8Array }[] {
  const reader = new ByteReader(program, 8)
  const sections = []
  while (!reader.isAtEnd) {
    const id = reader.byte()
    sections.push({ id, content: reader.bytes(reader.unsigned()) })
  }
  return sections
}

function readTypes(content: Uint8Array): FunctionType[] {
  const reader = new ByteReader(content)
  return Array.from({ length: reader.unsigned() }, () => {
    reader.byte()
    const parameters = reader.unsigned()
    reader.bytes(parameters)
    return { parameters, results: reader.bytes(reader.unsigned()) }
  })
}

function readIndices(content: Uint8Array): number[] {
  const reader = new ByteReader(content)
  return Array.from({ length: reader.unsigned() }, () => reader.unsigned())
}

function countImports(content: Uint8Array): { functions: number; globals: number } {
  const reader = new ByteReader(content)
  const counts = { functions: 0, globals: 0 }
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.bytes(reader.unsigned())
    reader.bytes(reader.unsigned())
    const kind = reader.byte()
    if (kind === 0) {
      counts.functions += 1
      reader.unsigned()
    } else if (kind === 3) {
      counts.globals += 1
      reader.bytes(2)
    } else {
      if (kind === 1) reader.byte()
      const hasMaximum = (reader.byte() & 1) === 1
      reader.unsigned()
      if (hasMaximum) reader.unsigned()
    }
  }
  return counts
}

const exportGlobal = (name: string, index: number): Uint8Array =>
  join([withLength(new TextEncoder().encode(name)), Uint8Array.of(3), encodeUnsigned(index)])

// Adds entries to a section. A section begins with the count of its entries.
function append(content: Uint8Array, entries: readonly Uint8Array[]): Uint8Array {
  if (entries.length === 0) return content
  const reader = new ByteReader(content)
  const count = reader.unsigned()
  return join([encodeUnsigned(count + entries.length), content.subarray(reader.position), ...entries])
}

function rewriteCode(content: Uint8Array, functions: readonly FunctionType[], counters: Counters): Uint8Array {
  const reader = new ByteReader(content)
  reader.unsigned()
  const bodies = functions.map((type) => withLength(rewriteBody(reader.bytes(reader.unsigned()), type, counters)))
  return join([encodeUnsigned(functions.length + 1), ...bodies, withLength(chargeBody(counters))])
}

// The body becomes a block that a `return` leaves, so that its stack is given back in one place.
function rewriteBody(body: Uint8Array, { parameters, results }: FunctionType, counters: Counters): Uint8Array {
  if (results.length > 1) throw new Error('The program has a function with several results.')
  const reader = new ByteReader(body)
  let variables = parameters
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    variables += reader.unsigned()
    reader.byte()
  }
  const frame = encodeSigned(frameBytes + 8 * variables)
  const step = stepCode(counters)
  const parts = [body.subarray(0, reader.position), step, takeCode(counters, frame), Uint8Array.of(0x02, results[0] ?? 0x40)]
  let copied = reader.position
  const replace = (from: number, to: number, code: Uint8Array) => {
    parts.push(body.subarray(copied, from), code)
    copied = to
  }
  for (let depth = 0; !reader.isAtEnd; ) {
    const start = reader.position
    const instruction = reader.instruction()
    if (instruction === 'open' || instruction === 'loop') depth += 1
    if (instruction === 'end') depth -= 1
    if (instruction === 'loop') replace(reader.position, reader.position, step)
    if (instruction === 'return') replace(start, reader.position, join([Uint8Array.of(0x0c), encodeUnsigned(depth)]))
    // The last operand is the number of bytes.
    if (instruction === 'bulk') replace(start, start, join([Uint8Array.of(0x10), encodeUnsigned(counters.charge)]))
  }
  parts.push(body.subarray(copied), giveBackCode(counters, frame), Uint8Array.of(0x0b))
  return join(parts)
}

const stopIfTrue = [0x04, 0x40, 0x00, 0x0b]
const getGlobal = (index: number) => [0x23, ...encodeUnsigned(index)]
const setGlobal = (index: number) => [0x24, ...encodeUnsigned(index)]

// if (steps == 0) unreachable; steps = steps - 1
const stepCode = ({ steps }: Counters): Uint8Array =>
  Uint8Array.of(...getGlobal(steps), 0x45, ...stopIfTrue, ...getGlobal(steps), 0x41, 1, 0x6b, ...setGlobal(steps))

// stack = stack - frame; if (stack < 0) unreachable
const takeCode = ({ stack }: Counters, frame: Uint8Array): Uint8Array =>
  Uint8Array.of(...getGlobal(stack), 0x41, ...frame, 0x6b, ...setGlobal(stack), ...getGlobal(stack), 0x41, 0, 0x48, ...stopIfTrue)

const giveBackCode = ({ stack }: Counters, frame: Uint8Array): Uint8Array =>
  Uint8Array.of(...getGlobal(stack), 0x41, ...frame, 0x6a, ...setGlobal(stack))

// The body of a function that takes the steps for a number of bytes and returns the number, which `memory.copy` needs as its last operand.
function chargeBody({ steps }: Counters): Uint8Array {
  const cost = [0x20, 0, 0x41, Math.log2(bytesPerStep), 0x76]
  const stopWithoutSteps = [...getGlobal(steps), ...cost, 0x49, ...stopIfTrue]
  return Uint8Array.of(0, ...stopWithoutSteps, ...getGlobal(steps), ...cost, 0x6b, ...setGlobal(steps), 0x20, 0, 0x0b)
}

// A positive number as signed LEB128.
function encodeSigned(value: number): Uint8Array {
  const bytes = [...encodeUnsigned(value)]
  const last = bytes.at(-1) ?? 0
  // The sign is the second bit of the last byte.
  return Uint8Array.from(last < 0x40 ? bytes : [...bytes.slice(0, -1), last | 0x80, 0])
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
