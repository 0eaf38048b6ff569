/** A reader as a host reported it, and the portal acknowledged. */
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

/** What the portal has acknowledged, and so must have: each once. */
export class Ledger {
  /** By rollout: every publish makes one of its own. */
  readonly publications = new Set<string>()
  /** By publication and serial number. */
  readonly outcomes = new Map<string, 'applied' | 'failed'>()
  /** By organization and serial number; the last report. */
  readonly readers = new Map<string, SeenReader>()
  /** By organization and host's name: the digest of its last check-in. */
  readonly digests = new Map<string, string>()
  /** Zones by id, registered readers by id: whether they must be there. */
  readonly zones = new Map<string, boolean>()
  readonly registered = new Map<string, boolean>()
  /** Organization, device and day. */
  readonly days = new Set<string>()
  /** Audit entries: how many by organization, change type and what they name. */
  readonly entries = new Map<string, number>()
  /** Responses that no client may get. */
  readonly faults: string[] = []

  addEntry(organization: string, changeType: string, named = ''): void {
    const key = `${organization} ${changeType} ${named}`
    this.entries.set(key, (this.entries.get(key) ?? 0) + 1)
  }

  /** Of a reader that turned up at another host: ten in 24 hours, which is longer than a run. */
  addMove(organization: string, serialNumber: string): void {
    if ((this.entries.get(`${organization} moveDevice ${serialNumber}`) ?? 0) < 10) this.addEntry(organization, 'moveDevice', serialNumber)
  }
}
