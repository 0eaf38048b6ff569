import type { ScriptCheck } from '@lectern/contract/publications/script/script-check.ts'
import type { CheckReply, CheckRequest } from './script-worker.ts'

// Kept, as it has loaded and compiled the sandbox.
let kept: Worker | undefined

/** A check that is given up ends at once, with the worker. @throws the signal's reason, or an Error where the worker cannot be loaded */
export async function checkInWorker(file: File, samples: readonly string[], signal: AbortSignal): Promise<ScriptCheck> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  signal.throwIfAborted()
  const worker = kept ?? new Worker(new URL('./script-worker.ts', import.meta.url), { type: 'module' })
  kept = undefined
  const settled = new AbortController()
  try {
    const result = await new Promise<ScriptCheck>((resolve, reject) => {
      const listening = { signal: settled.signal }
      signal.addEventListener('abort', () => reject(signal.reason), listening)
      worker.addEventListener('error', () => reject(new Error('The worker could not be loaded.')), listening)
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<CheckReply>) => ('result' in data ? resolve(data.result) : reject(new Error(data.error))),
        listening,
      )
      worker.postMessage({ name: file.name, bytes, samples } satisfies CheckRequest)
    })
    kept = worker
    return result
  } catch (error) {
    worker.terminate()
    throw error
  } finally {
    settled.abort()
  }
}
