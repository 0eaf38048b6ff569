import { entries, promisifyRequest } from 'idb-keyval'
import { keptStore } from '../../lib/kept-files.ts'
import type { WizardState } from '../wizard.ts'
import type { PartName } from './choices.ts'
import { type KeptState, keptFiles, keptState, restoredState } from './kept-state.ts'

/** Whose draft it is, and of which wizard. A tab has its own, so that two tabs do not write over each other. */
export type DraftOwner = { user: string; organization: string; wizard: PartName }

type Draft = { owner: DraftOwner; savedAt: number; state: KeptState }

/** A draft is kept as long as the server keeps idempotency keys: what was published twice after that would be two publishes. */
const keptFor = 24 * 60 * 60 * 1000

const tabKey = 'publish-tab'

/** The number rises when the shape of a draft changes: what an older version of the app has kept is deleted, not read. */
const shape = 'wizard-2'

/** This tab's name. It outlives a reload and a detour to the sign-in page. */
function tab(): string {
  const known = sessionStorage.getItem(tabKey)
  if (known) return known
  const name = crypto.randomUUID()
  sessionStorage.setItem(tabKey, name)
  return name
}

const makeKey = ({ user, organization, wizard }: DraftOwner): string => JSON.stringify([shape, user, organization, wizard, tab()])

/** A large file has a record of its own: it is written once, however often the draft around it is. */
const fileKey = (id: string): string => JSON.stringify([`${shape}-file`, id])

const isOurs = (key: string): boolean => key.startsWith('["wizard-')
const isDraft = (key: string): boolean => key.startsWith(`["${shape}",`)

/** What the last write of a draft has left in the store, so that the next one writes only what is new. */
const written = new Map<string, ReadonlySet<string>>()

/**
 * This tab's draft of that person, organization and wizard. Drafts of other persons and old ones are deleted, never shown, and so are
 * files of no draft; at sign-out all go, with everything this browser keeps.
 */
export async function readDraft(owner: DraftOwner, now = Date.now()): Promise<WizardState | undefined> {
  const kept = (await entries<string, unknown>(keptStore())).filter(([key]) => isOurs(key))
  const drafts = kept.filter(([key]) => isDraft(key)) as [string, Draft][]
  const alive = drafts.filter(([, { owner: of, savedAt }]) => of.user === owner.user && now - savedAt < keptFor)
  const needed = new Set([...alive.map(([key]) => key), ...alive.flatMap(([, { state }]) => keptFiles(state).map(fileKey))])
  await remove(kept.map(([key]) => key).filter((key) => !needed.has(key)))
  const draft = alive.find(([key]) => key === makeKey(owner))?.[1]
  if (!draft) return undefined
  const files = new Map(kept)
  written.set(makeKey(owner), new Set(keptFiles(draft.state)))
  return restoredState(draft.state, (id) => files.get(fileKey(id)) as Blob | undefined)
}

/**
 * Keeps a draft. Text and files are written in one transaction, so a reload finds both or none. Committed at once: a transaction that waits
 * for its answers is lost with the page.
 */
export function writeDraft(owner: DraftOwner, state: WizardState, now = Date.now()): Promise<void> {
  const key = makeKey(owner)
  const { kept, files } = keptState(state)
  const before = written.get(key) ?? new Set()
  return keptStore()('readwrite', async (store) => {
    for (const [id, file] of files) if (!before.has(id)) store.put(file, fileKey(id))
    for (const id of before) if (!files.has(id)) store.delete(fileKey(id))
    store.put({ owner, savedAt: now, state: kept } satisfies Draft, key)
    store.transaction.commit()
    await promisifyRequest<void>(store.transaction)
    written.set(key, new Set(files.keys()))
  })
}

/** Removes a draft and its files. */
export async function deleteDraft(owner: DraftOwner): Promise<void> {
  const key = makeKey(owner)
  const ids = written.get(key) ?? new Set()
  written.delete(key)
  await remove([key, ...[...ids].map(fileKey)])
}

async function remove(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await keptStore()('readwrite', (store) => {
    for (const key of keys) store.delete(key)
    return promisifyRequest<void>(store.transaction)
  })
}
