import { useCallback, useEffect, useReducer, useState } from 'react'
import { initialWizard, reduceWizard, type WizardAction, type WizardState } from '../wizard-state.ts'
import { type DraftOwner, deleteDraft, readDraft, writeDraft } from './drafts.ts'
import { createStateWriter } from './state-writer.ts'

export interface WizardStore {
  state: WizardState
  dispatch: (action: WizardAction) => void
  /** Dispatches the actions. Resolves once the state is stored, or the browser has refused to store it. */
  commit: (actions: readonly WizardAction[]) => Promise<void>
  /** Deletes the stored draft. */
  discard: () => Promise<void>
  /** Whether the browser stores the state. */
  isStored: boolean
}

export function useWizardStore(owner: DraftOwner, initial: WizardState): WizardStore {
  const [state, dispatch] = useReducer(reduceWizard, initial)
  const [isStored, setStored] = useState(true)
  const [writer] = useState(() =>
    createStateWriter<WizardState>(
      (next) => writeDraft(owner, next),
      () => deleteDraft(owner),
    ),
  )
  const store = useCallback(
    (next: WizardState) =>
      writer.write(next).then(
        () => setStored(true),
        () => setStored(false),
      ),
    [writer],
  )

  useEffect(() => {
    if (state !== initial) void store(state)
  }, [store, state, initial])

  useEffect(() => {
    addEventListener('pagehide', writer.flush)
    return () => removeEventListener('pagehide', writer.flush)
  }, [writer])

  return {
    state,
    dispatch,
    commit: (actions) => {
      for (const action of actions) dispatch(action)
      return store(actions.reduce(reduceWizard, state))
    },
    discard: () => writer.discard().catch(() => undefined),
    isStored,
  }
}

/** Returns the draft of this tab, or a new one; undefined while it is read. */
export function useStoredDraft({ user, organization, wizard }: DraftOwner): WizardState | undefined {
  const [draft, setDraft] = useState<WizardState>()
  useEffect(() => {
    let current = true
    readDraft({ user, organization, wizard })
      .catch(() => undefined)
      .then((stored) => current && setDraft(stored ?? initialWizard))
    return () => {
      current = false
    }
  }, [user, organization, wizard])
  return draft
}
