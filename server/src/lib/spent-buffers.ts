import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const interval = 16 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor'; execution: 'sync' }) => void
let passed = 0

// V8 frees the buffers of a stream only every 64 MB; this makes it do so now. A minor collection takes less than a millisecond.
export function giveBackSpent(bytes: number): void {
  passed += bytes
  if (passed < interval) return
  passed = 0
  collect({ type: 'minor', execution: 'sync' })
}
