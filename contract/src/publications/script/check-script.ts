import { decodeFile } from '../../text/decode-file.ts'
import { counted, formatNumber } from '../../text/numbers.ts'
import { withVisibleControls } from '../../text/visible-controls.ts'
import { handlerNames, listUnknownNames, sampledHandler } from './handlers.ts'
import { defaultSamples } from './samples.ts'
import { type Limit, openSandbox, type SandboxProgram } from './sandbox.ts'
import { findFileProblem, loadSteps, type SampleResult, type ScriptCheck, type ScriptFile, scanSteps } from './script-check.ts'
import { type Failure, type ScriptRun, startRun } from './script-run.ts'

const shownOutput = 2_000
const shownSample = 40

/** Checks a script by running it on samples in a sandbox. A file and its samples have the same result on every machine. */
export async function checkScript(
  program: SandboxProgram,
  { name, bytes }: ScriptFile,
  samples: readonly string[] = defaultSamples,
): Promise<ScriptCheck> {
  const problem = findFileProblem({ name, size: bytes.length })
  if (problem !== null) return refuse(problem)
  const decoded = decodeFile(bytes)
  if (decoded === null) return refuse(`The file ${name} is not text. If it is a script, save it as UTF-8.`)
  const checked = checkText(startRun(await openSandbox(program)), name, decoded.text, samples)
  // Readers get the bytes as they are, so another encoding is a warning.
  if (checked.refusal !== null || decoded.encoding === 'UTF-8') return checked
  const warning = `The file ${name} is in ${decoded.encoding} and goes to the readers as it is. Save it as UTF-8 if they show other characters.`
  return { ...checked, verdict: 'warning', warnings: [warning, ...checked.warnings] }
}

function checkText(run: ScriptRun, name: string, text: string, samples: readonly string[]): ScriptCheck {
  const unparsed = run.parse(text, loadSteps)
  const limit = unparsed?.message === overflow ? 'depth' : unparsed?.limit
  if (limit) return refuse(`The file ${name} ${limitWords[limit](loadSteps)}.`)
  if (unparsed) return refuse(`The file ${name} is not valid JavaScript: ${atLine(unparsed.message, unparsed)}.`)
  const unloaded = run.load(text, loadSteps)
  if (unloaded?.limit) return refuse(`The file ${name} ${atLine(`${limitWords[unloaded.limit](loadSteps)} when it is loaded`, unloaded)}.`)
  const types = handlerNames.map((handler) => ({ handler, type: run.readType(handler) }))
  const wrong = types.find(({ type }) => !['function', 'object', 'undefined'].includes(type))
  if (wrong) return refuse(`The file ${name} sets ${wrong.handler} to a ${wrong.type}. It must be a function, or null.`)
  const handlers = types.filter(({ type }) => type === 'function').map(({ handler }) => handler)
  const unknown = listUnknownNames(text).filter((each) => run.readType(each) !== 'undefined')
  const stopped = unloaded && `The file ${name} stops when it is loaded: ${atLine(unloaded.message, unloaded)}.`
  if (run.isStopped()) return refuse(`The file ${name} ${limitWords.steps(scanSteps)} when its handlers are read.`)
  if (handlers.length === 0) return refuse(stopped ?? explainNoHandler(name, unknown))
  const { results, refusal } = handlers.includes(sampledHandler) ? runSamples(run, name, samples) : { results: [], refusal: null }
  if (refusal !== null) return { verdict: 'refused', refusal, warnings: [], results }
  const warnings = [...(stopped ? [stopped] : []), ...warnOfNames(name, unknown), ...warnOfResults(results)]
  return { verdict: warnings.length === 0 ? 'ready' : 'warning', refusal: null, warnings, results }
}

// QuickJS's message for a stack that is used up.
const overflow = 'stack overflow'

const refuse = (refusal: string): ScriptCheck => ({ verdict: 'refused', refusal, warnings: [], results: [] })

const limitWords: Record<Limit, (steps: number) => string> = {
  steps: (steps) =>
    `takes more than ${formatNumber(steps / 1_000_000)} million steps (about ${steps === scanSteps ? '200 ms' : 'a second'})`,
  memory: () => 'needs more than 16 MB of memory',
  depth: () => 'is nested too deeply',
}

// Appends the line to the words. For an interrupted loop, the engine may know only where its function begins.
const atLine = (words: string, { line, limit }: Failure): string =>
  line === undefined ? words : `${words}, line ${line}${limit === 'steps' ? ' or below' : ''}`

const listNames = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

function explainNoHandler(name: string, unknown: readonly string[]): string {
  const also = unknown.length > 0 ? ` Readers do not call ${listNames(unknown)}.` : ''
  return `The file ${name} sets no handler, so readers would call nothing of it. Set ${sampledHandler} to a function.${also}`
}

const warnOfNames = (name: string, unknown: readonly string[]): string[] =>
  unknown.length > 0
    ? [`The file ${name} sets ${listNames(unknown)}, which readers do not call. They call ${listNames(handlerNames)}.`]
    : []

function warnOfResults(results: readonly SampleResult[]): string[] {
  const failed = results.filter(({ problem }) => problem !== null)
  const first = failed[0]
  if (!first) return []
  const count = failed.length === results.length ? 'every sample scan' : `${failed.length} of ${counted(results.length, 'sample scan')}`
  return [`${sampledHandler} fails on ${count}. On ${quote(first.input)}: ${first.problem}`]
}

const quote = (sample: string): string => {
  const shown = withVisibleControls(sample)
  return `"${shown.length > shownSample ? `${shown.slice(0, shownSample)}…` : shown}"`
}

// Stops at the first sample for which the script is refused, as the sandbox may be in any state then.
function runSamples(run: ScriptRun, name: string, samples: readonly string[]): { results: SampleResult[]; refusal: string | null } {
  const results: SampleResult[] = []
  for (const input of samples) {
    const { value, failure, steps } = run.scan(sampledHandler, input, scanSteps)
    if (failure) {
      const words = explainRefusal(failure)
      const problem = `${atLine(words ?? failure.message, failure)}.`
      results.push({ input, output: null, problem: words === null ? problem : `It ${problem}`, steps })
      if (words !== null) return { results, refusal: `The file ${name} ${words} on the scan ${atLine(quote(input), failure)}.` }
    } else if (value === 'promise') {
      results.push({ input, output: null, problem: 'It returns a promise.', steps })
      return { results, refusal: `The file ${name} returns a promise from ${sampledHandler}. It must return decode itself.` }
    } else if ('data' in value) {
      results.push({ input, output: shorten(value.data), problem: null, steps })
    } else {
      results.push({ input, output: null, problem: explainMissing(value.type), steps })
    }
  }
  return { results, refusal: null }
}

// Says why a script is refused; null where its error depends on the scan, and so refuses nothing.
function explainRefusal({ limit, message }: Failure): string | null {
  if (limit) return limitWords[limit](scanSteps)
  return message === overflow ? 'calls itself too often' : null
}

const explainMissing = (type: string): string =>
  type === 'object' || type === 'function' ? 'It returns no text in data.' : `It returns ${type}, not decode.`

const shorten = (text: string): string => (text.length > shownOutput ? `${text.slice(0, shownOutput)}…` : text)
