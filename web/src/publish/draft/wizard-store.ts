import { useEffect, useReducer, useState } from 'react'
import { initialWizard, type WizardAction, type WizardState, wizard } from '../wizard.ts'
import { type DraftOwner, deleteDraft, readDraft, writeDraft } from './drafts.ts'
import { createKeeper } from './keeper.ts'

/** The wizard's state, kept in this browser so that a reload or a new sign-in finds it again. */
export type WizardStore = {
  state: WizardState
  dispatch: (action: WizardAction) => void
  /** Dispatches, and resolves when the state is safe, or known not to be keepable. */
  commit: (action: WizardAction) => Promise<void>
  /** Forgets the draft: it was published, or given up. */
  discard: () => Promise<void>
  /** False where the browser refuses to keep it. */
  isKept: boolean
}

export function useWizardStore(owner: DraftOwner, initial: WizardState): WizardStore {
  const [state, dispatch] = useReducer(wizard, initial)
  const [isKept, setKept] = useState(true)
  const [keeper] = useState(() =>
    createKeeper<WizardState>(
      (next) => writeDraft(owner, next),
      () => deleteDraft(owner),
    ),
  )
  const keep = (next: WizardState) =>
    keeper.keep(next).then(
      () => setKept(true),
      () => setKept(false),
    )

  useEffect(() => {
    if (state === initial) return
    keeper.keep(state).then(
      () => setKept(true),
      () => setKept(false),
    )
  }, [keeper, state, initial])

  useEffect(() => {
    addEventListener('pagehide', keeper.flush)
    return () => removeEventListener('pagehide', keeper.flush)
  }, [keeper])

  return {
    state,
    dispatch,
    commit: (action) => {
      dispatch(action)
      return keep(wizard(state, action))
    },
    discard: () => keeper.discard().catch(() => undefined),
    isKept,
  }
}

/** The draft that this tab has kept, or a new one; undefined while it is being read. */
export function useKeptDraft({ user, organization, wizard }: DraftOwner): WizardState | undefined {
  const [draft, setDraft] = useState<WizardState>()
  useEffect(() => {
    let current = true
    readDraft({ user, organization, wizard })
      // Where the browser keeps nothing, there is nothing to find.
      .catch(() => undefined)
      .then((kept) => current && setDraft(kept ?? initialWizard))
    return () => {
      current = false
    }
  }, [user, organization, wizard])
  return draft
}
