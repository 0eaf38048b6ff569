import * as z from 'zod/mini'
import { endpoint, oneOf } from './http/endpoint.ts'
import { Name, Text } from './text/text.ts'

/** `companyId`: the organization's number (spec §3). */
export const Config = z.object({ id: z.int(), companyId: z.int(), configName: z.string(), configString: z.string() })
export type Config = z.infer<typeof Config>

const maxId = 2_147_483_647
const Id = z.coerce.number().check(z.int('must be a number'), z.minimum(1), z.maximum(maxId))

/** Collections belong to the caller's organization. */
const Collection = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'))

const ConfigInput = z.object({ configName: Name(200), configString: Text(100_000) })
const base = '/api/configs'
const configs = z.array(Config)

export const legacyConfigEndpoints = {
  listConfigs: endpoint({
    method: 'GET',
    path: base,
    access: 'self',
    limitedRole: 'everything',
    shows: ['legacy-configs'],
    summary: 'The configs of one’s organization (staff: every one)',
    response: configs,
  }),
  listCompanyConfigs: endpoint({
    method: 'GET',
    path: `${base}/cid/{cid}`,
    access: 'self',
    limitedRole: 'everything',
    shows: ['legacy-configs'],
    summary: 'The configs of a company; empty for another one than one’s own',
    params: z.object({ cid: Id }),
    response: configs,
  }),
  getConfig: endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    access: 'self',
    limitedRole: 'everything',
    shows: ['legacy-configs'],
    summary: 'A config',
    params: z.object({ id: Id }),
    response: Config,
  }),
  createConfig: endpoint({
    method: 'POST',
    path: `${base}/Create`,
    access: oneOf('manage:cfg'),
    changes: ['legacy-configs'],
    audit: 'createConfig',
    summary: 'Add a config to a collection',
    query: z.object({ collection: Collection }),
    body: ConfigInput,
    maxBodyBytes: 640 * 1024,
    response: Config,
  }),
  editConfig: endpoint({
    method: 'POST',
    path: `${base}/Edit`,
    access: oneOf('manage:cfg'),
    changes: ['legacy-configs'],
    audit: 'editConfig',
    summary: 'Change a config of a collection; what is absent stays',
    query: z.object({ id: Id, collection: Collection }),
    body: z.partial(ConfigInput),
    maxBodyBytes: 640 * 1024,
    response: Config,
  }),
  deleteConfig: endpoint({
    method: 'POST',
    path: `${base}/Delete`,
    access: oneOf('manage:cfg'),
    changes: ['legacy-configs'],
    audit: 'deleteConfig',
    summary: 'Delete a config of a collection',
    query: z.object({ id: Id, collection: Collection }),
  }),
}
