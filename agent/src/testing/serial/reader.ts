import type { Socket } from './pseudo-terminal.ts'

/** What a reader does with bytes. It is written from the published facts, and takes nothing from the driver. */
export interface Talker {
  /** Returns what it sends back. */
  receive(byte: number): Uint8Array[]
  start(): void
}

export interface Faults {
  /** It receives and sends nothing. */
  isSilent: boolean
  /** What the line turns bytes into. */
  toReader: (bytes: Uint8Array) => Uint8Array
  fromReader: (bytes: Uint8Array) => Uint8Array
}

const unhurt = (bytes: Uint8Array) => bytes

/** A reader on pseudo-terminals. */
export class EmulatedReader<T extends Talker = Talker> {
  readonly faults: Faults = { isSilent: false, toReader: unhurt, fromReader: unhurt }
  readonly talker: T
  readonly #sockets = new Set<Socket>()

  constructor(talker: T) {
    this.talker = talker
  }

  plugInto(socket: Socket): void {
    this.#sockets.add(socket)
    socket.plugIn((bytes) => {
      for (const byte of this.faults.toReader(bytes)) if (!this.faults.isSilent) this.#answer(socket, byte)
    })
  }

  unplugFrom(socket: Socket): void {
    this.#sockets.delete(socket)
    socket.unplug()
  }

  remove(): void {
    for (const socket of [...this.#sockets]) this.unplugFrom(socket)
  }

  scan(text: string): void {
    for (const socket of this.#sockets) socket.write(Buffer.from(text, 'latin1'))
  }

  /** It loses its power, and gets it again. */
  restart(): void {
    const sockets = [...this.#sockets]
    for (const socket of sockets) this.unplugFrom(socket)
    this.talker.start()
    for (const socket of sockets) this.plugInto(socket)
  }

  #answer(socket: Socket, byte: number): void {
    for (const bytes of this.talker.receive(byte)) socket.write(this.faults.fromReader(bytes))
  }
}
