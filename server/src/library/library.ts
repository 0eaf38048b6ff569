import { createHash } from 'node:crypto'
import { BuilderDevice, type Catalogue, listOptions, listWays, slot } from '@lectern/contract/barcode/catalogue.ts'
import { parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import { UpdateModelName } from '@lectern/contract/devices/device-models.ts'
import {
  configurationNameLength,
  type DeletedLibraryEntry,
  formatContent,
  type LibraryContent,
  type LibraryDetail,
  type LibraryEntry,
  type LibraryVersion,
  type SavedContent,
  versionLimit,
} from '@lectern/contract/library.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { versionName } from '@lectern/contract/publications/version-name.ts'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import {
  clearMaker,
  type EntryRow,
  insertEntry,
  insertVersion,
  isNameTaken,
  lockDeleted,
  lockEntry,
  lockNamed,
  markDeleted,
  restoreEntry,
  type SoughtWord,
  type StoredContent,
  selectDeleted,
  selectEntries,
  selectEntry,
  selectVersion,
  selectVersions,
  updateEntry,
  type VersionRow,
} from './sql.ts'

interface LibraryCall {
  db: Database
  actor: Actor<Person>
  params: { organizationId: number; id: string }
}

const toVersion = ({ number, kind, content_hash, size, saved_at, saved_by }: VersionRow): LibraryVersion => ({
  number,
  kind,
  contentHash: content_hash,
  size,
  savedAt: saved_at.toISOString(),
  ...(saved_by !== null && { savedBy: saved_by }),
})

const toEntry = (caller: Person, { id, name, device, note, version, created_at, created_by, ...row }: EntryRow): LibraryEntry => {
  const { number: _, contentHash: __, size: ___, ...saved } = toVersion(row)
  return { id, name, device, note, version, creationDate: created_at.toISOString(), mayChange: mayChange(caller, created_by), ...saved }
}

const mayChangeAll = ({ permissions }: Person): boolean => permissions.has('manage:cfg-lib')

/** Whether a person may change an entry: their own always, those of others by a permission (decision 74). */
const mayChange = (caller: Person, maker: string | null): boolean => maker === caller.userId || mayChangeAll(caller)

/** Throws a Problem 403. */
function refuseForeign({ caller }: Actor<Person>, { created_by }: { created_by: string | null }): void {
  if (!mayChange(caller, created_by))
    throw new Problem(
      403,
      `You did not make this configuration. To change it you need the permission ${quotePermissions(['manage:cfg-lib'])}.`,
    )
}

const wordLimit = 8
const optionLimit = 20

export async function findEntries(
  { db, caller, catalogue }: { db: Database; caller: Person; catalogue: Catalogue },
  organizationId: number,
  textFilter: string,
): Promise<LibraryEntry[]> {
  const words = textFilter.split(/\s+/).filter((word) => word !== '')
  return (
    await selectEntries(
      db,
      organizationId,
      words.slice(0, wordLimit).map((word) => toSought(word, catalogue)),
    )
  ).map((row) => toEntry(caller, row))
}

/** Shorter words are in the names of most options, and are no trigram. */
const shortestOption = 3

function toSought(word: string, catalogue: Catalogue): SoughtWord {
  if (word.length < shortestOption) return { word, commands: [] }
  const options = listOptions(catalogue).filter(({ label }) => label.toLowerCase().includes(word.toLowerCase()))
  const commands = options.slice(0, optionLimit).flatMap((option) => {
    const formatter = option.type === 'string' || option.type === 'number' ? (option.formatter ?? []) : []
    return [...formatter, ...listWays(option).flatMap((way) => way.commands)].map(toBeginning)
  })
  return { word, commands: [...new Set(commands)] }
}

// The beginning of a command, for any value. For a command of several parameters, that of the first.
const toBeginning = (command: string): string =>
  /^(?:SY[A-Z0-9]{4}|[A-Z]{2}[A-Z0-9]{2})[SGRXP][A-Z0-9]{2}/.exec(command)?.[0] ?? command.split(slot)[0]!

export async function getEntry(db: Database, caller: Person, organizationId: number, id: string): Promise<LibraryDetail> {
  const entry = await selectEntry(db, organizationId, id)
  if (!entry) throw notFound('configuration')
  return { ...toEntry(caller, entry), versions: (await selectVersions(db, organizationId, id)).map(toVersion) }
}

export async function getVersion(db: Database, organizationId: number, id: string, number: number): Promise<LibraryContent> {
  const row = await selectVersion(db, organizationId, id, number)
  if (!row) throw notFound('version')
  return { ...toVersion(row), content: toContent(row) }
}

/** As it is stored; null where the library does not have it any more. */
export const findContent = async (db: Database, organizationId: number, id: string, number: number): Promise<string | null> =>
  (await selectVersion(db, organizationId, id, number))?.content ?? null

const toContent = ({ kind, content: text, file_name }: StoredContent): SavedContent =>
  kind === 'commands'
    ? { kind, commands: parseCommandLines(text) }
    : kind === 'cfg'
      ? { kind, text }
      : { kind, text, fileName: file_name ?? '' }

function toStored(content: SavedContent): StoredContent {
  const text = formatContent(content)
  return {
    kind: content.kind,
    file_name: content.kind === 'script' ? content.fileName : null,
    content: text,
    content_hash: createHash('sha256').update(text).digest('hex'),
    size: Buffer.byteLength(text),
  }
}

/** Throws a Problem 400 where the model takes no such content. */
function requireModel(device: string, { kind }: SavedContent): void {
  const models = kind === 'commands' ? BuilderDevice : UpdateModelName
  if (!models.safeParse(device).success)
    throw new Problem(400, `A ${device} takes no ${kind === 'commands' ? 'commands of the builder' : kind === 'cfg' ? 'CFG' : 'script'}.`)
}

/** Returns name and bytes. Throws a Problem 409 where it was deleted, or is for another model. */
export async function getPublishable(
  db: Database,
  organizationId: number,
  choice: { configurationId: string; version: number },
  model: string,
) {
  const entry = await selectEntry(db, organizationId, choice.configurationId)
  const version = entry && (await selectVersion(db, organizationId, choice.configurationId, choice.version))
  if (!version) throw new Problem(409, `The configuration for the ${model} is no longer in the library. Choose another one.`)
  if (entry.device !== model)
    throw new Problem(409, `${versionName(entry.name, version.number)} is for the ${entry.device}, not for the ${model}.`)
  return { kind: version.kind, name: versionName(entry.name, version.number), bytes: Buffer.from(version.content, 'utf8') }
}

interface NewEntry {
  name: string
  device: string
  note: string
  content: SavedContent
}

/** Returns its id. Throws a Problem 409 where the name is taken. */
export async function createEntry(db: Database, actor: Actor<Person>, organizationId: number, entry: NewEntry): Promise<string> {
  const { name, device, note, content } = entry
  requireModel(device, content)
  const { userId } = actor.caller
  const id = await insertEntry(db, { organization_id: organizationId, device, name, note, created_by: userId })
  if (id === null) throw createConflict(name, device)
  await insertVersion(db, { organizationId, id, number: 1, userId }, toStored(content))
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'AdvancedConfigCreated',
    config_name: name,
    target: device,
  })
  return id
}

const createConflict = (name: string, device: string): Problem => {
  const message = `There is already a configuration named "${name}" for the ${device}.`
  return new Problem(409, message, { errors: [{ field: 'name', message }] })
}

export async function changeEntry(
  { db, actor, params: { organizationId, id } }: LibraryCall,
  input: { name: string; note: string },
  unchanged: (before: { name: string; note: string }) => Promise<void>,
): Promise<LibraryDetail> {
  const before = await lockEntry(db, organizationId, id)
  if (!before) throw notFound('configuration')
  refuseForeign(actor, before)
  await unchanged(before)
  try {
    await updateEntry(db, organizationId, id, input)
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw createConflict(input.name, before.device)
    throw error
  }
  if (input.name !== before.name || input.note !== before.note)
    await recordChange(db, actor, {
      organization_id: organizationId,
      change_type: 'updateLibraryEntry',
      config_name: before.name,
      target: before.device,
      new_value: input.name === before.name ? 'note' : `renamed to ${input.name}`,
    })
  return getEntry(db, actor.caller, organizationId, id)
}

/** Adds none where the newest version has this content already: a repeated call changes nothing. */
export async function addVersion(
  { db, actor, params: { organizationId, id } }: LibraryCall,
  next: { content: SavedContent } | { restores: number },
): Promise<LibraryDetail> {
  const entry = await lockEntry(db, organizationId, id)
  if (!entry) throw notFound('configuration')
  refuseForeign(actor, entry)
  const stored = 'content' in next ? toStored(next.content) : await selectVersion(db, organizationId, id, next.restores)
  if (!stored) throw notFound('version')
  if ('content' in next) requireModel(entry.device, next.content)
  const { kind, file_name, content, content_hash, size } = stored
  const newest = await selectEntry(db, organizationId, id)
  if (newest?.kind === kind && newest.content_hash === content_hash && newest.file_name === file_name)
    return getEntry(db, actor.caller, organizationId, id)
  if (entry.version >= versionLimit) throw new Problem(409, `A configuration has at most ${versionLimit} versions.`)
  const number = entry.version + 1
  await insertVersion(db, { organizationId, id, number, userId: actor.caller.userId }, { kind, file_name, content, content_hash, size })
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'addLibraryVersion',
    config_name: entry.name,
    target: entry.device,
    version: String(number),
  })
  return getEntry(db, actor.caller, organizationId, id)
}

/** The entry can be restored for 30 days. */
export async function deleteEntry({ db, actor, params: { organizationId, id } }: LibraryCall): Promise<void> {
  await deleteLocked(db, actor, organizationId, await lockEntry(db, organizationId, id))
}

export async function deleteNamedEntry(
  { db, actor }: Omit<LibraryCall, 'params'>,
  { organizationId, device, name: given }: { organizationId: number; device: string; name: string },
): Promise<void> {
  const name = given.normalize('NFC')
  // PostgreSQL takes no NUL in a text, also in a condition.
  const isNoName = `${device}${name}`.includes('\0')
  await deleteLocked(db, actor, organizationId, isNoName ? undefined : await lockNamed(db, organizationId, device, name))
}

async function deleteLocked(
  db: Database,
  actor: Actor<Person>,
  organizationId: number,
  entry: Awaited<ReturnType<typeof lockEntry>>,
): Promise<void> {
  if (!entry) throw notFound('configuration')
  refuseForeign(actor, entry)
  await markDeleted(db, organizationId, entry.id, actor.caller.userId)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'AdvancedConfigDeleted',
    config_name: entry.name,
    target: entry.device,
  })
}

export async function listDeleted(db: Database, caller: Person, organizationId: number): Promise<DeletedLibraryEntry[]> {
  const rows = await selectDeleted(db, organizationId, mayChangeAll(caller) ? null : caller.userId)
  return rows.map(({ deleted_at, deleted_by, ...row }) => ({
    ...row,
    deletedAt: deleted_at.toISOString(),
    ...(deleted_by !== null && { deletedBy: deleted_by }),
  }))
}

/** Restored as "name (2)" where its name is taken by now. */
export async function restoreDeleted({ db, actor, params: { organizationId, id } }: LibraryCall): Promise<LibraryDetail> {
  const entry = await lockDeleted(db, organizationId, id)
  if (!entry) throw notFound('configuration')
  refuseForeign(actor, entry)
  let name = entry.name
  for (let copy = 2; await isNameTaken(db, organizationId, entry.device, name); copy++) name = numbered(entry.name, copy)
  await restoreEntry(db, organizationId, id, name)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'restoreLibraryEntry',
    config_name: entry.name,
    target: entry.device,
    ...(name !== entry.name && { new_value: `renamed to ${name}` }),
  })
  return getEntry(db, actor.caller, organizationId, id)
}

/** Cuts the name, so that it is not too long with its number. */
function numbered(name: string, copy: number): string {
  const suffix = ` (${copy})`
  return `${name.slice(0, configurationNameLength - suffix.length)}${suffix}`
}

/** A person who leaves is no longer the maker of entries there, also when they come back. */
export async function disownEntries(db: Database, organizationId: number, userId: string): Promise<void> {
  await clearMaker(db, organizationId, userId)
}
