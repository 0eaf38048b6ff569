import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyHostPc, enrollHostPc, type HostPc } from './support/processes/agent-process.ts'
import { licence, northfield, type Stack, startStack } from './support/processes/stack.ts'
import { readerEvents } from './support/reader-logs.ts'
import { until } from './support/until.ts'

/** How many PCs are made of one disk image. */
const amount = Number(process.env.LECTERN_COPIES ?? 8)
const readersOfModel = 3

let stack: Stack
const pcs: HostPc[] = []

beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  await Promise.all(pcs.map((pc) => pc.remove()))
  await stack?.stop()
})

/** Each PC has readers of its own. */
const runArguments = (number: number) => [
  '--readers',
  '9',
  '--seed',
  String(number + 1),
  '--apply-ms',
  '0',
  '--poll',
  '2',
  '--check-in',
  '2',
]

test(`[AGT-08] ${amount} PCs of one disk image, with one machine id: nothing is applied on two of them, all say what to do, and one is enrolled anew`, async () => {
  const api = await stack.api()
  const zoneId = (await api('createZone', { params: { organizationId: northfield, location: 'Copied' } })).id
  const publish = async (fileName: string) => {
    const params = { organizationId: northfield, location: zoneId, device: 'CR2700' } as const
    await api('publishCodeRules', {
      params,
      file: new File([`rules_onDecode = (d) => d // ${fileName}`], fileName),
      fields: { when: 'now' },
    })
  }
  const host = await enrollHostPc({ server: stack.url, zoneId, licence, name: 'COPIED-01' }, runArguments(0))
  pcs.push(host)
  for (let number = 1; number < amount; number++) pcs.push(await copyHostPc(host, runArguments(number)))
  const countCheckIns = async () =>
    (await stack.sql<{ sequence: number }>("select sequence from host where name = 'COPIED-01'"))[0]!.sequence
  const listMarks = () => stack.sql("select from host where name = 'COPIED-01' and on_two_pcs_at is not null")

  for (const pc of pcs) pc.start()
  for (const [number, pc] of pcs.entries())
    await until(`PC ${number} to know`, pc, () => pc.log().includes('Two PCs check in as this host PC'))
  expect(await listMarks()).toHaveLength(1)

  const before = await countCheckIns()
  await publish('late.js')
  await until('two check-ins of each', host, async () => (await countCheckIns()) >= before + 2 * amount)
  const completed = () => pcs.flatMap((pc) => readerEvents(pc.state).filter(({ event }) => event === 'complete'))
  expect(completed()).toEqual([])
  for (const pc of pcs) expect(pc.log().match(/Two PCs check in/g)).toHaveLength(1)
  expect((await host.command('status')).output).toContain('Handed out:     nothing, as two PCs check in as this host PC.')

  expect(await host.end('SIGTERM')).toBe(0)
  const anew = ['enroll', `${host.state}/Location.ctxdm`, '--server', stack.url, '--licence', licence, '--name', 'COPIED-01', '--replace']
  expect(await host.command(...anew)).toMatchObject({ code: 0 })
  for (const pc of pcs.slice(1)) {
    await until('a copy to end', pc, () => !pc.isRunning())
    expect(await pc.end('SIGTERM')).toBe(3)
  }
  host.start()
  await until('the publication', host, () => completed().length === readersOfModel)
  expect(await stack.sql("select from host where name = 'COPIED-01' and revoked_at is null and on_two_pcs_at is null")).toHaveLength(1)
})
