import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { handlerNames } from './handlers.ts'
import type { Limit, Sandbox } from './sandbox.ts'

/** Why a script stopped. `limit`: absent for an error of its own. `line`: in the script, from 1; absent where it is not known. */
export interface Failure {
  limit?: Limit
  message: string
  line?: number
}

type Attempt<Value> = { value: Value; failure?: undefined } | { value?: undefined; failure: Failure }

/** What a handler returned: a text in `data`, a promise, or something else. `type`: its `typeof`; 'object' where its `data` is no text. */
type Returned = { data: string } | { type: string } | 'promise'

const fileName = 'script'
const longestMessage = 200

/** A script in a sandbox. `steps`: how many each call may use. */
export interface ScriptRun {
  parse: (text: string, steps: number) => Failure | undefined
  load: (text: string, steps: number) => Failure | undefined
  /** The `typeof` of a name; 'undefined' where reading it fails. */
  readType: (name: string) => string
  scan: (handler: string, data: string, steps: number) => Attempt<Returned> & { steps: number }
  /** Whether a limit was reached. Nothing more can be run then. */
  isStopped: () => boolean
}

export function startRun(sandbox: Sandbox): ScriptRun {
  const { context } = sandbox
  let isStopped = false
  sandbox.allow(setupSteps)
  const setUp = (code: string) => context.unwrapResult(context.evalCode(code, 'setup', { type: 'global' }))
  // These are made before the script can change what they use. Readers have the handlers as globals from the start, "null when unused".
  const makeScan = setUp('(data) => ({ data })')
  const reader = setUp(readerCode)
  setUp(`${handlerNames.join(' = ')} = null`)
  const read = (value: QuickJSHandle, key: string) => readText(context, reader, value, key)
  const attempt = <Value>(steps: number, run: () => ReturnType<QuickJSContext['evalCode']>, use: (value: QuickJSHandle) => Value) => {
    const result = attemptRun<Value>(sandbox, steps, run, use, read)
    if (result.failure?.limit) isStopped = true
    return result
  }
  const evaluate = (text: string, compileOnly: boolean) => context.evalCode(text, fileName, { type: 'global', compileOnly })
  return {
    parse: (text, steps) => attempt(steps, () => evaluate(text, true), ignore).failure,
    load: (text, steps) => attempt(steps, () => evaluate(text, false), ignore).failure,
    readType: (name) =>
      attempt(
        setupSteps,
        () => evaluate(name, false),
        (value) => context.typeof(value),
      ).value ?? 'undefined',
    scan: (handler, data, steps) => {
      const call = () => {
        const found = evaluate(handler, false)
        if (found.error) return found
        const text = setUp(`(${JSON.stringify(data)})`)
        const given = context.unwrapResult(context.callFunction(makeScan, context.undefined, text))
        const returned = context.callFunction(found.value, context.undefined, given)
        for (const handle of [found.value, text, given]) handle.dispose()
        return returned
      }
      const result = attempt(steps, call, (value): Returned => {
        if (context.typeof(value) !== 'object' && context.typeof(value) !== 'function') return { type: context.typeof(value) }
        const state = context.getPromiseState(value)
        if (state.type !== 'fulfilled' || !state.notAPromise) return 'promise'
        const text = read(value, 'data')
        return text === undefined ? { type: 'object' } : { data: text }
      })
      return { ...result, steps: sandbox.countUsed() }
    },
    isStopped: () => isStopped,
  }
}

const setupSteps = 2_000_000

const ignore = () => undefined

// Code that reads a text from a value of the engine. It returns the text as JSON, as the host sees a text of the engine only up to its
// first NUL. A text has no `toJSON` that could be called.
const readerCode = `((stringify) => (value, key) => {
  try {
    const text = typeof value === 'object' && value !== null ? value[key] : key === 'message' ? '' + value : ''
    return typeof text === 'string' ? stringify(text) : ''
  } catch {
    return ''
  }
})(JSON.stringify)`

function readText(context: QuickJSContext, reader: QuickJSHandle, value: QuickJSHandle, key: string): string | undefined {
  const name = context.newString(key)
  const read = context.callFunction(reader, context.undefined, value, name)
  name.dispose()
  if (read.error) return undefined
  const json = context.getString(read.value)
  read.value.dispose()
  return json === '' ? undefined : (JSON.parse(json) as string)
}

// Runs something in the engine within a number of steps. What `run` returns is freed, so that it takes no memory of the next run.
function attemptRun<Value>(
  sandbox: Sandbox,
  steps: number,
  run: () => ReturnType<QuickJSContext['evalCode']>,
  use: (value: QuickJSHandle) => Value,
  read: (value: QuickJSHandle, key: string) => string | undefined,
): Attempt<Value> {
  sandbox.allow(steps)
  try {
    const result = run()
    const handle = result.error ?? result.value
    const outcome: Attempt<Value> = result.error ? { failure: describe(handle, read) } : { value: use(handle) }
    handle.dispose()
    const limit = sandbox.findLimit()
    return limit ? { failure: { message: '', ...outcome.failure, limit } } : outcome
  } catch (error) {
    // A counter stopped the engine in the middle of something. On a machine with a small stack the engine stops by itself.
    const limit = sandbox.findLimit() ?? (error instanceof RangeError ? 'depth' : undefined)
    if (limit) return { failure: { message: '', limit } }
    throw error
  }
}

function describe(error: QuickJSHandle, read: (value: QuickJSHandle, key: string) => string | undefined): Failure {
  const line = /\bscript:(\d+)/.exec(read(error, 'stack') ?? '')?.[1]
  const message = (read(error, 'message') || read(error, 'name') || 'an error').slice(0, longestMessage)
  return { message, ...(line !== undefined && { line: Number(line) }) }
}
