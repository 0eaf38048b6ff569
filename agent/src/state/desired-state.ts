import { Desired, DesiredConfiguration, DesiredFirmware, defaultMinBattery, type PreviousFirmware } from '@lectern/contract/hosts.ts'
import { startInstant } from '@lectern/contract/publications/update-time.ts'
import * as z from 'zod/mini'
import type { ReaderContent } from '../drivers/driver.ts'
import { readJson, writeJson } from './durable-file.ts'

/** Something that readers shall be given: all of a model, or where `serialNumber` is there that reader, once more. */
export interface Order extends Omit<DesiredConfiguration, 'content'>, Pick<ReaderContent, 'kind' | 'version'> {
  serialNumber?: string
  /** The publication that readers have when this is done; another than `publication` where one is given it once more. */
  of: string
}

/** A content that the host keeps at hand, and what it is to a person. */
export interface Wanted {
  contentHash: string
  /** Bytes. */
  size: number
  name: string
  /** For which publications it is fetched; none where it is kept to return to. */
  publications: string[]
}

/** What the zone's readers shall run, as the server last said; kept, so that an update time is met without the server. */
export interface DesiredState {
  readonly zoneName: string
  readonly orders: readonly Order[]
  /** What readers were brought to before, of a kind and model the last each. */
  readonly former: readonly Order[]
  /** Firmware that readers of a model ran before, as the server knows it. */
  previousOf(deviceType: string): readonly PreviousFirmware[]
  /** Per cent of battery below which nothing is given to a reader. */
  readonly minBattery: number
  /** Every content that readers are given or might have to return to. */
  readonly contents: readonly Wanted[]
  /** Takes over an answer of the server; `hasReaders` says whether any reader has been brought to a publication. True when something has changed. */
  take(answer: Desired, hasReaders?: (publication: string) => boolean): Promise<boolean>
  /** Whether readers may be given this at this moment. */
  isOpen(order: Pick<Order, 'publication'>): boolean
}

/** From when on readers may begin with an order, by the host's time zone: in the past where they may now. */
export const computeStart = ({ publishedAt, updateTime, stopTime, atOnce }: Order, timeZone: string, now: Date): Date =>
  atOnce ? new Date(publishedAt) : startInstant(new Date(publishedAt), { updateTime, stopTime }, timeZone, now)

/** What an order is called in the log. */
export const makeName = ({ kind, version, fileName }: Pick<Order, 'kind' | 'version' | 'fileName'>): string =>
  kind === 'firmware' ? `firmware ${version ?? fileName}` : (fileName ?? 'a CFG')

const Kept = z.extend(Desired, {
  former: z._default(z.object({ configurations: z.array(DesiredConfiguration), firmware: z.array(DesiredFirmware) }), {
    configurations: [],
    firmware: [],
  }),
})
type Kept = z.infer<typeof Kept>
type Publication = DesiredConfiguration | DesiredFirmware

const orderOf = (publication: Publication): Order => {
  const of = publication.publication
  if (!('content' in publication)) return { ...publication, kind: 'firmware', of }
  return { ...publication, kind: publication.content, version: null, of }
}

/** Older only when both say so: revisions count from the start again where a server was set back to a backup. */
const isOlder = (a: Publication, b: Publication) =>
  a.publication !== b.publication && a.revision < b.revision && Date.parse(a.publishedAt) < Date.parse(b.publishedAt)

/** What stands in `list` for a model. */
const ofModel = <P extends Publication>(list: readonly P[], { deviceType }: Publication) =>
  list.find((publication) => publication.deviceType === deviceType)

/** An answer that was overtaken on its way must not bring an old publication back. */
const newest = <P extends Publication>(answered: readonly P[], known: readonly P[]): P[] =>
  answered.map((publication) => {
    const former = ofModel(known, publication)
    return former && isOlder(publication, former) ? former : publication
  })

/** What `next` has replaced; where it replaced nothing, or what no reader has, what had been replaced before. */
const replaced = <P extends Publication>(
  next: readonly P[],
  known: readonly P[],
  before: readonly P[],
  hasReaders: (publication: string) => boolean,
): P[] =>
  next.flatMap((publication) => {
    const was = ofModel(known, publication)
    const former = was && was.publication !== publication.publication && hasReaders(was.publication) ? was : ofModel(before, publication)
    return former ? [former] : []
  })

/**
 * Firmware before configuration: what is set may be something that only the firmware knows. What a reader is given once more somebody has just asked
 * for, so no stop time keeps it.
 */
function ordersOf({ configurations, firmware, reapplications }: Kept): Order[] {
  const ofModels = [...firmware, ...configurations].map(orderOf)
  const again = reapplications.flatMap(({ id, publication, serialNumber }) =>
    ofModels
      .filter((order) => order.publication === publication)
      .map((order): Order => ({ ...order, publication: id, serialNumber, stopTime: null })),
  )
  return [...ofModels, ...again]
}

function contentsOf({ configurations, firmware, former }: Kept): Wanted[] {
  const wanted = new Map<string, Wanted>()
  const want = (contentHash: string, size: number, name: string, publications: string[]) => {
    const known = wanted.get(contentHash)
    wanted.set(contentHash, { contentHash, size, name, publications: [...(known?.publications ?? []), ...publications] })
  }
  for (const order of [...firmware, ...configurations].map(orderOf))
    want(order.contentHash, order.size, `${makeName(order)} for ${order.deviceType}`, [order.publication])
  for (const order of [...former.firmware, ...former.configurations].map(orderOf))
    want(order.contentHash, order.size, `${makeName(order)} for ${order.deviceType}, to return to`, [])
  for (const { deviceType, previous } of firmware)
    for (const { contentHash, size, version } of previous)
      want(contentHash, size, `firmware ${version} for ${deviceType}, to return to`, [])
  return [...wanted.values()]
}

/** Opens what was kept for a zone; what was kept for another zone is not looked at. */
export async function openDesired(file: string, zoneId: string, zoneName: string): Promise<DesiredState> {
  const read = await readJson(file, Kept)
  const nothing = { configurations: [], firmware: [] }
  let kept: Kept =
    read?.zoneId === zoneId ? read : { zoneId, zoneName, ...nothing, former: nothing, reapplications: [], minBattery: defaultMinBattery }
  let orders = ordersOf(kept)
  let contents = contentsOf(kept)

  return {
    get zoneName() {
      return kept.zoneName
    },
    get orders() {
      return orders
    },
    get former() {
      return [...kept.former.firmware, ...kept.former.configurations].map(orderOf)
    },
    get minBattery() {
      return kept.minBattery
    },
    get contents() {
      return contents
    },
    previousOf: (deviceType) => kept.firmware.find((firmware) => firmware.deviceType === deviceType)?.previous ?? [],
    async take(answer, hasReaders = () => true) {
      const configurations = newest(answer.configurations, kept.configurations)
      const firmware = newest(answer.firmware, kept.firmware)
      const former = {
        configurations: replaced(configurations, kept.configurations, kept.former.configurations, hasReaders),
        firmware: replaced(firmware, kept.firmware, kept.former.firmware, hasReaders),
      }
      const next: Kept = { ...answer, zoneId, configurations, firmware, former }
      if (JSON.stringify(next) === JSON.stringify(kept)) return false
      await writeJson(file, next)
      kept = next
      orders = ordersOf(next)
      contents = contentsOf(next)
      return true
    },
    isOpen: ({ publication }) => orders.some((order) => order.publication === publication && !order.halted),
  }
}
