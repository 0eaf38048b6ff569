import type { Config } from '@lectern/contract/legacy-configs.ts'
import { type Change, recordChange } from '../audit/audit.ts'
import type { Database } from '../lib/database/database.ts'
import { isStaff, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { deleteConfig, insertConfig, selectConfigs, updateConfig } from './sql.ts'

/** Whose configs the caller sees: their own organization's, or for staff everybody's (decided). */
const reach = (caller: Person) => (isStaff(caller) ? 'all' : caller.organizations)

export const configRoutes = {
  listConfigs: async ({ db, caller }) => (await selectConfigs(db, reach(caller)).execute()).map(toConfig),
  listCompanyConfigs: async ({ db, caller, params }) => {
    const rows = await selectConfigs(db, reach(caller)).where('company_id', '=', params.cid).execute()
    return rows.map(toConfig)
  },
  getConfig: ({ db, caller, params }) => getConfig(db, caller, params.id),
  createConfig: async ({ db, caller, origin, query, body }) => {
    const [organizationId] = caller.organizations
    if (organizationId === undefined) throw new Problem(409, 'You belong to no organization, which the config would belong to.')
    const config = { organization_id: organizationId, collection: query.collection, name: body.configName, content: body.configString }
    const id = await insertConfig(db, config)
    await recordChange(db, { caller, origin }, toChange('createConfig', config, query))
    return getConfig(db, caller, id)
  },
  editConfig: async ({ db, caller, origin, query, body }) => {
    const changes = { name: body.configName, content: body.configString }
    const config = await updateConfig(db, { ...query, organizationIds: reach(caller) }, changes)
    if (!config) throw notFound('config')
    await recordChange(db, { caller, origin }, toChange('editConfig', config, query))
    return getConfig(db, caller, query.id)
  },
  deleteConfig: async ({ db, caller, origin, query }) => {
    const config = await deleteConfig(db, { ...query, organizationIds: reach(caller) })
    if (!config) throw notFound('config')
    await recordChange(db, { caller, origin }, toChange('deleteConfig', config, query))
  },
} satisfies Partial<Handlers>

const toChange = (
  change_type: 'createConfig' | 'editConfig' | 'deleteConfig',
  { organization_id, name }: { organization_id: string; name: string },
  { collection }: { collection: string },
): Change => ({ organization_id, change_type, config_name: name, target: collection })

async function getConfig(db: Database, caller: Person, id: number): Promise<Config> {
  const row = await selectConfigs(db, reach(caller)).where('config.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('config')
  return toConfig(row)
}

const toConfig = (row: { id: number; company_id: number; name: string; content: string }): Config => ({
  id: row.id,
  companyId: row.company_id,
  configName: row.name,
  configString: row.content,
})
