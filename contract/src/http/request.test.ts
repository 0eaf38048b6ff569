import { expect, test } from 'vitest'
import { endpoints } from '../endpoints.ts'
import { toRequest } from './request.ts'

test('[FET-02] a JSON body is sent with the JSON content type; without one there is neither', () => {
  const params = { organizationId: 'o', location: 'l', device: 'A271/2' }
  expect(toRequest(endpoints.publishCfg, { params, body: { cfg: '<cfg></cfg>' } })).toEqual({
    method: 'POST',
    url: '/api/codedm/organization/o/location/l/device/A271%2F2/configuration/cfg',
    headers: { 'content-type': 'application/json' },
    body: '{"cfg":"<cfg></cfg>"}',
  })
  expect(toRequest(endpoints.deleteZone, { params })).toEqual({
    method: 'DELETE',
    url: '/api/codedm/organization/o/location/l',
    headers: {},
  })
})

test('[FET-02] query parameters are appended, encoded, without those that are not set', () => {
  const { url } = toRequest(endpoints.listDevices, {
    params: { organizationId: 'o' },
    query: { textFilter: 'a&b=c d/é', PageNumber: 0, onlyOffline: false, ColumnName: undefined },
  })
  expect(url).toBe('/api/codedm/organization/o/devices?textFilter=a%26b%3Dc+d%2F%C3%A9&PageNumber=0&onlyOffline=false')
})

test('path parameters are encoded whole, whatever they hold', () => {
  const location = 'a/b?c#d%e é'
  const { url } = toRequest(endpoints.createZone, { params: { organizationId: '../o', location } })
  expect(url).toBe(`/api/codedm/organization/..%2Fo/location/${encodeURIComponent(location)}`)
})

test('an upload is multipart: the fields first, then the file with its name', async () => {
  const file = new File(['x()'], 'règles.js')
  const params = { organizationId: 'o', location: 'l', device: 'CR2700' }
  const { headers, body } = toRequest(endpoints.publishCodeRules, { params, file, fields: { updateTime: '03:00', nothing: undefined } })
  expect(headers).toEqual({})
  const parts = [...(body as FormData).entries()]
  expect(parts.map(([name]) => name)).toEqual(['updateTime', 'file'])
  expect(parts[0]?.[1]).toBe('03:00')
  expect((parts[1]![1] as File).name).toBe('règles.js')
  expect(await (parts[1]![1] as File).text()).toBe('x()')
})
