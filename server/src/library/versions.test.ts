import { describe, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const commands = (...list: string[]) => ({ kind: 'commands' as const, commands: list })
const script = (text: string) => ({ kind: 'script' as const, text, fileName: 'rules.js' })
const working = 'function rules_onDecode(decode) { return decode }'

/** A member of an organization of its own, with the calls of its library. */
async function librarian() {
  const organization = await server.organization()
  const { call } = await server.person({ organization, email: 'ada@okoro.example' })
  const params = { organizationId: organization.id }
  return {
    organization,
    create: (body: object) => call('createLibraryEntry', { params, body: { name: 'Ward 3', device: 'CR2700', ...body } }),
    add: (id: string, body: object) => call('addLibraryVersion', { params: { ...params, id }, body }),
    change: (id: string, body: object) => call('updateLibraryEntry', { params: { ...params, id }, body }),
    remove: (id: string) => call('deleteLibraryEntry', { params: { ...params, id } }),
    entry: (id: string) => call('getLibraryEntry', { params: { ...params, id } }),
    version: (id: string, number: number) => call('getLibraryVersion', { params: { ...params, id, number } }),
    find: async (textFilter = '') => (await call('listLibrary', { params, query: { textFilter } })).body.map(({ name }) => name),
    save: (name: string, list: string[]) => call('saveConfiguration', { params: { ...params, deviceName: 'CR2700', name }, body: list }),
    specified: async () => (await call('listSavedConfigurations', { params })).body,
  }
}

test.for([
  ['commands', 'CR950', commands('CFR', 'SYAZTCSEN1', 'CDOPSPX"a/0d"')],
  ['CFG text', 'V1300', { kind: 'cfg', text: '<cfg>\n  <beep>20</beep>\n</cfg>' }],
  ['a script', 'CR2700', script(working)],
] as const)('[NAM-01] an entry holds %s, with a name, a note, who made it and when', async ([, device, content]) => {
  const { create, version } = await librarian()
  const { status, body } = await create({ name: ' Ward 3 ', note: 'Wristbands', device, content })
  const saved = { kind: content.kind, savedAt: expect.stringMatching(/^2.*Z$/), savedBy: expect.stringMatching(/^ada.*@/) }
  const first = { number: 1, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/), size: expect.any(Number), ...saved }
  const entry = { name: 'Ward 3', note: 'Wristbands', device, version: 1, mayChange: true, creationDate: expect.stringMatching(/^2.*Z$/) }
  expect([status, body]).toEqual([200, { id: body.id, ...entry, ...saved, versions: [first] }])
  expect((await version(body.id, 1)).body).toEqual({ ...first, content })
})

test('[NAM-04] a new version stands beside the earlier ones, which never change; the same content makes none', async () => {
  const { create, add, entry, version, specified } = await librarian()
  const { id } = (await create({ content: commands('SYAZTCSEN1') })).body
  expect((await add(id, { content: commands('SYAZTCSEN0') })).body.version).toBe(2)
  expect((await add(id, { content: commands('SYAZTCSEN0') })).body.version).toBe(2)
  expect((await entry(id)).body.versions.map(({ number }) => number)).toEqual([2, 1])
  expect((await version(id, 1)).body.content).toEqual(commands('SYAZTCSEN1'))
  expect(await specified()).toMatchObject([{ name: 'Ward 3', commands: ['SYAZTCSEN0'] }])
})

test.for([
  [{ content: { kind: 'cfg' } }, 'content.text', /expected string, received undefined/],
  [{ content: { kind: 'tape' } }, 'content.kind', /invalid/],
  [{ restores: 'first' }, 'restores', /expected (int|number)/],
  [{}, 'content', /invalid input/],
] as const)('[NAM-04] a version that is made of %j is refused with the field that is wrong', async ([body, field, message]) => {
  const { create, add } = await librarian()
  const { id } = (await create({ content: script(working) })).body
  const { status, problem } = await add(id, body)
  expect([status, problem.errors]).toEqual([400, [{ field, message: expect.stringMatching(message) }]])
})

test('[NAM-04] restoring a version makes a new one with its content', async () => {
  const { create, add, version } = await librarian()
  const { id } = (await create({ content: script(working) })).body
  await add(id, { content: { kind: 'cfg', text: '<cfg></cfg>' } })
  const { body } = await add(id, { restores: 1 })
  expect([body.version, body.kind]).toEqual([3, 'script'])
  expect((await version(id, 3)).body.content).toEqual(script(working))
  expect((await add(id, { restores: 9 })).problem).toMatchObject({ status: 404, detail: expect.stringContaining('version') })
})

test('[NAM-04] an entry is renamed; its versions stay, and no other has the name', async () => {
  const { create, change, entry, find } = await librarian()
  const { id } = (await create({ content: commands('SYAZTCSEN1') })).body
  expect((await change(id, { name: 'Ward 4', note: 'New' })).body).toMatchObject({ name: 'Ward 4', note: 'New', version: 1 })
  expect((await entry(id)).body).toMatchObject({ name: 'Ward 4', note: 'New', version: 1 })
  await create({ content: commands('SYAZTCSEN1') })
  const { status, problem } = await change(id, { name: 'ward 3' })
  expect([status, problem.detail]).toEqual([409, 'There is already a configuration named "ward 3" for the CR2700.'])
  expect(await find()).toEqual(['Ward 3', 'Ward 4'])
})

test('[NAM-04] an entry is found by its name, note, model, and by an option, a command or a text inside its newest version', async () => {
  const { create, add, find, save } = await librarian()
  await save('Plain', ['SYAZTCSEN1', 'CDOPSPX"abc"', 'CDOPSFO1'])
  await create({ name: 'Golden', note: 'For the night shift', device: 'V1300', content: { kind: 'cfg', text: '<cfg><Beep_100%/></cfg>' } })
  const { id } = (await create({ name: 'Rules', content: script(`${working} // wristband`) })).body
  expect(await find()).toEqual(['Rules', 'Golden', 'Plain'])
  const found = { golden: ['Golden'], night: ['Golden'], V1300: ['Golden'], aztec: ['Plain'], syaztc: ['Plain'], 'beep_100%': ['Golden'] }
  for (const [text, names] of Object.entries({ ...found, 'golden night': ['Golden'], 'golden aztec': [], WRISTBAND: ['Rules'] }))
    expect([text, await find(text)]).toEqual([text, names])
  await add(id, { content: script(working) })
  expect(await find('wristband')).toEqual([])
})

describe('[NAM-01] refused with the reason is', () => {
  test.for<[string, object, string | RegExp]>([
    ['a blank name', { name: ' ', content: commands('CFR') }, /must not be empty/],
    ['a name that cannot be in a path', { name: '..', content: commands('CFR') }, /cannot be used as a name/],
    ['a long note', { note: 'x'.repeat(2_001), content: commands('CFR') }, /at most 2000 characters/],
    ['commands for a model without a builder', { device: 'V1300', content: commands('CFR') }, 'A V1300 takes no commands of the builder.'],
    [
      'a CFG for a model that host PCs do not update',
      { device: 'CR950', content: { kind: 'cfg', text: '<a></a>' } },
      'A CR950 takes no CFG.',
    ],
    ['a CFG that is not closed', { content: { kind: 'cfg', text: '<cfg>' } }, /must end with <\/cfg>/],
    ['a script that cannot work', { content: script('function (') }, /rules\.js/],
    ['a script that is none by its name', { content: { ...script(working), fileName: 'rules.txt' } }, 'File type must be .js'],
    ['no command', { content: commands() }, /There is no command to send/],
  ])('%s', async ([, body, reason]) => {
    const { create, find } = await librarian()
    const { status, problem } = await create(body)
    const detail = typeof reason === 'string' ? reason : expect.stringMatching(reason)
    expect([status, problem.detail]).toEqual([400, detail])
    expect(await find()).toEqual([])
  })
})

test('an entry is its organization’s own, and gone once it is deleted', async () => {
  const [one, other] = [await librarian(), await librarian()]
  const { id } = (await one.create({ content: commands('SYAZTCSEN1') })).body
  const calls = [
    other.entry(id),
    other.version(id, 1),
    other.add(id, { restores: 1 }),
    other.change(id, { name: 'Mine' }),
    other.remove(id),
  ]
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect((await one.remove(id)).status).toBe(204)
  expect([(await one.entry(id)).status, (await one.version(id, 1)).status, (await one.remove(id)).status]).toEqual([404, 404, 404])
})
