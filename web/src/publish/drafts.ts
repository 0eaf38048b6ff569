import { del, delMany, entries, promisifyRequest } from 'idb-keyval'
import { keptStore } from '../lib/kept-files.ts'
import type { WizardState } from './wizard.ts'

/** Whose draft it is. A tab has its own, so that two tabs do not write over each other. */
export type DraftOwner = { user: string; organization: string }

type Draft = { owner: DraftOwner; savedAt: number; state: WizardState }

/** A draft is kept as long as the server keeps idempotency keys: what was published twice after that would be two publishes. */
const keptFor = 24 * 60 * 60 * 1000

const tabKey = 'publish-tab'

/** The number rises when the shape of a draft changes: what an older version of the app has kept is deleted, not read. */
const shape = 'wizard-1'

/** This tab's name. It outlives a reload and a detour to the sign-in page. */
function tab(): string {
  const known = sessionStorage.getItem(tabKey)
  if (known) return known
  const name = crypto.randomUUID()
  sessionStorage.setItem(tabKey, name)
  return name
}

const keyOf = ({ user, organization }: DraftOwner): string => JSON.stringify([shape, user, organization, tab()])

const isDraftKey = (key: string): boolean => key.startsWith('["wizard-')

/**
 * This tab's draft of that person and organization. Drafts of other persons and old ones are deleted, never shown; at sign-out all go,
 * with everything this browser keeps.
 */
export async function readDraft(owner: DraftOwner, now = Date.now()): Promise<WizardState | undefined> {
  const all = await entries<string, unknown>(keptStore())
  const kept = all.filter(([key]) => isDraftKey(key)) as [string, Draft][]
  const isAlive = ([key, { owner: of, savedAt }]: [string, Draft]) =>
    key.startsWith(`["${shape}"`) && of.user === owner.user && now - savedAt < keptFor
  const dead = kept.filter((draft) => !isAlive(draft)).map(([key]) => key)
  if (dead.length > 0) await delMany(dead, keptStore())
  return kept.filter(isAlive).find(([key]) => key === keyOf(owner))?.[1].state
}

/**
 * Keeps a draft. Text and files go into the same record, so a reload finds both or none. Committed at once: a transaction that waits
 * for its answers is lost with the page.
 */
export const writeDraft = (owner: DraftOwner, state: WizardState, now = Date.now()): Promise<void> =>
  keptStore()('readwrite', (store) => {
    store.put({ owner, savedAt: now, state } satisfies Draft, keyOf(owner))
    store.transaction.commit()
    return promisifyRequest<void>(store.transaction)
  })

export const deleteDraft = (owner: DraftOwner): Promise<void> => del(keyOf(owner), keptStore())
