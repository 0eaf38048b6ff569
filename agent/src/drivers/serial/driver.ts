import type { Log } from '../../log.ts'
import { pause } from '../../wakeup.ts'
import { type Driver, type Reader, ReaderUnreachable } from '../driver.ts'
import { type Timing, usualTiming } from './dialect.ts'
import { Place } from './reader-port.ts'

export interface SerialOptions {
  /** The ports to look at, as they are now. */
  ports: () => Promise<readonly string[]>
  baudRate: number
  log: Log
  timing?: Partial<Timing>
}

/** Milliseconds between two looks for a reader that starts anew. */
const betweenLooks = 300

/** Readers on serial ports. A port stays open, so that scans are noticed; one that disappears is found again when it is back. */
export function serialDriver({ ports, baudRate, log, timing: some }: SerialOptions): Driver {
  const timing = { ...usualTiming, ...some }
  const places = new Map<string, Place>()
  /** What was said about a port last, so that it is said once. */
  const said = new Map<string, string>()
  const ending = new AbortController()

  function until(signal: AbortSignal): AbortSignal {
    if (ending.signal.aborted) throw new ReaderUnreachable('The serial ports have been let go of.')
    return AbortSignal.any([signal, ending.signal])
  }

  function placeAt(path: string): Place {
    const place = places.get(path) ?? new Place(path, baudRate, timing)
    places.set(path, place)
    return place
  }

  /** The reader at a port, or null after having said why there is none. */
  async function lookAt(path: string, signal: AbortSignal): Promise<Reader | null> {
    const place = placeAt(path)
    if (place.isApplying || place.isStranger) return place.told
    try {
      const reader = await place.read(signal)
      said.delete(path)
      return reader
    } catch (error) {
      if (!(error instanceof ReaderUnreachable)) throw error
      if (!signal.aborted && said.get(path) !== error.message) log.warn(error.message)
      said.set(path, error.message)
      return null
    }
  }

  async function list(signal: AbortSignal): Promise<Reader[]> {
    const paths = await ports()
    for (const [path, place] of places) {
      if (paths.includes(path) || place.isApplying) continue
      places.delete(path)
      await place.close()
    }
    const readers = new Map<string, Reader>()
    for (const reader of await Promise.all(paths.map((path) => lookAt(path, signal)))) {
      // A reader that hangs on two ports is one reader.
      const same = reader && readers.get(reader.serialNumber)
      if (reader) readers.set(reader.serialNumber, { ...reader, inUse: reader.inUse || same?.inUse === true })
    }
    return [...readers.values()]
  }

  const formatPlace = (serialNumber: string) => [...places.values()].find(({ told }) => told?.serialNumber === serialNumber)

  async function find(serialNumber: string, signal: AbortSignal): Promise<Place> {
    if (!formatPlace(serialNumber)) await list(signal)
    const place = formatPlace(serialNumber)
    if (!place) throw new ReaderUnreachable(`The reader ${serialNumber} is not attached.`)
    return place
  }

  /** Ends when a reader that starts anew is up again, on whichever port. */
  async function up(serialNumber: string, signal: AbortSignal): Promise<void> {
    const end = Date.now() + timing.reboot
    while (!(await list(signal)).some((reader) => reader.serialNumber === serialNumber)) {
      if (signal.aborted || Date.now() > end) throw new ReaderUnreachable(`The reader ${serialNumber} has not come up again.`)
      await pause(betweenLooks, signal)
    }
  }

  return {
    list: async (signal) => list(until(signal)),
    async read(serialNumber, signal) {
      const over = until(signal)
      const reader = await (await find(serialNumber, over)).read(over)
      if (reader.serialNumber === serialNumber) return reader
      throw new ReaderUnreachable(`Another reader, ${reader.serialNumber}, hangs where ${serialNumber} was.`)
    },
    async apply(serialNumber, content, signal, progress = () => {}) {
      const over = until(signal)
      await (await find(serialNumber, over)).apply(serialNumber, content, over, progress)
      if (content.kind !== 'firmware') return
      await up(serialNumber, over)
      await (await find(serialNumber, over)).confirm(content, over)
    },
    async close() {
      ending.abort()
      await Promise.all([...places.values()].map((place) => place.close()))
    },
  }
}
