import { formatFileSize } from '../../text/file-size.ts'
import { unusableName } from '../../text/text.ts'
import { maxScriptBytes } from '../publications.ts'

// What a check is, apart from the sandbox that it needs: pages that only show it do not load that.

/** About 200 ms of a reader's script (docs/decisions/0056). */
export const scanSteps = 40_000_000
// Of loading a script, which happens once.
export const loadSteps = 5 * scanSteps

export interface SampleResult {
  input: string
  /** What the reader sends, up to 2,000 characters; null where it sends nothing. */
  output: string | null
  problem: string | null
  steps: number
}

/** Refused: cannot work. Warning: can be published by who accepts the warnings. */
export interface ScriptCheck {
  verdict: 'ready' | 'warning' | 'refused'
  refusal: string | null
  warnings: string[]
  /** None where the script has no `rules_onDecode`, or was refused before; they end with the one for which it was refused. */
  results: SampleResult[]
}

export interface ScriptFile {
  name: string
  bytes: Uint8Array
}

/** Null for a file that may be a script, by its name and size alone. */
export function findFileProblem({ name, size }: { name: string; size: number }): string | null {
  // .mjs has the same type.
  if (!/^[^/\\\p{Cc}]{1,200}\.js$/iu.test(name)) return 'File type must be .js'
  const unusable = unusableName(name)
  if (unusable) return `The file cannot be used. ${unusable}`
  if (size === 0) return `The file ${name} is empty.`
  return size > maxScriptBytes ? `The file ${name} is larger than ${formatFileSize(maxScriptBytes)}.` : null
}
