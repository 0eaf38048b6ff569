import type { Config } from '@lectern/contract/legacy-configs.ts'
import { type Change, recordChange } from '../audit/audit.ts'
import type { Database } from '../lib/database/database.ts'
import { findScope, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { deleteConfig, insertConfig, selectConfig, selectConfigs, selectConfigsOfCompany, updateConfig } from './sql.ts'

export const legacyConfigRoutes = {
  listConfigs: async ({ db, caller }) => (await selectConfigs(db, findScope(caller))).map(toConfig),
  listCompanyConfigs: async ({ db, caller, params }) => (await selectConfigsOfCompany(db, findScope(caller), params.cid)).map(toConfig),
  getConfig: ({ db, caller, params }) => getConfig(db, caller, params.id),
  createConfig: async ({ db, caller, actor, query, body }) => {
    const organizationId = caller.organizations[0]?.id
    if (organizationId === undefined) throw new Problem(409, 'You belong to no organization, and a config needs one.')
    const config = { organization_id: organizationId, collection: query.collection, name: body.configName, content: body.configString }
    const id = await insertConfig(db, { ...config, created_by: caller.userId })
    await recordChange(db, actor, toChange('createConfig', config, query))
    return getConfig(db, caller, id)
  },
  editConfig: async ({ db, caller, actor, query, body }) => {
    const changes = { name: body.configName, content: body.configString }
    const config = await updateConfig(db, { ...query, scope: findScope(caller) }, changes)
    if (!config) throw notFound('config')
    await recordChange(db, actor, toChange('editConfig', config, query))
    return getConfig(db, caller, query.id)
  },
  deleteConfig: async ({ db, caller, actor, query }) => {
    const config = await deleteConfig(db, { ...query, scope: findScope(caller) })
    if (!config) throw notFound('config')
    await recordChange(db, actor, toChange('deleteConfig', config, query))
  },
} satisfies Partial<Handlers>

const toChange = (
  change_type: 'createConfig' | 'editConfig' | 'deleteConfig',
  { organization_id, name }: { organization_id: number; name: string },
  { collection }: { collection: string },
): Change => ({ organization_id, change_type, config_name: name, target: collection })

async function getConfig(db: Database, caller: Person, id: number): Promise<Config> {
  const row = await selectConfig(db, findScope(caller), id)
  if (!row) throw notFound('config')
  return toConfig(row)
}

const toConfig = (row: { id: number; company_id: number; name: string; content: string }): Config => ({
  id: row.id,
  companyId: row.company_id,
  configName: row.name,
  configString: row.content,
})
