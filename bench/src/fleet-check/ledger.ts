/** A reader as the portal has acknowledged it from a host. */
export interface SeenReader {
  organization: string
  serialNumber: string
  zone: string
  host: string
  deviceType: string
  firmware: string | null
  configuration: string | null
  battery: number | null
}

/** What the portal has acknowledged and therefore must have, each once. */
export class Ledger {
  /** By rollout, as every publish makes one. */
  readonly publications = new Set<string>()
  /** By publication and serial number. */
  readonly outcomes = new Map<string, 'applied' | 'failed'>()
  /** The last report, by organization and serial number. */
  readonly readers = new Map<string, SeenReader>()
  /** The digest of the last check-in, by organization and host name. */
  readonly digests = new Map<string, string>()
  /** Whether zones and registered readers must be there, by id. */
  readonly zones = new Map<string, boolean>()
  readonly registered = new Map<string, boolean>()
  /** Organization, device and day, as one text. */
  readonly days = new Set<string>()
  /** How many audit entries must be there, by organization, change type and what they name. */
  readonly entries = new Map<string, number>()
  /** Responses that no client should get. */
  readonly faults: string[] = []

  addEntry(organization: string, changeType: string, named = ''): void {
    const key = `${organization} ${changeType} ${named}`
    this.entries.set(key, (this.entries.get(key) ?? 0) + 1)
  }

  /** Ten moves in 24 hours, which is longer than a run, are recorded per reader. */
  addMove(organization: string, serialNumber: string): void {
    if ((this.entries.get(`${organization} moveDevice ${serialNumber}`) ?? 0) < 10) this.addEntry(organization, 'moveDevice', serialNumber)
  }
}
