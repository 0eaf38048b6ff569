import * as z from 'zod/mini'
import { BuilderDevice } from './barcode/catalogue.ts'
import { formatCommandLines } from './barcode/commands.ts'
import { commandListProblem } from './barcode/configuration-payload.ts'
import { DeviceModel } from './devices/device-models.ts'
import { endpoint, organization } from './http/endpoint.ts'
import { CfgText } from './publications/publications.ts'
import { field } from './text/fields.ts'
import { Instant, Name, Text, Uuid, unusableName } from './text/text.ts'

/** `commands` begin with CFR where the reader is reset first (spec §3). */
export const SavedConfiguration = z.object({ name: z.string(), device: z.string(), commands: z.array(z.string()), creationDate: Instant })
export type SavedConfiguration = z.infer<typeof SavedConfiguration>

export const configurationNameLength = 200
export const libraryNoteLength = 2_000
export const versionLimit = 1_000

/** About twenty symbols. */
const limits = { commands: 2_000, characters: 60_000 }

export const CommandList = z.array(z.string()).check(
  z.maxLength(limits.commands, `must have at most ${limits.commands} commands`),
  z.check((context) => {
    const { value } = context
    const isLong = value.reduce((sum, command) => sum + command.length, 0) > limits.characters
    const message = isLong
      ? `must have at most ${limits.characters} characters in all`
      : commandListProblem({ commands: value, reset: false })
    if (message) context.issues.push({ code: 'custom', message, input: value })
  }),
)

export const ConfigurationDevice = z.enum(BuilderDevice.options, { error: (issue) => `Unsupported device: ${String(issue.input)}` })

const maxScriptLength = 1_000_000

export const SavedContent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('commands'), commands: CommandList }),
  z.object({ kind: z.literal('cfg'), text: CfgText }),
  z.object({ kind: z.literal('script'), text: Text(maxScriptLength), fileName: Name(204) }),
])
export type SavedContent = z.infer<typeof SavedContent>
export const SavedKind = z.enum(['commands', 'cfg', 'script'])
export type SavedKind = z.infer<typeof SavedKind>

/** The content as it is stored, sent and compared: a command per line. */
export const formatContent = (content: SavedContent): string =>
  content.kind === 'commands' ? formatCommandLines(content.commands) : content.text

/** People are absent where they were deleted. */
const Saved = { savedAt: z.iso.datetime(), savedBy: z.optional(z.string()) }

/** `version`: the newest, which has `kind`, `savedAt` and `savedBy`. `mayChange`: whether the caller may change and delete the entry. */
export const LibraryEntry = z.object({
  id: Uuid,
  name: z.string(),
  device: z.string(),
  note: z.string(),
  kind: SavedKind,
  version: z.int(),
  creationDate: Instant,
  mayChange: z.boolean(),
  ...Saved,
})
export type LibraryEntry = z.infer<typeof LibraryEntry>

/** Can be restored for `deletedDays` after `deletedAt`. `deletedBy`: absent where that user is deleted. */
export const DeletedLibraryEntry = z.object({
  id: Uuid,
  name: z.string(),
  device: z.string(),
  version: z.int(),
  deletedAt: Instant,
  deletedBy: z.optional(z.string()),
})
export type DeletedLibraryEntry = z.infer<typeof DeletedLibraryEntry>

/** Days for which a deleted entry can be restored. */
export const deletedDays = 30

export const LibraryVersion = z.object({ number: z.int(), kind: SavedKind, contentHash: z.string(), size: z.int(), ...Saved })
export type LibraryVersion = z.infer<typeof LibraryVersion>

/** Versions are newest first. */
export const LibraryDetail = z.extend(LibraryEntry, { versions: z.array(LibraryVersion) })
export type LibraryDetail = z.infer<typeof LibraryDetail>

export const LibraryContent = z.extend(LibraryVersion, { content: SavedContent })
export type LibraryContent = z.infer<typeof LibraryContent>

const EntryName = Name(configurationNameLength).check(
  z.check((context) => {
    // The name is part of paths of specified calls.
    const message = unusableName(context.value)
    if (message) context.issues.push({ code: 'custom', message, input: context.value })
  }),
)
const Note = z.pipe(z.string().check(z.trim()), Text(libraryNoteLength))

export const LibraryInput = z.object({
  name: field(EntryName, { label: 'Name' }),
  note: field(z._default(Note, ''), { label: 'Note', hint: 'What it is for. May be left empty.' }),
})
export const NewLibraryEntry = z.extend(LibraryInput, { device: field(DeviceModel, { label: 'Device' }), content: SavedContent })
/** `restores`: the number of the version whose content the new version gets. */
export const NewLibraryVersion = z.union([z.object({ content: SavedContent }), z.object({ restores: z.int() })])

const specified = '/api/codedm/organization/{organizationId}/configuration'
const base = '/api/codedm/organization/{organizationId}/library' as const
const one = z.object({ id: Uuid })
const edited = z.object({ name: z.string(), note: z.string() })
const maxContentBytes = 6 * 1024 * 1024

export const libraryEndpoints = {
  listSavedConfigurations: endpoint({
    method: 'GET',
    path: specified,
    access: organization(),
    limitedRole: 'everything',
    shows: ['library'],
    summary:
      'Builder commands of the configuration library, the newest version of each entry, whole; the newest entry first; one such list at a time of an account, two of an organization',
    response: z.array(SavedConfiguration),
    whole: SavedConfiguration,
  }),
  saveConfiguration: endpoint({
    method: 'POST',
    path: `${specified}/device/{deviceName}/name/{name}`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'AdvancedConfigCreated',
    summary: 'Saves a configuration in the library, as version 1',
    params: z.object({ deviceName: ConfigurationDevice }),
    body: CommandList,
    maxBodyBytes: 80 * 1024,
    response: SavedConfiguration,
  }),
  deleteSavedConfiguration: endpoint({
    method: 'DELETE',
    path: `${specified}/device/{device}/name/{name}`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'AdvancedConfigDeleted',
    summary: 'Deletes a configuration from the library, with all its versions; one that others made needs manage:cfg-lib',
  }),
  listLibrary: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    limitedRole: 'everything',
    shows: ['library'],
    summary:
      'The configuration library, the newest entry first; textFilter finds each of its words in a name, a note, a model, or what the newest version has inside: options, commands, text',
    query: z.object({ textFilter: z._default(Text(200), '') }),
    response: z.array(LibraryEntry),
  }),
  createLibraryEntry: endpoint({
    method: 'POST',
    path: base,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'AdvancedConfigCreated',
    summary: 'Saves builder commands, CFG text or a CodeRules script in the library, as version 1',
    body: NewLibraryEntry,
    maxBodyBytes: maxContentBytes,
    response: LibraryDetail,
  }),
  getLibraryEntry: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: organization(),
    limitedRole: 'everything',
    shows: ['library'],
    summary: 'An entry of the library and its versions',
    params: one,
    response: LibraryDetail,
    etag: edited,
  }),
  updateLibraryEntry: endpoint({
    method: 'PUT',
    path: `${base}/{id}`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'updateLibraryEntry',
    summary:
      'Renames an entry of the library, and changes its note; one that others made needs manage:cfg-lib; what was published keeps the name it had',
    params: one,
    body: LibraryInput,
    response: LibraryDetail,
    etag: edited,
  }),
  deleteLibraryEntry: endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'AdvancedConfigDeleted',
    summary:
      'Deletes an entry of the library, with all its versions, which can be restored for 30 days; one that others made needs manage:cfg-lib; what was published stays',
    params: one,
  }),
  listDeletedLibraryEntries: endpoint({
    method: 'GET',
    path: `${base}/deleted`,
    access: organization(),
    limitedRole: 'everything',
    shows: ['library'],
    summary: 'The deleted entries of the library that the caller may restore, at most 1,000; the last deleted first',
    response: z.array(DeletedLibraryEntry),
  }),
  restoreLibraryEntry: endpoint({
    method: 'POST',
    path: `${base}/{id}/restore`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'restoreLibraryEntry',
    summary: 'Restores a deleted entry of the library, with all its versions; as “name (2)” where its name is taken by now',
    params: one,
    response: LibraryDetail,
  }),
  addLibraryVersion: endpoint({
    method: 'POST',
    path: `${base}/{id}/versions`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'addLibraryVersion',
    summary:
      'Adds a version to an entry of the library, with new content or with that of an earlier version; none where the newest has it already; one that others made needs manage:cfg-lib',
    params: one,
    body: NewLibraryVersion,
    maxBodyBytes: maxContentBytes,
    response: LibraryDetail,
  }),
  getLibraryVersion: endpoint({
    method: 'GET',
    path: `${base}/{id}/versions/{number}`,
    access: organization(),
    limitedRole: 'everything',
    shows: ['library'],
    summary: 'What a version of an entry of the library has inside',
    params: z.extend(one, { number: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(versionLimit)) }),
    response: LibraryContent,
  }),
}
