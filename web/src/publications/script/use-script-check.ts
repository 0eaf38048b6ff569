import { defaultSamples } from '@lectern/contract/publications/script/samples.ts'
import type { ScriptCheck } from '@lectern/contract/publications/script/script-check.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDraft } from '../../lib/form/draft.ts'
import type { CheckReply, CheckRequest } from './script-worker.ts'

/** `last`: the check of the same file with other samples. */
export type CheckState = { status: 'checking'; last?: ScriptCheck } | { status: 'failed' } | { status: 'done'; check: ScriptCheck }

/** Checks a file whenever the file or a sample changes. */
export function useScriptCheck(file: File | null, samples: readonly string[], onChecked: (check: ScriptCheck) => void) {
  const [checked, setChecked] = useState<{ file: File; state: CheckState }>()
  const [tries, setTries] = useState(0)
  const report = useEffectEvent(onChecked)
  useEffect(() => {
    if (!file) return
    const left = new AbortController()
    const set = (state: CheckState) => setChecked({ file, state })
    setChecked((before) => ({ file, state: { status: 'checking', last: before?.file === file ? findCheck(before.state) : undefined } }))
    checkInWorker(file, samples, left.signal).then(
      (check) => {
        if (left.signal.aborted) return
        set({ status: 'done', check })
        report(check)
      },
      () => {
        if (!left.signal.aborted) set({ status: 'failed' })
      },
    )
    return () => left.abort()
  }, [file, samples, tries])
  const state: CheckState = checked?.file === file && checked ? checked.state : { status: 'checking' }
  return { state, retry: () => setTries(tries + 1) }
}

export const findCheck = (state: CheckState): ScriptCheck | undefined =>
  state.status === 'done' ? state.check : state.status === 'checking' ? state.last : undefined

/** Returns the scans on which scripts are tried, and a function that changes them. They are stored for the tab's user. */
export function useSamples(): [readonly string[], (samples: readonly string[]) => void] {
  const draft = useDraft<{ samples: readonly string[] }>({ name: 'sample scans of scripts', isKept: true })
  const [samples, setSamples] = useState(draft.stored?.values.samples ?? defaultSamples)
  function change(next: readonly string[]) {
    setSamples(next)
    draft.store(next === defaultSamples ? undefined : { values: { samples: next }, isPartial: false })
  }
  return [samples, change]
}

// The worker of the last check, which has loaded and compiled the sandbox.
let kept: Worker | undefined

/**
 * Checks a script in a worker. A check that is given up ends at once, and the worker with it.
 * @throws the signal's reason, or an Error where the worker cannot be loaded
 */
async function checkInWorker(file: File, samples: readonly string[], signal: AbortSignal): Promise<ScriptCheck> {
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
