import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtInCatalogue } from '@lectern/contract/barcode/built-in-catalogue.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverForFile, startServer } from '../testing/server.ts'
import { loadCatalogue } from './catalogue.ts'

const server = await serverForFile()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-catalogue-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** An operator's file of that content. */
async function file(content: unknown): Promise<string> {
  const path = join(folder, `${Math.random()}.json`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('[BLD-11] without a file the catalogue is the built-in one, of six categories', async () => {
  const catalogue = await loadCatalogue(null)
  expect(catalogue.map(({ title }) => title)).toEqual([
    'Communications',
    'Custom Prefix and Suffix',
    'Scanner Functions',
    'Input Encoding and Output Conversion',
    'Simple Data Formatting',
    'Symbologies',
  ])
})

test('a file that is none, or no JSON, stops the start with a sentence', async () => {
  await expect(loadCatalogue(join(folder, 'none.json'))).rejects.toThrow(/^CATALOGUE_FILE .*none\.json cannot be read: ENOENT/)
  await expect(loadCatalogue(await file('{'))).rejects.toThrow(/^CATALOGUE_FILE .* cannot be read: .*JSON/)
  await expect(loadCatalogue(await file({ wrong: true }))).rejects.toThrow(/^CATALOGUE_FILE /)
})

test('a server whose file is wrong does not start', async () => {
  const path = await file('[')
  await expect(startServer({ environment: { CATALOGUE_FILE: path } })).rejects.toThrow('CATALOGUE_FILE')
})

test('every signed-in user gets the whole catalogue', async () => {
  const { body } = await (await server.person()).call('getCatalogue')
  expect(body).toEqual(builtInCatalogue)
})
