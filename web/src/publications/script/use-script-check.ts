import type { ScriptCheck } from '@lectern/contract/publications/script/script-check.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { checkInWorker } from './check-in-worker.ts'

export type CheckState = { status: 'checking'; last?: ScriptCheck } | { status: 'failed' } | { status: 'done'; check: ScriptCheck }

/** Checks a file when it, or a sample, is another one. `last`: of the same file, with other samples. */
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
