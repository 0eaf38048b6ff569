import { Desired, type DesiredConfiguration } from '@lectern/contract/hosts.ts'
import { readJson, writeJson } from './state/durable-file.ts'

/** What the zone's readers shall run, as the server last said; kept, so that an update time is met without the server. */
export interface DesiredState {
  readonly zoneName: string
  readonly configurations: readonly DesiredConfiguration[]
  /** Takes over an answer of the server. True when something has changed. */
  take(answer: Desired): Promise<boolean>
  /** Whether this is still what readers of its model shall run. */
  isCurrent(configuration: DesiredConfiguration): boolean
}

/** Older only when both say so: revisions count from the start again where a server was set back to a backup. */
const isOlder = (a: DesiredConfiguration, b: DesiredConfiguration) =>
  a.publication !== b.publication && a.revision < b.revision && Date.parse(a.publishedAt) < Date.parse(b.publishedAt)

/** Opens what was kept for a zone; what was kept for another zone is not looked at. */
export async function openDesired(file: string, zoneId: string, zoneName: string): Promise<DesiredState> {
  const kept = await readJson(file, Desired)
  let desired: Desired = kept?.zoneId === zoneId ? kept : { zoneId, zoneName, configurations: [] }

  return {
    get zoneName() {
      return desired.zoneName
    },
    get configurations() {
      return desired.configurations
    },
    async take(answer) {
      const known = new Map(desired.configurations.map((configuration) => [configuration.deviceType, configuration]))
      const configurations = answer.configurations.map((configuration) => {
        const former = known.get(configuration.deviceType)
        // An answer that was overtaken on its way must not bring an old configuration back.
        return former && isOlder(configuration, former) ? former : configuration
      })
      const next: Desired = { zoneId, zoneName: answer.zoneName, configurations }
      if (JSON.stringify(next) === JSON.stringify(desired)) return false
      await writeJson(file, next)
      desired = next
      return true
    },
    isCurrent: ({ publication }) => desired.configurations.some((configuration) => configuration.publication === publication),
  }
}
