import { setTimeout as sleep } from 'node:timers/promises'
import { decodeQuestion, Envelopes, encodeAnswers } from '../../drivers/serial/dialect.ts'
import { ByteQueue } from '../../drivers/serial/reader-line.ts'
import type { Wire } from '../../drivers/serial/xmodem.ts'
import { Memory } from './memory.ts'
import type { Socket } from './pseudo-terminal.ts'
import { type Identity, ReaderCommands, type ReaderFaults } from './reader-commands.ts'
import { receiveXmodem } from './xmodem-receiver.ts'

export interface Faults extends ReaderFaults {
  /** It receives and sends nothing. */
  isSilent: boolean
  /** Called with the bytes of a file so far; false breaks the transfer off. */
  arrived: (bytes: number) => boolean | Promise<boolean>
  /** What the line turns bytes into. */
  toReader: (bytes: Uint8Array) => Uint8Array
  fromReader: (bytes: Uint8Array) => Uint8Array
  portStays: boolean
  /** Milliseconds. */
  start: number
  /** Milliseconds until it misses a byte of a file. */
  silence: number
}

const unhurt = (bytes: Uint8Array) => bytes

/** A reader on pseudo-terminals that keeps what it runs in a file. */
export class EmulatedReader {
  readonly faults: Faults = {
    isSilent: false,
    refusal: null,
    deaf: null,
    arrived: () => true,
    toReader: unhurt,
    fromReader: unhurt,
    portStays: false,
    start: 50,
    silence: 250,
  }
  readonly #sockets = new Map<Socket, AbortController>()
  readonly #commands: ReaderCommands
  #isGone = false

  constructor(file: string, identity: Identity) {
    this.#commands = new ReaderCommands(identity, new Memory(file, identity.factory), this.faults)
  }

  plugInto(socket: Socket): void {
    const unplugged = new AbortController()
    const queue = new ByteQueue()
    this.#sockets.set(socket, unplugged)
    socket.plugIn((bytes) => {
      for (const byte of this.faults.toReader(bytes)) queue.push(byte)
    })
    void this.#serve(socket, queue, unplugged.signal)
  }

  unplugFrom(socket: Socket): void {
    this.#sockets.get(socket)?.abort()
    this.#sockets.delete(socket)
    socket.unplug()
  }

  remove(): void {
    this.#isGone = true
    for (const socket of [...this.#sockets.keys()]) this.unplugFrom(socket)
  }

  scan(text: string): void {
    for (const socket of this.#sockets.keys()) socket.write(Buffer.from(text, 'latin1'))
  }

  async restart(): Promise<void> {
    const sockets = [...this.#sockets.keys()]
    const wasSilent = this.faults.isSilent
    this.faults.isSilent = true
    if (!this.faults.portStays) for (const socket of sockets) this.unplugFrom(socket)
    await sleep(this.faults.start)
    if (this.#isGone) return
    this.#commands.start()
    this.faults.isSilent = wasSilent
    if (!this.faults.portStays) for (const socket of sockets) this.plugInto(socket)
  }

  async #serve(socket: Socket, queue: ByteQueue, unplugged: AbortSignal): Promise<void> {
    const envelopes = new Envelopes()
    const wire: Wire = {
      next: (time) => queue.next(time, unplugged),
      clear: () => queue.clear(),
      write: async (bytes) => {
        if (!unplugged.aborted && !this.faults.isSilent) socket.write(this.faults.fromReader(bytes))
      },
    }
    while (!unplugged.aborted) {
      const byte = await wire.next({ left: Number.POSITIVE_INFINITY })
      const envelope = byte === null || this.faults.isSilent ? null : envelopes.take(byte)
      const question = envelope instanceof Uint8Array ? decodeQuestion(envelope) : null
      if (!question) continue
      const { answers, then } = await this.#commands.carryOut(question.commands)
      await wire.write(encodeAnswers(question.token, answers))
      if (then === 'restart') await this.restart()
      if (then === 'receive') {
        const arrived = async (bytes: number) => (await this.faults.arrived(bytes)) && !unplugged.aborted
        this.#commands.received(await receiveXmodem(wire, this.faults.silence, arrived))
      }
    }
  }
}
