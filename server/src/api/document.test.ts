import { endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import type { ApiDocument } from './document.ts'

const server = await serverForFile()
const all = Object.entries(endpoints) as [string, Endpoint][]
const document = (await (await server.fetch('/api/openapi.json')).json()) as ApiDocument
const findOperation = ({ path, method }: Endpoint) => document.paths[path]?.[method.toLowerCase()]

test('the document has every endpoint, once', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(all.map(([name]) => name).sort())
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: server.settings.publicUrl }])
})

test('every parameter of a path is declared, and every reference leads somewhere', () => {
  for (const [, endpoint] of all) {
    const operation = findOperation(endpoint)
    const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path as string)
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document)
    expect(target, reference).toBeDefined()
  }
})

test('every call documents its access, request and responses', () => {
  for (const [name, endpoint] of all) {
    const { security, requestBody, responses, description } = findOperation(endpoint)!
    expect(security.length, name).toBe(endpoint.access === 'public' ? 0 : 1)
    for (const requirement of security)
      for (const scheme of Object.keys(requirement)) expect(Object.keys(document.components.securitySchemes)).toContain(scheme)
    expect(description).toMatch(/\.$/)
    expect(requestBody !== undefined, name).toBe(endpoint.body !== undefined || endpoint.upload !== undefined)
    expect(Object.keys(responses)).toContain('default')
    expect(Object.keys(responses)).toContain(endpoint.response || endpoint.download || endpoint.events ? '200' : '204')
  }
  expect(findOperation(endpoints.publishCfg)?.description).toBe(
    'Members of the organization with manage:cfg. Writes ZoneConfigChange to the audit log.',
  )
  expect(Object.keys(findOperation(endpoints.publishCodeRules)!.requestBody!.content)).toEqual(['multipart/form-data'])
})

test('a list that can be whole or paged documents both', async () => {
  const operation = findOperation(endpoints.listAllOrganizations)!
  const success = (operation.responses as unknown as Record<string, { content: Record<string, { schema: unknown }> }>)['200']!
  const [whole, page] = (success.content['application/json']!.schema as { anyOf: Record<string, object>[] }).anyOf
  expect(whole).toMatchObject({ type: 'array', items: { properties: { id: {}, name: {}, groups: {}, hasEpicData: {} } } })
  expect(page).toMatchObject({ type: 'object', properties: { organizationList: {}, pageNumber: {}, pageSize: {}, totalCount: {} } })
  expect(operation.parameters.map(({ name, required }) => [name, required])).toEqual([
    ['PageNumber', false],
    ['PageSize', false],
    ['textFilter', false],
  ])
  const html = await (await server.fetch('/api/docs')).text()
  const section = html.slice(html.indexOf('<section id="listAllOrganizations">'))
  expect(section.slice(0, section.indexOf('</section>'))).toContain('anyOf')
})

test('a download of several formats documents each', () => {
  const { responses } = findOperation(endpoints.makeGoCode)! as unknown as { responses: Record<string, { content: object }> }
  expect(Object.keys(responses['200']!.content)).toEqual(['application/octet-stream', 'image/png', 'image/svg+xml', 'application/pdf'])
})

test('required inputs are documented: a company name is required, an invitation is not', () => {
  expect(findOperation(endpoints.renameGroup)!.requestBody?.required).toBe(true)
  expect(findOperation(endpoints.joinGroup)!.requestBody?.required).toBe(false)
  const parameters = findOperation(endpoints.registerOrganization)!.parameters
  expect(parameters.find(({ name }) => name === 'companyName')).toMatchObject({ in: 'query', required: true })
})

test('a person can read it: a page that needs no script and names every call', async () => {
  const page = await server.fetch('/api/docs')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const html = await page.text()
  expect(html).not.toContain('<script')
  for (const [name, { path, method }] of all) {
    expect(html).toContain(`<section id="${name}">`)
    expect(html).toContain(`${method} ${path}`)
  }
})
