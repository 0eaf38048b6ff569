import { configurationNameLength, type SavedConfiguration } from '@lectern/contract/library.ts'
import { unusableName } from '@lectern/contract/text/text.ts'
import { recordChange } from '../audit/audit.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { deleteConfiguration, insertConfiguration, selectConfigurations } from './sql.ts'

export const libraryRoutes = {
  listSavedConfigurations: async ({ db, params }) => (await selectConfigurations(db, params.organizationId)).map(toSavedConfiguration),
  saveConfiguration: async ({ db, caller, actor, params, body: commands }) => {
    const { organizationId, deviceName: device } = params
    const name = parseName(params.name)
    const saved = await insertConfiguration(db, { organization_id: organizationId, device, name, commands, created_by: caller.userId })
    if (!saved) throw new Problem(409, `There is already a configuration named "${name}" for the ${device}.`)
    await recordChange(db, actor, {
      organization_id: organizationId,
      change_type: 'AdvancedConfigCreated',
      config_name: name,
      target: device,
    })
    return toSavedConfiguration(saved)
  },
  deleteSavedConfiguration: async ({ db, actor, params: { organizationId, device, name } }) => {
    // PostgreSQL takes no NUL, not even in a question.
    if (`${device}${name}`.includes('\0') || !(await deleteConfiguration(db, organizationId, device, name))) throw notFound('configuration')
    await recordChange(db, actor, {
      organization_id: organizationId,
      change_type: 'AdvancedConfigDeleted',
      config_name: name,
      target: device,
    })
  },
} satisfies Partial<Handlers>

/** Trims. Throws a Problem 400 for a name that is blank (spec §5), too long or not storable. */
function parseName(text: string): string {
  const name = text.trim()
  if (name === '') throw new Problem(400, 'Enter a name for the configuration.')
  const problem = unusableName(name)
  if (problem) throw new Problem(400, problem)
  if (name.length > configurationNameLength) throw new Problem(400, `The name must have at most ${configurationNameLength} characters.`)
  return name
}

const toSavedConfiguration = (row: { name: string; device: string; commands: string[]; created_at: Date }): SavedConfiguration => ({
  name: row.name,
  device: row.device,
  commands: row.commands,
  creationDate: row.created_at.toISOString(),
})
