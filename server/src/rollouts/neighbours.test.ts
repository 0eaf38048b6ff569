import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import type { TestOrganization } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { testAgent } from '../testing/test-agent.ts'

const server = await serverForFile()

const staff = await server.person({ permissions: ['global:access:organizations'] })
for (const version of ['3.8.2', '5.0.0'])
  await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'f.crvfw') })

const noSoak = { soakMinutes: 0, gate: { maxFailedPercent: 40, maxSilentPercent: 60 } }

interface Answer {
  status: number
  body: unknown
  problem: unknown
}

/** Makes two zones of an organization. `prefix`: of their readers' serial numbers. `steps`: all that is done to their rollouts, in turn. */
async function newSite(organization: TestOrganization, names: readonly [string, string], prefix: string) {
  const manager = await server.person({
    organization,
    permissions: ['manage:cfg', 'manage:firmware', 'access:audit_log', 'manage:locations'],
  })
  const params = { organizationId: organization.id }
  const zones = [await server.zone(names[0], organization), await server.zone(names[1], organization)] as const
  const firmware = { firmware: '3.8.2' }
  const agents = [
    await testAgent(server, zones[0], Object.fromEntries([...'ABCD'].map((letter) => [prefix + letter, firmware]))),
    await testAgent(server, zones[1], Object.fromEntries([...'EFG'].map((letter) => [prefix + letter, firmware]))),
  ] as const
  const ids = zones.map(({ id }) => id)
  const named = (letters: string) => [...letters].map((letter) => prefix + letter)
  const rollouts: string[] = []
  const publish = async (number: number, more: object = {}) => {
    const id = uuidv7()
    const parts = [
      { model: 'CR2700', content: { kind: 'cfg', text: `<cfg>${prefix}${number}</cfg>`, fileName: `settings ${number}.crccfg` } },
      ...(number === 2 ? [{ model: 'CR2700', content: { kind: 'firmware', version: '5.0.0' } }] : []),
    ]
    const body = { key: id, zones: { ids }, parts, when: { now: true }, phases: [], ...more }
    const answer = await manager.call('publishToZones', { params, body })
    rollouts.push(id)
    return answer
  }
  const of = (place: number) => ({ ...params, id: rollouts.at(place)! })
  const agentsWork = async (letters: string, how?: { fails: boolean }) => {
    for (const agent of agents)
      await agent.work(
        named(letters).filter((serial) => agent.runs.has(serial)),
        how,
      )
    return undefined
  }
  const call = (name: string, id: object, body?: object) =>
    manager.call(name as 'getRollout', { params: id as never, ...(body && { body: body as never }) })
  // Steps differ in what they return.
  const steps: (() => Promise<Answer | undefined>)[] = [
    () => publish(1),
    () => agentsWork('ABCDEFG'),
    () => publish(2, { phases: [{ zones: [ids[0]], ...noSoak, gate: 'by hand' }], limits: { haltAbovePercent: 60 } }),
    () => agentsWork('AB'),
    () => agentsWork('C', { fails: true }),
    () => call('retryRollout', of(1)),
    () => agentsWork('D', { fails: true }),
    () => call('setSafetyLimit', of(1), { haltAbovePercent: 20, stopTime: null, forLater: false }),
    () => call('resumeRollout', of(1)),
    () => manager.call('beginPhase', { params: { ...of(1), phase: 2 } }),
    () => agentsWork('E'),
    () => call('haltRollout', of(1)),
    () => call('resumeRollout', of(1)),
    () => publish(3, { zones: { ids: [ids[1]] }, when: { updateTime: '02:00' } }),
    () => call('moveRollout', of(2), { date: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10), updateTime: '03:00' }),
    () => call('startRollout', of(2), {}),
    () => agentsWork('F'),
    async () => {
      const answer = await manager.call('rollBackRollout', { params: of(1), body: { updateTime: null } })
      if (answer.status === 200) rollouts.push(answer.body.id)
      return answer
    },
    () => agentsWork('ABEG'),
    () => agentsWork('CDF'),
  ]
  /** Reads what pages show of the site and what its host PCs fetch. */
  const look = async () => {
    const pages = []
    for (const id of rollouts) {
      const one = { ...params, id }
      pages.push((await manager.call('getRollout', { params: one })).body)
      pages.push((await manager.call('listRolloutParts', { params: one, query: { PageSize: 100 } })).body)
      pages.push((await manager.call('listRolloutReaders', { params: one, query: { PageSize: 100 } })).body)
      pages.push((await manager.call('previewMove', { params: one, query: {} })).body)
      pages.push((await manager.call('previewRollBack', { params: one })).body)
      pages.push((await manager.call('listAuditEntries', { params, query: { rollout: id, PageNumber: 0, PageSize: 100 } })).body)
    }
    const list = (await manager.call('listRollouts', { params, query: { PageSize: 100 } })).body
    pages.push(list.rolloutList.filter(({ id }) => rollouts.includes(id)))
    for (const agent of agents) {
      const { commands = [], reapplications, ...desired } = await agent.learn()
      // Reapplications come in the order of their random ids, so they are sorted by reader.
      pages.push({
        ...desired,
        reapplied: reapplications.map(({ serialNumber }) => serialNumber),
        commands: commands.toSorted((one, other) => toOrder(one).localeCompare(toOrder(other))),
      })
    }
    for (const serialNumber of named('ABCDEFG'))
      pages.push((await manager.call('listDeviceEvents', { params: { ...params, serialNumber }, query: {} })).body)
    const devices = (await manager.call('listDevices', { params, query: { PageSize: 100 } })).body.deviceList
    pages.push(devices.filter(({ serialNumber }) => serialNumber.startsWith(prefix)))
    return pages
  }
  return { steps, look }
}

const toOrder = ({ readers, contentHash }: { readers?: readonly string[]; contentHash: string }) => `${readers} ${contentHash}`

/** Replaces ids by the order in which they first occur, and leaves out times. */
function scrub(value: unknown): unknown {
  const ids = new Map<string, string>()
  const text = JSON.stringify(value)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => ids.get(id) ?? ids.set(id, `#${ids.size + 1}`).get(id)!)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
  return JSON.parse(text)
}

/** Takes a site through all steps. With neighbours, two other sites of the organization are a step behind and a step ahead. */
async function play(hasNeighbours: boolean) {
  const organization = await server.organization()
  const site = await newSite(organization, ['Bonn', 'Celle'], 'M')
  const neighbours = hasNeighbours
    ? [await newSite(organization, ['Aachen', 'Dessau'], 'A'), await newSite(organization, ['Emden', 'Fulda'], 'Z')]
    : []
  const [ahead, behind] = neighbours
  const seen: unknown[] = []
  await ahead?.steps[0]?.()
  for (const [place, step] of site.steps.entries()) {
    await ahead?.steps[place + 1]?.()
    const answer = await step()
    if (place > 0) await behind?.steps[place - 1]?.()
    expect(answer?.status ?? 200, `step ${place}: ${JSON.stringify(answer?.problem)}`).toBe(200)
    seen.push({ place, answer: answer?.body ?? null, pages: await site.look() })
  }
  return seen.map(scrub)
}

test('[RIT-01 PHA-01] what a rollout does and shows is the same alone and beside other rollouts of its organization', async () => {
  const alone = await play(false)
  const among = await play(true)
  for (const [place, step] of among.entries()) expect(step, `step ${place}`).toEqual(alone[place])
})
