import type { Fleet, Host, Organization } from './fleet.ts'
import { checkIn, createZone, deleteZone, move, resettle, update, wear } from './hosts.ts'
import { exportFile, logDevices, publish, register, unregister } from './people.ts'

type Action = (fleet: Fleet, organization: Organization) => Promise<void>

/** The actions, and how often each happens compared with the others. */
const actions: Record<string, [share: number, action: Action]> = {
  checkIn: [10, (fleet, organization) => withHosts(fleet, organization, 1, ([host]) => wearAndCheckIn(fleet, host!))],
  update: [8, (fleet, organization) => withHosts(fleet, organization, 1, ([host]) => update(fleet, host!))],
  move: [4, (fleet, organization) => withHosts(fleet, organization, 2, ([from, to]) => move(fleet, from!, to!))],
  publish: [6, publish],
  resettle: [1, (fleet, organization) => withHosts(fleet, organization, 1, ([host]) => resettle(fleet, host!))],
  createZone: [1, async (fleet, organization) => void organization.spare.push(await createZone(fleet, organization))],
  deleteZone: [1, deleteSpareZone],
  register: [1, register],
  unregister: [1, unregister],
  logDevices: [3, logDevices],
  exportFile: [2, exportFile],
}
const byShare = Object.values(actions).flatMap(([share, action]) => Array.from({ length: share }, () => action))

/** Has every host PC report all its readers. */
export async function checkInAll(fleet: Fleet, atATime: number): Promise<void> {
  const hosts = fleet.organizations.flatMap((organization) => organization.hosts)[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const host of hosts) await checkIn(fleet, host, true)
    }),
  )
}

/** Runs so many actions at a time anywhere in the fleet until the signal comes, and waits for the last ones. */
export async function work(fleet: Fleet, atATime: number, signal: AbortSignal): Promise<void> {
  const { random, organizations, ledger } = fleet
  // A third of the actions is in a few organizations, so that they meet.
  const crowded = organizations.slice(0, Math.ceil(organizations.length / 50))
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      while (!signal.aborted) {
        const organization = random.pick(random.below(3) === 0 ? crowded : organizations)
        await random
          .pick(byShare)(fleet, organization)
          .catch((error: Error) => ledger.faults.push(error.message))
      }
    }),
  )
}

/** Does nothing where other workers have the hosts. */
async function withHosts(fleet: Fleet, organization: Organization, count: number, action: (hosts: Host[]) => Promise<void>): Promise<void> {
  const hosts = fleet.random.shuffle(organization.hosts.filter(({ isBusy }) => !isBusy)).slice(0, count)
  // A worker that finds nothing lets the others go on.
  if (hosts.length < count) return new Promise((resolve) => setImmediate(resolve))
  for (const host of hosts) host.isBusy = true
  try {
    await action(hosts)
  } finally {
    for (const host of hosts) host.isBusy = false
  }
}

async function wearAndCheckIn(fleet: Fleet, host: Host): Promise<void> {
  wear(fleet, host)
  await checkIn(fleet, host, fleet.random.next() < 0.25)
}

async function deleteSpareZone(fleet: Fleet, organization: Organization): Promise<void> {
  const zone = organization.spare.pop()
  if (zone !== undefined) await deleteZone(fleet, organization, zone)
}
