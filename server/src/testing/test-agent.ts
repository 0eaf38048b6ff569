import type { Desired, DesiredConfiguration, DesiredFirmware, ReportedConfiguration } from '@lectern/contract/hosts.ts'
import { reader } from './makers.ts'
import type { TestServer } from './server.ts'

interface Runs {
  firmware: string | null
  configuration: ReportedConfiguration | null
}

/**
 * An agent by the protocol, with readers in memory. It writes what is desired to the readers that it is asked to update, once, and reports
 * that. `writes`: the name of each content written to a reader, in order.
 */
export async function testAgent(server: TestServer, zone: Parameters<TestServer['host']>[0], readers: Record<string, Partial<Runs>>) {
  const host = await server.host(zone)
  const runs = new Map(Object.entries(readers).map(([serial, one]) => [serial, { firmware: '4.12.0', configuration: null, ...one }]))
  const writes = new Map(Object.keys(readers).map((serial) => [serial, [] as string[]]))
  const done = new Map<string, 'applied' | 'failed'>()
  let desired: Desired | undefined

  const list = () => {
    if (!desired) return []
    const { configurations, firmware, returns, commands = [] } = desired
    return [...firmware, ...returns.firmware, ...configurations, ...commands, ...returns.configurations]
  }
  const isFor = (serial: string, { deviceType, except, readers: own, halted }: DesiredConfiguration | DesiredFirmware) =>
    deviceType === 'CR2700' && !halted && (own ? own.includes(serial) : !except.includes(serial))
  const applied = (serial: string, isFirmware: boolean) =>
    list().find((one) => 'version' in one === isFirmware && done.get(`${one.publication} ${serial}`) === 'applied')?.publication ?? null

  const learn = async () => {
    desired = (await host.call('getDesired', { query: { knowsPhases: true, knowsReturns: true, keepsTimes: true, knowsTimeZones: true } }))
      .body
    return desired!
  }
  const checkIn = () =>
    host.checkIn(
      [...runs].map(([serial, one]) =>
        reader(serial, { ...one, publication: applied(serial, false), firmwarePublication: applied(serial, true) }),
      ),
      { knowsPhases: true, ...(desired && { withdrawals: desired.withdrawals }) },
    )
  const report = (publication: string, serialNumber: string, outcome: 'applied' | 'failed') =>
    host.call('reportOutcomes', {
      body: {
        outcomes: [{ publication, serialNumber, outcome, reason: outcome === 'failed' ? 'Locked.' : null, at: new Date().toISOString() }],
      },
    })
  const has = (one: Runs, content: DesiredConfiguration | DesiredFirmware) =>
    'version' in content
      ? one.firmware === content.version
      : one.configuration?.contentHash === content.contentHash && one.configuration.fileName === content.fileName

  function write(serial: string, content: DesiredConfiguration | DesiredFirmware) {
    const one = runs.get(serial)!
    if (has(one, content)) return
    writes.get(serial)!.push('version' in content ? String(content.version) : String(content.fileName))
    if ('version' in content) one.firmware = content.version
    else one.configuration = { contentHash: content.contentHash, fileName: content.fileName }
  }

  /** Updates readers with what this PC knows. With `says` it reports their outcomes at once; else `tell` does later. */
  async function update(serials: readonly string[] = [...runs.keys()], { fails = false, says = true } = {}) {
    const outcome = fails ? 'failed' : 'applied'
    const untold: (() => Promise<unknown>)[] = []
    for (const serial of serials)
      for (const content of list().filter((one) => isFor(serial, one) && !done.has(`${one.publication} ${serial}`))) {
        if (!fails) write(serial, content)
        done.set(`${content.publication} ${serial}`, outcome)
        const tell = () => report(content.publication, serial, outcome)
        if (says) await tell()
        else untold.push(tell)
      }
    return async () => {
      for (const tell of untold) await tell()
    }
  }

  await checkIn()
  return {
    host,
    learn,
    checkIn,
    update,
    writes,
    runs,
    /** Fetches what is desired, updates readers, and checks in. */
    async work(serials?: readonly string[], how?: Parameters<typeof update>[1]) {
      await learn()
      await update(serials, how)
      await checkIn()
    },
    /** By reader: the firmware, or the names of the configurations, that it runs. */
    listFirmware: () => Object.fromEntries([...runs].map(([serial, { firmware }]) => [serial, firmware])),
    listConfigurations: () => Object.fromEntries([...runs].map(([serial, { configuration }]) => [serial, configuration?.fileName ?? null])),
  }
}
