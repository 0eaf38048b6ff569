import { configurationNameLength, type SavedConfiguration } from '@lectern/contract/library.ts'
import { unusableName } from '@lectern/contract/text/text.ts'
import { recordChange } from '../audit/audit.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { deleteConfiguration, insertConfiguration, selectConfigurations } from './sql.ts'

export const savedConfigurationRoutes = {
  listSavedConfigurations: async ({ db, params }) => (await selectConfigurations(db, params.organizationId)).map(savedConfiguration),
  saveConfiguration: async ({ db, caller, origin, params, body: commands }) => {
    const { organizationId, deviceName: device } = params
    const name = usableName(params.name)
    const saved = await insertConfiguration(db, { organization_id: organizationId, device, name, commands, created_by: caller.userId })
    if (!saved) throw new Problem(409, `There is already a configuration named "${name}" for the ${device}.`)
    await recordChange(
      db,
      { caller, origin },
      { organization_id: organizationId, change_type: 'AdvancedConfigCreated', config_name: name, target: device },
    )
    return savedConfiguration(saved)
  },
  deleteSavedConfiguration: async ({ db, caller, origin, params: { organizationId, device, name } }) => {
    // No stored text has a NUL, which the database could not even be asked for.
    if (`${device}${name}`.includes('\0') || !(await deleteConfiguration(db, organizationId, device, name))) throw notFound('configuration')
    await recordChange(
      db,
      { caller, origin },
      { organization_id: organizationId, change_type: 'AdvancedConfigDeleted', config_name: name, target: device },
    )
  },
} satisfies Partial<Handlers>

/** A name as it is kept, trimmed. Throws a Problem for one that is blank (spec §5), too long, or cannot be kept. */
function usableName(text: string): string {
  const name = text.trim()
  if (name === '') throw new Problem(400, 'Enter a name for the configuration.')
  const problem = unusableName(name)
  if (problem) throw new Problem(400, problem)
  if (name.length > configurationNameLength) throw new Problem(400, `The name must have at most ${configurationNameLength} characters.`)
  return name
}

const savedConfiguration = (row: { name: string; device: string; commands: string[]; created_at: Date }): SavedConfiguration => ({
  name: row.name,
  device: row.device,
  commands: row.commands,
  creationDate: row.created_at.toISOString(),
})
