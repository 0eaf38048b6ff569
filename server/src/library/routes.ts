import { parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import { configurationNameLength, type SavedConfiguration, type SavedContent } from '@lectern/contract/library.ts'
import { cleanName } from '@lectern/contract/text/clean-name.ts'
import { isVisible, unusableName } from '@lectern/contract/text/text.ts'
import { streamRows } from '../lib/database/cursor.ts'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { type Handlers, writePrepared } from '../lib/http/serve.ts'
import { checkScriptText } from '../publications/publications.ts'
import {
  addVersion,
  changeEntry,
  createEntry,
  deleteEntry,
  deleteNamedEntry,
  findEntries,
  getEntry,
  getVersion,
  listDeleted,
  restoreDeleted,
} from './library.ts'
import { selectCommandLists } from './sql.ts'

export const libraryRoutes = {
  listSavedConfigurations: async ({ db, params }) => streamSavedConfigurations(db, params.organizationId),
  saveConfiguration: async ({ db, actor, params, body: commands }) => {
    const { organizationId, deviceName: device } = params
    const name = parseName(params.name)
    const id = await createEntry(db, actor, organizationId, { name, device, note: '', content: { kind: 'commands', commands } })
    const { creationDate } = await getEntry(db, actor.caller, organizationId, id)
    return { name, device, commands, creationDate }
  },
  deleteSavedConfiguration: (call) => deleteNamedEntry(call, call.params),
  listLibrary: ({ params, query, ...call }) => findEntries(call, params.organizationId, query.textFilter),
  createLibraryEntry: writePrepared(checkContent, async ({ db, actor, params: { organizationId }, body }) =>
    getEntry(db, actor.caller, organizationId, await createEntry(db, actor, organizationId, body)),
  ),
  getLibraryEntry: ({ db, caller, params }) => getEntry(db, caller, params.organizationId, params.id),
  updateLibraryEntry: ({ body, unchanged, ...call }) => changeEntry(call, body, unchanged),
  deleteLibraryEntry: (call) => deleteEntry(call),
  listDeletedLibraryEntries: ({ db, caller, params }) => listDeleted(db, caller, params.organizationId),
  restoreLibraryEntry: (call) => restoreDeleted(call),
  addLibraryVersion: writePrepared(checkContent, ({ body, ...call }) => addVersion(call, body)),
  getLibraryVersion: ({ db, params }) => getVersion(db, params.organizationId, params.id, params.number),
} satisfies Partial<Handlers>

type ContentCall = Parameters<typeof checkScriptText>[0] & {
  body: { content: SavedContent } | object
}

/** A version never changes, so a script that cannot work is refused. Throws a Problem 400. */
async function checkContent({ body, ...call }: ContentCall): Promise<void> {
  if ('content' in body && body.content.kind === 'script') await checkScriptText(call, body.content)
}

/** Trims the name. Throws a Problem 400 where it is blank (spec §5), too long or not storable. */
function parseName(text: string): string {
  const name = cleanName(text)
  if (!isVisible(name)) throw new Problem(400, 'Enter a name for the configuration.')
  const problem = unusableName(name)
  if (problem) throw new Problem(400, problem)
  if (name.length > configurationNameLength) throw new Problem(400, `The name must have at most ${configurationNameLength} characters.`)
  return name
}

async function* streamSavedConfigurations(db: Database, organizationId: number): AsyncGenerator<SavedConfiguration> {
  for await (const row of streamRows(db, selectCommandLists(organizationId))) yield toSavedConfiguration(row)
}

const toSavedConfiguration = (row: { name: string; device: string; content: string; created_at: Date }): SavedConfiguration => ({
  name: row.name,
  device: row.device,
  commands: parseCommandLines(row.content),
  creationDate: row.created_at.toISOString(),
})
