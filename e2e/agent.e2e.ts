import { once } from 'node:events'
import { createServer } from 'node:net'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { presentMinute } from './support/present-minute.ts'
import { enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { hasPseudoTerminals, startSerialReader } from './support/processes/serial-reader.ts'
import { type LoneStack, licence, northfield, startLoneStack, startStack } from './support/processes/stack.ts'
import { until } from './support/until.ts'

let stack: LoneStack
const hosts: HostPc[] = []

beforeAll(async () => {
  stack = await startLoneStack()
})
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.remove()))
  await stack?.stop()
})

async function newZone(name: string): Promise<string> {
  const api = await stack.api()
  return (await api('createZone', { params: { organizationId: northfield, location: name } })).id
}

async function newHost(zoneId: string, ...run: string[]): Promise<HostPc> {
  const host = await enrollHostPc({ server: stack.url, zoneId, licence, name: 'NRH-AGENT-01' }, run)
  hosts.push(host)
  return host
}

async function publish(
  zoneId: string,
  fileName: string,
  { device = 'A271/2', script = `rules_onDecode = (d) => d // ${fileName} ${zoneId}` }: { device?: UpdateModel; script?: string } = {},
): Promise<void> {
  const api = await stack.api()
  const updateTime = await presentMinute(5_000)
  const params = { organizationId: northfield, location: zoneId, device } as const
  await api('publishCodeRules', { params, file: new File([script], fileName), fields: { updateTime } })
}

async function count(text: string, ...values: unknown[]): Promise<number> {
  return (await stack.sql<{ count: number }>(`select count(*)::int as count ${text}`, values))[0]?.count ?? 0
}

const readersIn = (zoneId: string) => count('from device where zone_id = (select id from zone where public_id = $1)', zoneId)
const readersWith = (zoneId: string, config: string) =>
  count(
    'from device d join reported_configuration c on c.id = d.configuration_id where d.zone_id = (select id from zone where public_id = $1) and c.label = $2',
    zoneId,
    config,
  )

test('a publish is pushed: an agent that polls once an hour has it applied and reported within seconds', async () => {
  const zoneId = await newZone('Pushed')
  const host = await newHost(zoneId, '--readers', '20', '--seed', '51', '--apply-ms', '0', '--poll', '3600')
  host.start()
  await until('the readers', host, async () => (await readersIn(zoneId)) === 20)
  await publish(zoneId, 'pushed.js')
  await until('the configuration', host, async () => (await readersWith(zoneId, 'pushed.js')) === 2)
  const reported =
    "from outcome o join publication p on p.id = o.publication_id where p.zone_id = (select id from zone where public_id = $1) and outcome = 'applied'"
  await until('the outcomes', host, async () => (await count(reported, zoneId)) === 2)
  await until('their acknowledgement', host, async () => (await host.command('status')).output.includes('To be reported: 0 outcomes'))
  const { code, output } = await host.command('status')
  expect(code).toBe(0)
  expect(output).toContain('A271/2: pushed.js, revision 1; 2 readers updated, 0 failed')
})

test('more readers than a call takes are told in several, and a second agent on the same folder is refused', async () => {
  const zoneId = await newZone('Large')
  const host = await newHost(zoneId, '--readers', '1100', '--seed', '52', '--poll', '3600')
  host.start()
  await until('the readers', host, async () => (await readersIn(zoneId)) === 1100)
  const { code, output } = await host.command('run', '--driver', 'simulated')
  expect(code).toBe(5)
  expect(output).toMatch(/Another lectern-agent \(process \d+\) already uses/)
  expect(host.isRunning()).toBe(true)
})

test('a server that is gone is mentioned once; what was published meanwhile arrives once it is back', async () => {
  const zoneId = await newZone('Away')
  const host = await newHost(zoneId, '--readers', '7', '--seed', '53', '--apply-ms', '0', '--poll', '1')
  host.start()
  await until('the readers', host, async () => (await readersIn(zoneId)) === 7)
  await stack.crash()
  await until('the agent to notice', host, () => host.log().includes('keeps trying'))
  let refused = 0
  const nobody = createServer((socket) => {
    refused += 1
    socket.destroy()
  }).listen(Number(new URL(stack.url).port))
  await until('several attempts of every loop', host, () => refused >= 8)
  nobody.close()
  await once(nobody, 'close')
  await stack.start()
  await publish(zoneId, 'back.js')
  await until('the configuration', host, async () => (await readersWith(zoneId, 'back.js')) === 1)
  expect(host.log().match(/keeps trying/g)).toHaveLength(1)
  expect(host.log().match(/The server responds again/g)).toHaveLength(1)
  expect(await host.end('SIGTERM')).toBe(0)
})

test('a host that was removed says so, keeps its state and ends with 3; enrolled anew it goes on', async () => {
  const zoneId = await newZone('Removed')
  const host = await newHost(zoneId, '--readers', '7', '--seed', '54', '--apply-ms', '0', '--poll', '1')
  host.start()
  await until('the readers', host, async () => (await readersIn(zoneId)) === 7)
  const api = await stack.api()
  const overview = (await api('listZoneOverviews', { params: { organizationId: northfield } })).find((zone) => zone.zoneId === zoneId)
  await api('removeHost', { params: { organizationId: northfield, host: overview!.hosts[0]!.id } })
  await until('the agent to end', host, () => !host.isRunning())
  expect(await host.end('SIGTERM')).toBe(3)
  expect(host.log()).toContain('The server no longer accepts this host PC')
  expect((await host.command('status')).code).toBe(0)

  const enroll = ['enroll', `${host.state}/Location.ctxdm`, '--server', stack.url, '--licence', licence]
  expect(await host.command(...enroll)).toMatchObject({ code: 3, output: expect.stringContaining('--replace') })
  expect(await host.command(...enroll, '--replace')).toMatchObject({ code: 0 })
  host.start()
  await publish(zoneId, 'anew.js')
  await until('the configuration', host, async () => (await readersWith(zoneId, 'anew.js')) === 1)
})

test("the zone's id alone opens nothing, nor does the licence of another organization", async () => {
  const zoneId = await newZone('Closed')
  await stack.sql(
    `with l as (insert into licence (id, organization_id, licence_number) select gen_random_uuid(), id, 'LEC-OTHER' from organization where public_id <> $1 limit 1 returning *)
     insert into licence_owner (organization_id, licence_id, licence_number) select organization_id, id, licence_number from l`,
    [northfield],
  )
  for (const number of [zoneId, 'LEC-OTHER'])
    await expect(enrollHostPc({ server: stack.url, zoneId, licence: number, name: 'STRANGER' }, [])).rejects.toThrow(
      /\(3\).*refuses to enroll/,
    )
  expect(await count('from host where zone_id = (select id from zone where public_id = $1)', zoneId)).toBe(0)
})

test.skipIf(!hasPseudoTerminals)(
  '[SER-01] on serial ports a reader of the seven models is refused a script with its own code, and one of another model is shown at its host alone',
  async () => {
    const zoneId = await newZone('Serial')
    const [reader, older] = [await startSerialReader('27P7700018'), await startSerialReader('1234567890', '--packets')]
    onTestFinished(() => Promise.all([reader.remove(), older.remove()]).then(() => {}))
    const host = await newHost(zoneId, '--driver', 'serial', '--port', reader.port, '--port', older.port, '--poll', '1')
    host.start()
    await until('the reader', host, async () => (await readersIn(zoneId)) === 1)
    await publish(zoneId, 'serial.js', { device: 'CR2700' })
    const reason = "It is not possible with this reader's published commands: none gives it a script."
    const listOutcomes = () =>
      stack.sql<{ outcome: string; reason: string; code: string }>(
        'select o.outcome, o.reason, o.code from outcome o join device d on d.organization_id = o.organization_id and d.id = o.device_id where d.serial_number = $1',
        ['27P7700018'],
      )
    await until('the outcome', host, async () => (await listOutcomes()).length === 1)
    expect(await listOutcomes()).toEqual([{ outcome: 'failed', reason, code: 'notPossible' }])
    // Nothing but the published queries went to it, in their envelope.
    const sent = [...reader.printed().matchAll(/\\u0002([A-Z]+)\\u0003\\u0004/g)].map(([, command]) => command)
    expect([...new Set(sent)].toSorted()).toEqual(['CFG', 'RDFWGVS', 'RDRRGMD', 'RDRRGSN'])
    const api = await stack.api()
    const [overview] = await api('listZoneOverviews', { params: { organizationId: northfield }, query: { zone: zoneId } })
    expect(overview!.readers).toEqual([{ deviceType: 'CR2700', count: 1 }])
    expect(overview!.hosts[0]!.attached?.others).toEqual([
      { serialNumber: '1234567890', model: 'CR1000', firmware: '4634', dialect: 'packets' },
    ])
    const { output } = await host.command('status')
    expect(output).toContain(`  ${older.port}: Another model, "CR1000" 1234567890, dialect "packets".`)
    expect(output).toContain('Other models:   1 reader, counted apart and given nothing')
    expect(output).toContain('  commands: lists readers, gives them commands')
    expect(host.log()).toContain('The dialect "packets" may send I: Asks for firmware, serial number and hardware type.')
  },
)

test('[AGT-04] in production a simulated host is refused, as its log and its status say; with --driver serial it is accepted', async () => {
  const production = await startStack({ env: { NODE_ENV: 'production', EMBEDDED_IDP: 'on', DEMO: 'off' } })
  onTestFinished(() => production.stop())
  const zoneId = '0198c0de-00aa-7000-8000-000000000001'
  await production.sql("insert into organization (public_id, name) values ('org', 'Org')")
  await production.sql("insert into zone (public_id, organization_id, name) select $1, id, 'Ward' from organization", [zoneId])
  await production.sql(
    `with l as (insert into licence (id, organization_id, licence_number) select gen_random_uuid(), id, 'LEC-ORG' from organization returning *)
     insert into licence_owner (organization_id, licence_id, licence_number) select organization_id, id, licence_number from l`,
  )
  const host = await enrollHostPc({ server: production.url, zoneId, licence: 'LEC-ORG', name: 'WARD-01' }, ['--readers', '3'])
  hosts.push(host)
  host.start()
  await until('the agent to end', host, () => !host.isRunning())
  expect(await host.end('SIGTERM')).toBe(3)
  const sentence = 'The server refuses this host PC: This portal takes no simulated readers. Run the agent with --driver serial.'
  expect(host.log()).toContain(sentence)
  expect((await host.command('status')).output).toContain(`Ended because:  ${sentence}`)
  expect(await production.sql('select from device')).toEqual([])

  host.start('--driver', 'serial', '--port', '/dev/lectern-no-such-port')
  const listDrivers = () => production.sql<{ driver: string }>('select driver from host where driver is not null')
  await until('a check-in', host, async () => (await listDrivers()).length === 1)
  expect(await listDrivers()).toEqual([{ driver: 'serial' }])
  await host.end('SIGTERM')
  expect((await host.command('status')).output).not.toContain('Ended because')
})
