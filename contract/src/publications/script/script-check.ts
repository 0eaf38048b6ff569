import { formatFileSize } from '../../text/file-size.ts'
import { unusableName } from '../../text/text.ts'
import { maxScriptBytes } from '../publications.ts'

// Results and bounds of a check, without the sandbox. Pages that only show a result do not load the sandbox.

/** The steps that a script may use for one scan, about 200 ms on a reader (docs/decisions/0056). */
export const scanSteps = 40_000_000
// The steps that loading a script may use.
export const loadSteps = 5 * scanSteps

export interface SampleResult {
  input: string
  /** What the reader sends, up to 2,000 characters; null where it sends nothing. */
  output: string | null
  problem: string | null
  steps: number
}

/** The result of a check. `verdict`: refused: the script cannot work; warning: a user who accepts the warnings can publish it. */
export interface ScriptCheck {
  verdict: 'ready' | 'warning' | 'refused'
  refusal: string | null
  warnings: string[]
  /**
   * By sample, in order. Empty where the script has no `rules_onDecode`, or was refused before it was run on samples. A sample for which it
   * was refused is the last one.
   */
  results: SampleResult[]
}

export interface ScriptFile {
  name: string
  bytes: Uint8Array
}

/** Says what is wrong with name or size of a script; null where nothing is. */
export function findFileProblem({ name, size }: { name: string; size: number }): string | null {
  // `.mjs` has the same type, so the name decides.
  if (!/^[^/\\\p{Cc}]{1,200}\.js$/iu.test(name)) return 'File type must be .js'
  const unusable = unusableName(name)
  if (unusable) return `The file cannot be used. ${unusable}`
  if (size === 0) return `The file ${name} is empty.`
  return size > maxScriptBytes ? `The file ${name} is larger than ${formatFileSize(maxScriptBytes)}.` : null
}
