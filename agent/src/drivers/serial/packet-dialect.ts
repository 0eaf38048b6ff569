import type { DialectCommand } from '@lectern/contract/devices/attached.ts'
import { type ReaderContent, ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { type Dialect, type Identity, toWords, UnknownAnswer } from './dialect.ts'
import { encodePacket, type Packet, PacketParser, parseInformation } from './packets.ts'
import type { Wire } from './reader-line.ts'
import type { Timing } from './timing.ts'

const cr3600 = 'Interface Configuration Document C005066'
const cr2600 = 'Interface Configuration Document D014465'
const published = (type: string, data: string, meaning: string, source: string): [string, DialectCommand] => [
  type,
  { sends: `${type}${data}`, meaning, source, evidence: 'published' },
]

/** By type. A packet that is not here cannot be sent. */
export const packetCommands: ReadonlyMap<string, DialectCommand> = new Map([
  published('I', '', 'Asks for firmware, serial number and hardware type', `${cr3600}, p. 14`),
  published('Y', ' and a packet number', 'Acknowledges a packet of the reader', `${cr3600}, p. 16`),
  published('R', '', 'Asks for the last packet again', `${cr2600}, p. 24`),
  published('1', '', 'Begins a file', 'Interface Configuration Document V002450, p. 15 and 21'),
  published('2', ' and up to 236 bytes', 'Goes on with a file; has no answer', `${cr3600}, p. 12 and 16`),
  published('5', ' and a name', 'Ends a file and stores it', `${cr3600}, p. 12 and 16`),
  published('G', '(register)', 'Reads a setting', `${cr3600}, p. 14`),
  published('C', '(register) and a value', 'Sets and saves a setting', `${cr2600}, p. 17`),
  published('P', '(register) and a value', 'Sets a setting until the reader restarts', `${cr3600}, p. 13 to 16`),
  published('W', '', 'Saves the settings', `${cr3600}, p. 16`),
  published('J', '', 'Restores the default settings', `${cr3600}, p. 14`),
  published('L', '', 'Lists the stored files', `${cr3600}, p. 14`),
  published('^', ' and a name', 'Reads a stored file', `${cr3600}, p. 16`),
  published('Z', '', 'Restarts the reader', `${cr3600}, p. 16`),
  published('Ib', '', 'Reads the battery, as XML', `${cr3600}, p. 14`),
])

const blockSize = 236
const mostResends = 3
/** V002450 p. 15: what a file may be called. */
const fileName = /^[A-Za-z0-9._-]{1,200}$/

/** Hardware types whose model is published (C005905_04 p. 9). */
const models: Readonly<Record<string, string>> = { '0007': 'CR1000' }

/** The older generation: CR1000 to CR8000, none of which the portal knows. */
export class PacketDialect implements Dialect {
  readonly name = 'packets'
  readonly commands = [...packetCommands.values()]
  readonly can = ['file'] as const
  readonly #timing: Timing

  constructor(timing: Timing) {
    this.#timing = timing
  }

  async identify(wire: Wire): Promise<Identity | null> {
    const answer = await this.#ask(wire, 'I', new Uint8Array(), { left: this.#timing.dialect })
    if (answer === null) return null
    const found = answer.type === 'i' ? parseInformation(answer.data) : null
    if (!found) throw new UnknownAnswer(Buffer.concat([Buffer.from(answer.type), answer.data]))
    const { firmware, serialNumber, hardware } = found
    const model = hardware === null ? 'No hardware type' : (models[hardware] ?? `Hardware type ${hardware}`)
    return { model, serialNumber, firmware, battery: null, configuration: null }
  }

  /** A file that is not acknowledged is sent again from its beginning (V002450 p. 21). */
  async apply(wire: Wire, content: ReaderContent, progress: (bytes: number) => void): Promise<void> {
    const name = content.fileName ?? ''
    if (!fileName.test(name))
      throw new ReaderRefusal('The name of a file on this reader has 1 to 200 letters, digits, periods, hyphens and underscores.')
    let last: Packet | null = null
    let most = 0
    for (let resends = 0; resends <= mostResends; resends += 1) {
      const start = await this.#ask(wire, '1')
      if (start?.type === 'd') {
        let sent = 0
        for await (const block of toBlocks(content.open())) {
          await wire.write(encode('2', block))
          sent += block.length
          if (sent > most) progress(sent)
          most = Math.max(most, sent)
        }
        last = await this.#ask(wire, '5', Buffer.from(`${name}\0`), undefined, this.#timing.store)
        if (last?.type === 'd') return
      } else last = start
    }
    if (last) throw new ReaderRefusal(`The reader does not store the file: ${readText(last)}`)
    throw new ReaderUnreachable('The reader does not acknowledge the file.')
  }

  /**
   * Null where nothing responds in time. Each try waits for one acknowledgement's time, the last one for `longest` more.
   * @param whole for all tries together
   */
  async #ask(
    wire: Wire,
    type: string,
    data: Uint8Array = new Uint8Array(),
    whole = { left: Number.POSITIVE_INFINITY },
    longest = 0,
  ): Promise<Packet | null> {
    const parser = new PacketParser()
    for (let resends = 0; resends <= mostResends && whole.left > 0; resends += 1) {
      await wire.write(encode(type, data))
      const wait = this.#timing.acknowledgement + (resends === mostResends ? longest : 0)
      const time = { left: Math.min(wait, whole.left) }
      const given = time.left
      const answer = await readAnswer(wire, parser, time)
      whole.left -= given - time.left
      if (!answer) continue
      wire.setAnswered()
      // The response to what was sent again is none to what follows.
      if (resends > 0) while ((await wire.next({ left: this.#timing.quiet })) !== null);
      return answer
    }
    return null
  }
}

function encode(type: string, data?: Uint8Array): Uint8Array {
  if (!packetCommands.has(type)) throw new Error(`The packet ${type} is in no source.`)
  return encodePacket(type, data)
}

const answerTypes = ['d', 'e', 'f', 'i']

async function readAnswer(wire: Wire, parser: PacketParser, time: { left: number }): Promise<Packet | null> {
  let asked = 0
  for (let byte = await wire.next(time); byte !== null; byte = await wire.next(time)) {
    const packet = parser.take(byte)
    if (packet === 'damaged') {
      if (asked++ < mostResends) await wire.write(encode('R'))
    } else if (packet) {
      if (packet.number !== null) await wire.write(encode('Y', Uint8Array.of(packet.number)))
      if (answerTypes.includes(packet.type)) return packet
      // What a person scans in between.
      wire.setInUse()
    }
  }
  return null
}

async function* toBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= blockSize; rest = rest.subarray(blockSize)) yield rest.subarray(0, blockSize)
  }
  if (rest.length > 0) yield rest
}

function readText({ type, data }: Packet): string {
  const text = toWords(Buffer.from(data).toString('latin1'), 200)
  return text === '' ? `it responds with ${type}.` : text
}
