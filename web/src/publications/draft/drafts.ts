import { entries, promisifyRequest } from 'idb-keyval'
import { fileStore } from '../../lib/files/stored-files.ts'
import type { PartName } from '../content/choices.ts'
import type { WizardState } from '../wizard-state.ts'
import { fromStored, listFiles, type StoredState, toStored } from './stored-state.ts'

/** Whose draft it is. A draft also belongs to a tab, so that two tabs do not overwrite each other. */
export interface DraftOwner {
  user: string
  organization: string
  wizard: PartName
}

interface Draft {
  owner: DraftOwner
  savedAt: number
  state: StoredState
}

/** In milliseconds: as long as the server stores idempotency keys. A later retry would publish again. */
const lifetime = 24 * 60 * 60 * 1000

const tabKey = 'publish-tab'

// Drafts in another format are deleted.
const format = 'wizard-4'

// Returns the tab's id, which stays the same through a reload and a visit to the sign-in page.
function getTabId(): string {
  const known = sessionStorage.getItem(tabKey)
  if (known) return known
  const name = crypto.randomUUID()
  sessionStorage.setItem(tabKey, name)
  return name
}

const makeKey = ({ user, organization, wizard }: DraftOwner): string => JSON.stringify([format, user, organization, wizard, getTabId()])

// A file has a record of its own, so that it is written once and not with each change of its draft.
const fileKey = (id: string): string => JSON.stringify([`${format}-file`, id])

const isWizardKey = (key: string): boolean => key.startsWith('["wizard-')
const isDraft = (key: string): boolean => key.startsWith(`["${format}",`)

// The ids of the files that were written, by the key of their draft.
const written = new Map<string, ReadonlySet<string>>()

/**
 * Returns the owner's draft in this tab; undefined where there is none. Deletes drafts of other users, old ones, and files without a draft.
 */
export async function readDraft(owner: DraftOwner, now = Date.now()): Promise<WizardState | undefined> {
  const stored = (await entries<string, unknown>(fileStore())).filter(([key]) => isWizardKey(key))
  const drafts = stored.filter(([key]) => isDraft(key)) as [string, Draft][]
  const alive = drafts.filter(([, draft]) => draft.owner.user === owner.user && now - draft.savedAt < lifetime)
  const needed = new Set([...alive.map(([key]) => key), ...alive.flatMap(([, { state }]) => listFiles(state).map(fileKey))])
  await remove(stored.map(([key]) => key).filter((key) => !needed.has(key)))
  const draft = alive.find(([key]) => key === makeKey(owner))?.[1]
  if (!draft) return undefined
  const files = new Map(stored)
  written.set(makeKey(owner), new Set(listFiles(draft.state)))
  return fromStored(draft.state, (id) => files.get(fileKey(id)) as Blob | undefined)
}

/** Writes a draft and its files in one transaction, and commits at once, as a transaction that waits would be lost with the page. */
export function writeDraft(owner: DraftOwner, state: WizardState, now = Date.now()): Promise<void> {
  const key = makeKey(owner)
  const { stored, files } = toStored(state)
  const before = written.get(key) ?? new Set()
  return fileStore()('readwrite', async (store) => {
    for (const [id, file] of files) if (!before.has(id)) store.put(file, fileKey(id))
    for (const id of before) if (!files.has(id)) store.delete(fileKey(id))
    store.put({ owner, savedAt: now, state: stored } satisfies Draft, key)
    store.transaction.commit()
    await promisifyRequest<void>(store.transaction)
    written.set(key, new Set(files.keys()))
  })
}

export async function deleteDraft(owner: DraftOwner): Promise<void> {
  const key = makeKey(owner)
  const ids = written.get(key) ?? new Set()
  written.delete(key)
  await remove([key, ...[...ids].map(fileKey)])
}

async function remove(keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await fileStore()('readwrite', (store) => {
    for (const key of keys) store.delete(key)
    return promisifyRequest<void>(store.transaction)
  })
}
