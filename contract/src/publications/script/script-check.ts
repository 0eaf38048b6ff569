import { formatFileSize } from '../../text/file-size.ts'
import { unusableName } from '../../text/text.ts'
import { maxScriptBytes } from '../publications.ts'

// A check's result, apart from the sandbox that makes it: pages that only show it do not load that.

/** About 200 ms on a reader (docs/decisions/0056). */
export const scanSteps = 40_000_000
// For loading a script, which happens once.
export const loadSteps = 5 * scanSteps

export interface SampleResult {
  input: string
  /** What the reader sends, up to 2,000 characters; null where it sends nothing. */
  output: string | null
  problem: string | null
  steps: number
}

/** Refused: it cannot work. Warning: it can be published by a user who accepts the warnings. */
export interface ScriptCheck {
  verdict: 'ready' | 'warning' | 'refused'
  refusal: string | null
  warnings: string[]
  /** Empty where the script has no `rules_onDecode`, or was refused before. The last one is that for which it was refused. */
  results: SampleResult[]
}

export interface ScriptFile {
  name: string
  bytes: Uint8Array
}

/** Returns null where name and size are fine for a script. */
export function findFileProblem({ name, size }: { name: string; size: number }): string | null {
  // `.mjs` has the same type, so the name decides.
  if (!/^[^/\\\p{Cc}]{1,200}\.js$/iu.test(name)) return 'File type must be .js'
  const unusable = unusableName(name)
  if (unusable) return `The file cannot be used. ${unusable}`
  if (size === 0) return `The file ${name} is empty.`
  return size > maxScriptBytes ? `The file ${name} is larger than ${formatFileSize(maxScriptBytes)}.` : null
}
