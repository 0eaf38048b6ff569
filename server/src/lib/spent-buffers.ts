import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that may go by before the buffers they were in are given back. */
const interval = 16 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor'; execution: 'sync' }) => void
let passed = 0

/**
 * Streams leave their buffers behind, and V8 looks for them only when 64 MB more have gathered. Told how many bytes go by, this gives the
 * young ones back every 16 MB, which takes less than a millisecond, so that a file of a gigabyte costs no more memory than one of 20 MB.
 */
export function giveBackSpent(bytes: number): void {
  passed += bytes
  if (passed < interval) return
  passed = 0
  collect({ type: 'minor', execution: 'sync' })
}
