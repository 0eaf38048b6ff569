import { parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import { configurationNameLength, type SavedConfiguration, type SavedContent } from '@lectern/contract/library.ts'
import { cleanName, isVisible, unusableName } from '@lectern/contract/text/text.ts'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { type Handlers, writePrepared } from '../lib/http/serve.ts'
import { type Check, checkScriptText } from '../publications/publications.ts'
import { addVersion, changeEntry, createEntry, findEntries, getEntry, getVersion } from './library.ts'
import { deleteEntry, deleteNamed, selectCommandLists } from './sql.ts'

export const libraryRoutes = {
  listSavedConfigurations: async ({ db, params }) => (await selectCommandLists(db, params.organizationId)).map(toSavedConfiguration),
  saveConfiguration: async ({ db, actor, params, body: commands }) => {
    const { organizationId, deviceName: device } = params
    const name = parseName(params.name)
    const id = await createEntry(db, actor, organizationId, { name, device, note: '', content: { kind: 'commands', commands } })
    const { creationDate } = await getEntry(db, organizationId, id)
    return { name, device, commands, creationDate }
  },
  deleteSavedConfiguration: async ({ db, actor, params: { organizationId, device, name: given } }) => {
    const name = given.normalize('NFC')
    // PostgreSQL takes no NUL, not even in a question.
    if (`${device}${name}`.includes('\0') || !(await deleteNamed(db, organizationId, device, name))) throw notFound('configuration')
    await recordDeletion(db, actor, organizationId, { name, device })
  },
  listLibrary: ({ db, params, query, catalogue }) => findEntries(db, params.organizationId, query.textFilter, catalogue),
  createLibraryEntry: writePrepared(checkContent, async ({ db, actor, params: { organizationId }, body }) =>
    getEntry(db, organizationId, await createEntry(db, actor, organizationId, body)),
  ),
  getLibraryEntry: ({ db, params }) => getEntry(db, params.organizationId, params.id),
  updateLibraryEntry: ({ body, unchanged, ...call }) => changeEntry(call, body, unchanged),
  deleteLibraryEntry: async ({ db, actor, params: { organizationId, id } }) => {
    const deleted = await deleteEntry(db, organizationId, id)
    if (!deleted) throw notFound('configuration')
    await recordDeletion(db, actor, organizationId, deleted)
  },
  addLibraryVersion: writePrepared(checkContent, ({ body, ...call }) => addVersion(call, body)),
  getLibraryVersion: ({ db, params }) => getVersion(db, params.organizationId, params.id, params.number),
} satisfies Partial<Handlers>

interface ContentCall extends Check {
  body: { content: SavedContent } | object
}

/** A version never changes, so a script that cannot work is none. Throws a Problem 400. */
async function checkContent({ body, ...call }: ContentCall): Promise<void> {
  if ('content' in body && body.content.kind === 'script') await checkScriptText(call, body.content)
}

const recordDeletion = (db: Database, actor: Actor, organizationId: number, { name, device }: { name: string; device: string }) =>
  recordChange(db, actor, { organization_id: organizationId, change_type: 'AdvancedConfigDeleted', config_name: name, target: device })

/** Trims. Throws a Problem 400 for a name that is blank (spec §5), too long or not storable. */
function parseName(text: string): string {
  const name = cleanName(text)
  if (!isVisible(name)) throw new Problem(400, 'Enter a name for the configuration.')
  const problem = unusableName(name)
  if (problem) throw new Problem(400, problem)
  if (name.length > configurationNameLength) throw new Problem(400, `The name must have at most ${configurationNameLength} characters.`)
  return name
}

const toSavedConfiguration = (row: { name: string; device: string; content: string; created_at: Date }): SavedConfiguration => ({
  name: row.name,
  device: row.device,
  commands: parseCommandLines(row.content),
  creationDate: row.created_at.toISOString(),
})
