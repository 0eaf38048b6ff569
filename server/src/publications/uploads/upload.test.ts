import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const script = 'rules_onDecode = (decode) => decode\n'

type Zone = Awaited<ReturnType<typeof server.zone>>
type Part = readonly [name: string, value: string | File]
const js = (content: ConstructorParameters<typeof File>[0][number] = script, name = 'rules.js') =>
  new File([content], name, { type: 'text/javascript' })

/** Sends a multipart body of these parts. */
async function send({ id, organization, manager }: Zone, parts: readonly Part[], device = 'CR2700') {
  const body = new FormData()
  for (const [name, value] of parts) body.append(name, value)
  const path = `/api/codedm/organization/${organization.id}/location/${id}/device/${encodeURIComponent(device)}/configuration/file`
  const response = await server.fetch(path, { method: 'POST', body, headers: { authorization: `Bearer ${manager.token}` } })
  const { message, detail } = (await response.json()) as { message?: string; detail?: string }
  return { status: response.status, message, detail }
}

const published = ({ key }: Zone) =>
  db
    .selectFrom('publication')
    .select(['content', 'file_name', 'content_hash', 'size', 'update_time', 'device_type'])
    .where('zone_id', '=', key)
    .orderBy('revision')
    .execute()

test('[API-LOC-04 PUB-11] publishes the part named file, with the update time beside it', async () => {
  const zone = await server.zone('ICU')
  const answer = await send(
    zone,
    [
      ['updateTime', '04:30'],
      ['file', js()],
    ],
    'A271/2',
  )
  expect(answer).toMatchObject({ status: 200, message: 'Published revision 1 for A271/2 in ICU, from 04:30.' })
  expect(await published(zone)).toEqual([
    {
      content: 'file',
      file_name: 'rules.js',
      content_hash: createHash('sha256').update(script).digest('hex'),
      size: script.length,
      update_time: '04:30',
      device_type: 'A271/2',
    },
  ])
  const audit = db.selectFrom('audit_entry').select('config_name').where('change_type', '=', 'ZoneConfigChange')
  expect(await audit.where('organization_id', '=', zone.organization.key).execute()).toEqual([{ config_name: 'rules.js' }])
})

test('[PUB-13] a script without an update time is for 02:00; one after the file counts too; none that is no time', async () => {
  const zone = await server.zone()
  await send(zone, [['file', js()]])
  await send(zone, [
    ['file', js()],
    ['updateTime', '05:00'],
  ])
  expect((await published(zone)).map(({ update_time }) => update_time)).toEqual(['02:00', '05:00'])
  const { status, detail } = await send(zone, [
    ['updateTime', '25:00'],
    ['file', js()],
  ])
  expect([status, detail]).toEqual([400, 'The update time must be a time of day, such as 02:00.'])
})

test('keeps the name of a script in any language', async () => {
  const zone = await server.zone()
  for (const name of ['règles 靑.js', "O'Hara (2).JS"])
    expect(await send(zone, [['file', js(script, name)]])).toMatchObject({ status: 200 })
  expect((await published(zone)).map(({ file_name }) => file_name)).toEqual(['règles 靑.js', "O'Hara (2).JS"])
})

test.for<[string, Part[], number, string]>([
  ['another type', [['file', js(script, 'rules.txt')]], 400, 'File type must be .js'],
  ['no type', [['file', js(script, 'rules')]], 400, 'File type must be .js'],
  ['a type and no name', [['file', js(script, '.js')]], 400, 'File type must be .js'],
  [
    'two files',
    [
      ['file', js()],
      ['file', js()],
    ],
    400,
    'Too many files',
  ],
  [
    'three files',
    [
      ['file', js()],
      ['file', js()],
      ['file', js()],
    ],
    400,
    'Too many files',
  ],
  ['an empty file', [['file', js('')]], 400, 'The file rules.js is empty.'],
  [
    'a file that is not text',
    [['file', js(new Uint8Array([0xff, 0xfe, 0x00]))]],
    400,
    'The file rules.js is not text. If it is a script, save it as UTF-8.',
  ],
  ['a file with a NUL', [['file', js('a\0b')]], 400, 'The file rules.js is not text. If it is a script, save it as UTF-8.'],
  ['no file', [['updateTime', '02:00']], 400, 'There is no file in the part named "file".'],
  ['a file that is a field', [['file', script]], 400, 'There is no file in the part named "file".'],
  ['a file in another part', [['script', js()]], 400, 'Send the file in the part named "file", not "script".'],
  ['a file too large', [['file', js('x'.repeat(5 * 1024 * 1024 + 1))]], 413, 'The file is larger than 5.0 MB.'],
])('[API-LOC-04] refuses %s, in words, and keeps nothing of it', async ([, parts, status, detail]) => {
  const zone = await server.zone()
  expect(await send(zone, parts)).toEqual({ status, detail, message: undefined })
  expect(await published(zone)).toEqual([])
  expect(await readdir(join(server.settings.dataDir, 'contents', 'incoming'))).toEqual([])
})

test('[API-LOC-04] takes the largest file, and twenty megabytes no further than that', async () => {
  const zone = await server.zone()
  expect((await send(zone, [['file', js(script.padEnd(5 * 1024 * 1024))]])).status).toBe(200)
  expect((await send(zone, [['file', js('x'.repeat(20 * 1024 * 1024))]])).status).toBe(413)
  expect((await send(zone, [['file', js()]])).status).toBe(200)
})

test('[API-LOC-04] refuses what is no multipart body, and one that was cut', async () => {
  const zone = await server.zone()
  const path = `/api/codedm/organization/${zone.organization.id}/location/${zone.id}/device/CR2700/configuration/file`
  const post = async (body: string, type: string) => {
    const headers = { authorization: `Bearer ${zone.manager.token}`, 'content-type': type }
    const response = await server.fetch(path, { method: 'POST', body, headers })
    return [response.status, ((await response.json()) as { detail: string }).detail]
  }
  expect(await post('{}', 'application/json')).toEqual([415, 'Send the file as multipart/form-data, in a part named "file".'])
  const cut = '--b\r\ncontent-disposition: form-data; name="file"; filename="rules.js"\r\n\r\nfunction'
  expect(await post(cut, 'multipart/form-data; boundary=b')).toEqual([400, 'The upload was cut off, or is not a multipart body.'])
  expect(await readdir(join(server.settings.dataDir, 'contents', 'incoming'))).toEqual([])
  expect(await published(zone)).toEqual([])
})

test('[LMT-02] a field that says it is JSON is refused, and not read as JSON', async () => {
  const zone = await server.zone()
  const path = `/api/codedm/organization/${zone.organization.id}/location/${zone.id}/device/CR2700/configuration/file`
  const field = (name: string, content: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: application/json\r\n\r\n${content}\r\n`
  const script = '--b\r\ncontent-disposition: form-data; name="file"; filename="rules.js"\r\n\r\nrules_onDecode = (d) => d\r\n'
  const headers = { authorization: `Bearer ${zone.manager.token}`, 'content-type': 'multipart/form-data; boundary=b' }
  for (const content of ['['.repeat(5_000) + ']'.repeat(5_000), '"02:00"']) {
    const response = await server.fetch(path, { method: 'POST', body: `${script}${field('other', content)}--b--\r\n`, headers })
    const { detail } = (await response.json()) as { detail: string }
    expect([response.status, detail]).toEqual([400, 'The part named "other" must be plain text.'])
  }
  expect(await published(zone)).toEqual([])
})

test('the same script published twice is stored once', async () => {
  const zone = await server.zone()
  const unique = `${script}// ${zone.id}\n`
  for (const device of ['CR2700', 'CR1500']) expect((await send(zone, [['file', js(unique)]], device)).status).toBe(200)
  const hash = createHash('sha256').update(unique).digest('hex')
  expect((await readdir(join(server.settings.dataDir, 'contents', hash.slice(0, 2)))).filter((name) => name === hash)).toHaveLength(1)
})

test('[API-LOC-06] the default CodeRules are a script that changes nothing', async () => {
  const { call } = await server.person()
  const { status, body } = await call('getDefaultCodeRules')
  expect([status, body.fileName]).toEqual([200, 'default-code-rules.js'])
  const rules = new Function(`let rules_onDecode; ${body.script}; return rules_onDecode`)() as (decode: unknown) => unknown
  const decode = { data: 'ABC' }
  expect(rules(decode)).toBe(decode)
  expect(decode).toEqual({ data: 'ABC' })
})
