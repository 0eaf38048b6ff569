import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

test('[API-ORG-04 ENT-07] lists the countries of ISO 3166-1 by name, each once', async () => {
  const { status, body } = await (await server.person()).call('listCountries')
  expect(status).toBe(200)
  expect(body.length).toBeGreaterThanOrEqual(249)
  expect(new Set(body.map(({ countryCode }) => countryCode)).size).toBe(body.length)
  expect(new Set(body.map(({ name }) => name)).size).toBe(body.length)
  for (const country of body) {
    expect(Object.keys(country).sort()).toEqual(['countryCode', 'name'])
    expect(country.countryCode).toMatch(/^[A-Z]{2}$/)
    expect(country.name.trim()).not.toBe('')
  }
  for (const country of [
    { countryCode: 'US', name: 'United States of America' },
    { countryCode: 'DE', name: 'Germany' },
    { countryCode: 'AX', name: 'Åland Islands' },
    { countryCode: 'CI', name: "Cote d'Ivoire" },
  ])
    expect(body).toContainEqual(country)
  expect(body.map(({ name }) => name)).toEqual(body.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other, 'en')))
  expect(body[0]?.name).toBe('Afghanistan')
})
