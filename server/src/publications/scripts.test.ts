import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hostileScripts } from '@lectern/contract/testing/hostile-scripts.ts'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
type Zone = Awaited<ReturnType<typeof server.zone>>

async function publish({ id, organization, manager }: Zone, script: string, headers?: Record<string, string>) {
  const params = { organizationId: organization.id, location: id, device: 'CR2700' } as const
  const { status, body, problem } = await manager.call('publishCodeRules', { params, file: new File([script], 'rules.js') }, headers)
  return { status, words: status === 200 ? body.message : problem.detail }
}

const listRevisions = async ({ key }: Zone) =>
  (await server.app.db.selectFrom('publication').select('revision').where('zone_id', '=', key).orderBy('revision').execute()).map(
    ({ revision }) => revision,
  )

test.each([
  ['no JavaScript', 'a b', "The file rules.js is not valid JavaScript: expecting ';', line 1."],
  [
    'no handler',
    '"just a string"',
    'The file rules.js sets no handler, so readers would call nothing of it. Set rules_onDecode to a function.',
  ],
  ['a number for a handler', 'rules_onDecode = 5', 'The file rules.js sets rules_onDecode to a number. It must be a function, or null.'],
  [
    'a promise',
    'rules_onDecode = async (d) => d',
    'The file rules.js returns a promise from rules_onDecode. It must return decode itself.',
  ],
  [
    'a loop',
    'rules_onDecode = (d) => {\n  for (;;) d.data = d.data.trim()\n}',
    'The file rules.js takes more than 40 million steps (about 200 ms) on the scan "4006381333931", line 1 or below.',
  ],
])('[DRY-03] a script with %s is refused, and nothing of it is published', async (_, script, words) => {
  const zone = await server.zone('ICU')
  expect(await publish(zone, 'rules_onDecode = (d) => d')).toMatchObject({ status: 200 })
  expect(await publish(zone, script)).toEqual({ status: 400, words })
  expect(await listRevisions(zone)).toEqual([1])
  const audit = server.app.db.selectFrom('audit_entry').select('id').where('organization_id', '=', zone.organization.key)
  expect(await audit.where('change_type', '=', 'ZoneConfigChange').execute()).toHaveLength(1)
  expect(await readdir(join(server.settings.dataDir, 'contents', 'incoming'))).toEqual([])
})

test('[DRY-03] what may be meant is published, and the response warns of it', async () => {
  const zone = await server.zone('ICU')
  expect(await publish(zone, 'rules_onDecode = (d) => d\nrules_onScan = (d) => d')).toEqual({
    status: 200,
    words:
      'Published revision 1 for CR2700 in ICU, from 02:00. The file rules.js sets rules_onScan, which readers do not call. They call rules_onDecode, rules_onDecodes, rules_onDecodeAttempt, and rules_onConfigure.',
  })
})

test('[DRY-03] a refused script is refused again under its key, and another one may follow under a new one', async () => {
  const zone = await server.zone()
  const again = { 'idempotency-key': 'same' }
  for (const _ of [1, 2]) expect(await publish(zone, 'rules_onDecode = 5', again)).toMatchObject({ status: 400 })
  expect(await publish(zone, 'rules_onDecode = (d) => d', again)).toMatchObject({ status: 200 })
  expect(await publish(zone, 'rules_onDecode = (d) => d', again)).toMatchObject({ status: 200 })
  expect(await listRevisions(zone)).toEqual([1])
})

test('[DRY-03] while a script loops, the server responds, and another organization publishes', async () => {
  const [zone, other] = [await server.zone(), await server.zone()]
  // These publishes start the threads, so that starting them takes no time below.
  for (const each of [zone, other]) await publish(each, 'rules_onDecode = (d) => d')
  const order: string[] = []
  const record = async (name: string, response: Promise<unknown>) => {
    await response
    order.push(name)
  }
  const loop = 'rules_onDecode = (d) => d\nfor (;;);'
  const loops = [publish(zone, loop), publish(zone, loop), publish(zone, loop)].map((each) => record('loop', each))
  await record('other', publish(other, 'rules_onDecode = (d) => d'))
  for (const _ of [1, 2, 3]) await record('livez', server.fetch('/livez'))
  await Promise.all(loops)
  // One of the three loops runs at a time, each for a second.
  expect(order.slice(-2)).toEqual(['loop', 'loop'])
  expect(order.indexOf('other')).toBeLessThan(2)
  expect(order.filter((name) => name === 'livez')).toHaveLength(3)
})

test('[DRY-03] the thread has the verdicts of every other place', async () => {
  const zone = await server.zone()
  for (const { name, script, verdict, words } of hostileScripts.filter(({ name }) =>
    /eval|regular|caught|nested|prototypes|names|one name/.test(name),
  )) {
    const { status, words: given } = await publish(zone, script)
    expect([name, status], given).toEqual([name, verdict === 'refused' ? 400 : 200])
    if (verdict === 'refused') expect(given).toContain(words)
  }
})
