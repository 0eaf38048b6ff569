import { Desired, type DesiredConfiguration, defaultMinBattery } from '@lectern/contract/hosts.ts'
import { readJson, writeJson } from './state/durable-file.ts'

/** What readers shall be given: all of a model, or where `serialNumber` is there that reader, once more. */
export interface Order extends DesiredConfiguration {
  serialNumber?: string
  /** The publication that readers have when this is done; another than `publication` where one is given it once more. */
  of: string
}

/** What the zone's readers shall run, as the server last said; kept, so that an update time is met without the server. */
export interface DesiredState {
  readonly zoneName: string
  readonly configurations: readonly DesiredConfiguration[]
  readonly orders: readonly Order[]
  /** Takes over an answer of the server. True when something has changed. */
  take(answer: Desired): Promise<boolean>
  /** Whether readers shall still be given this. */
  isCurrent(order: Pick<Order, 'publication'>): boolean
}

/** Older only when both say so: revisions count from the start again where a server was set back to a backup. */
const isOlder = (a: DesiredConfiguration, b: DesiredConfiguration) =>
  a.publication !== b.publication && a.revision < b.revision && Date.parse(a.publishedAt) < Date.parse(b.publishedAt)

function ordersOf({ configurations, reapplications }: Desired): Order[] {
  const ofModels = configurations.map((configuration): Order => ({ ...configuration, of: configuration.publication }))
  const again = reapplications.flatMap(({ id, publication, serialNumber }) =>
    ofModels.filter((order) => order.publication === publication).map((order): Order => ({ ...order, publication: id, serialNumber })),
  )
  return [...ofModels, ...again]
}

/** Opens what was kept for a zone; what was kept for another zone is not looked at. */
export async function openDesired(file: string, zoneId: string, zoneName: string): Promise<DesiredState> {
  const kept = await readJson(file, Desired)
  const nothing = { configurations: [], firmware: [], reapplications: [], minBattery: defaultMinBattery }
  let desired: Desired = kept?.zoneId === zoneId ? kept : { zoneId, zoneName, ...nothing }
  let orders = ordersOf(desired)

  return {
    get zoneName() {
      return desired.zoneName
    },
    get configurations() {
      return desired.configurations
    },
    get orders() {
      return orders
    },
    async take(answer) {
      const known = new Map(desired.configurations.map((configuration) => [configuration.deviceType, configuration]))
      const configurations = answer.configurations.map((configuration) => {
        const former = known.get(configuration.deviceType)
        // An answer that was overtaken on its way must not bring an old configuration back.
        return former && isOlder(configuration, former) ? former : configuration
      })
      const next: Desired = { ...answer, zoneId, configurations }
      if (JSON.stringify(next) === JSON.stringify(desired)) return false
      await writeJson(file, next)
      desired = next
      orders = ordersOf(next)
      return true
    },
    isCurrent: ({ publication }) => orders.some((order) => order.publication === publication),
  }
}
