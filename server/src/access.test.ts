import { type EndpointName, endpoints } from '@lectern/contract/endpoints.ts'
import type { Access, Endpoint } from '@lectern/contract/http/endpoint.ts'
import { Permission } from '@lectern/contract/http/permissions.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { serverForFile } from './testing/server.ts'

/** Which requirement each permission is needed for. */
const permissionRule: Partial<Record<Permission, string>> = {
  'manage:cfg': '[PER-10]',
  'manage:firmware': '[PER-12]',
  'global:access:analytics': '[PER-17]',
}
/** The endpoints that other requirements name, or none. */
const endpointRule: Partial<Record<EndpointName, string>> = {
  removeHost: '',
  listAllOrganizations: '[PER-14]',
  listAllCases: '[API-CRM-02]',
  deleteGroup: '[PER-14]',
  createAd: '[PER-15]',
  updateAd: '[PER-15]',
  deleteAd: '[PER-15]',
  publishFirmwareVersion: '[PER-11]',
  publishFirmwareFile: '[PER-11]',
  uploadFirmwareRelease: '[PER-16]',
  createProduct: '[PER-15]',
  updateProduct: '[PER-15]',
}

const server = await serverForFile()
const organization = await server.organization()
const all = Object.entries(endpoints) as [EndpointName, Endpoint][]

/** Something for every part of a call, whether the endpoint has it or not: access is judged before any of it. */
const argumentsFor = (organizationId: string, id = organization.groupId): CallArguments => ({
  params: {
    ...{ organizationId, organization: organizationId, id, location: uuidv7(), device: 'A271/2', host: uuidv7(), hash: 'a'.repeat(64) },
    address: 'nobody@people.example',
  },
})

const bodiless = (body: unknown) => ({ ...(body as object), instance: 'the request' })

const member = (permissions: readonly Permission[] = []) => server.person({ organization, permissions })
const needed = (access: Access): readonly Permission[] =>
  typeof access === 'string' ? [] : 'organization' in access ? access.organization : access.provider

describe.each(all)('%s', (name, { access, path }) => {
  const status = async (token?: string, organizationId = organization.id) =>
    (await server.call(name, argumentsFor(organizationId), { token })).status

  if (access === 'public') {
    test('[PER-18] answers nobody', async () => expect(await status()).toBe(200))
    return
  }

  test('[PER-18] refuses nobody, and what is no bearer credential', async () => {
    const { status, problem, headers } = await server.call(name, argumentsFor(organization.id))
    expect(status).toBe(401)
    expect(problem).toMatchObject({ status: 401, title: 'Not signed in' })
    expect(headers.get('content-type')).toContain('application/problem+json')
    const basic = await server.call(name, argumentsFor(organization.id), { headers: { authorization: 'Basic YTpi' } })
    expect(basic.status).toBe(401)
  })

  test('[PER-18] refuses nobody before it reads what they sent', async () => {
    const { method, url } = toRequest({ path, method: endpoints[name].method } as Endpoint, argumentsFor(organization.id))
    if (method === 'GET') return
    const answer = await server.fetch(url, { method, body: '{ broken', headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(401)
  })

  if (access === 'agent' || access === 'license') {
    test('[PER-18 PER-19] refuses a person', async () => {
      expect(await status((await member(Permission.options)).token)).toBe(401)
    })
    return
  }

  test('[PER-18 PER-19] refuses a host and a licence', async () => {
    const zone = await server.zone()
    expect(await status((await server.host(zone)).credential)).toBe(401)
    expect(await status(await server.licence(organization))).toBe(401)
  })

  for (const missing of needed(access))
    test(`${endpointRule[name] ?? permissionRule[missing] ?? ''} refuses a member without ${missing}`, async () => {
      const isHeld = (permission: Permission) => needed(access).includes(permission) || !permission.startsWith('global:')
      const person = await member(Permission.options.filter((permission) => permission !== missing && isHeld(permission)))
      const { status, problem } = await person.call(name, argumentsFor(organization.id))
      expect({ status, detail: problem.detail }).toEqual({ status: 403, detail: `This needs the permission ${missing}.` })
    })

  test('[PER-21] lets in whoever has just what it names', async () => {
    expect([401, 403]).not.toContain(await status((await member(needed(access))).token))
  })

  if (path.startsWith('/api/lectern/group/{id}') && access === 'self') {
    test("[PER-20] answers another organization's group as one that does not exist", async () => {
      const stranger = await server.person({ organization: await server.organization(), permissions: ['manage:cfg', 'manage:firmware'] })
      const bodies = { renameGroup: { name: 'Mine' }, setGroupProducts: { productIds: [2] } } as Record<string, unknown>
      const answer = async (id: number) =>
        (await stranger.call(name, { ...argumentsFor(organization.id, id), ...(name in bodies ? { body: bodies[name] } : {}) })).problem
      const [foreign, unknown] = [await answer(organization.groupId), await answer(2_147_483_647)]
      expect(foreign).toMatchObject({ status: 404, detail: 'There is no such group.' })
      expect(bodiless(foreign)).toEqual(bodiless(unknown))
    })
  }

  if (!path.includes('{organizationId}')) return

  test('[PER-20] answers another organization as one that does not exist', async () => {
    const stranger = await server.person({ organization: await server.organization(), permissions: ['manage:cfg', 'manage:firmware'] })
    const foreign = await stranger.call(name, argumentsFor(organization.id))
    const unknown = await stranger.call(name, argumentsFor(uuidv7()))
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(bodiless(foreign.problem)).toEqual(bodiless(unknown.problem))
    const nowhere = await server.person({ permissions: ['manage:cfg', 'manage:firmware'] })
    expect(bodiless((await nowhere.call(name, argumentsFor(organization.id))).problem)).toEqual(bodiless(unknown.problem))
  })

  test("[PER-20] lets the vendor's staff in, and tells them which organization does not exist", async () => {
    const staff = await server.person({ permissions: [...needed(access), 'global:access:organizations'] })
    const { problem } = await staff.call(name, argumentsFor(organization.id))
    expect(problem?.detail ?? '').not.toContain('organization')
    const unknown = await staff.call(name, argumentsFor(uuidv7()))
    expect([unknown.status, unknown.problem.detail]).toEqual([404, 'There is no such organization.'])
    const strange = await staff.call(name, argumentsFor('\0'))
    expect(strange.status).toBe(404)
  })
})

test('an endpoint without access does not compile', () => {
  const { getLiveness } = endpoints
  // @ts-expect-error Property 'access' is missing
  const endpoint: Endpoint = { method: getLiveness.method, path: '/', summary: 'Says nothing of who may call it' }
  expect(endpoint).not.toHaveProperty('access')
})
