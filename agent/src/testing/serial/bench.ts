import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ReaderContent } from '../../drivers/driver.ts'
import { SerialDriver, type SerialOptions } from '../../drivers/serial/driver.ts'
import type { Timing } from '../../drivers/serial/timing.ts'
import { newFolder } from '../folder.ts'
import { memoryLog } from '../log.ts'
import { type CommandIdentity, CommandReader } from './command-reader.ts'
import { PacketReader } from './packet-reader.ts'
import { Socket } from './pseudo-terminal.ts'
import { EmulatedReader, type Talker } from './reader.ts'

export const serialNumber = '27P0000001'

const identity: CommandIdentity = {
  model: 'CR2700',
  serialNumber,
  factory: { settings: '<cfg><beep>20</beep></cfg>', firmware: '4.12.0' },
}

export function newSocket(): Socket {
  const socket = new Socket()
  onTestFinished(() => socket.remove())
  return socket
}

function plug<T extends Talker>(talker: T, socket: Socket) {
  const reader = new EmulatedReader(talker)
  reader.plugInto(socket)
  onTestFinished(() => reader.remove())
  return { reader, talker, socket }
}

/** One of the seven models. */
export const pluggedReader = (more: Partial<CommandIdentity> = {}, socket: Socket = newSocket()) =>
  plug(new CommandReader(join(newFolder(), 'memory.json'), { ...identity, ...more }), socket)

/** One of the older generation. */
export const pluggedPacketReader = (serial = '1234567890', socket: Socket = newSocket()) => plug(new PacketReader(serial), socket)

/** A device that is no reader of ours. */
export function pluggedDevice(answer: (received: Buffer, socket: Socket) => void): Socket {
  const socket = newSocket()
  socket.plugIn((bytes) => answer(bytes, socket))
  return socket
}

/** A scan does not count as use, and no port is left alone. `log` has no line of what may be sent. */
export function driverOn(sockets: readonly Socket[], timing: Partial<Timing> = {}, more: Partial<SerialOptions> = {}) {
  const log = memoryLog()
  const driver = new SerialDriver({
    ports: async () => sockets.map(({ path }) => path),
    baudRate: 115_200,
    log,
    others: async () => [],
    timing: { dialect: 20_000, acknowledgement: 5_000, quiet: 50, betweenDialects: 0, rest: 0, use: 0, ...timing },
    ...more,
  })
  const announced = [...log.lines]
  log.lines.length = 0
  onTestFinished(() => driver.close())
  return { driver, log, announced }
}

/** A content, in chunks that are no blocks. */
export function makeContent(text: string, more: Partial<ReaderContent> = {}): ReaderContent {
  const bytes = Buffer.from(text, 'latin1')
  return {
    publication: '01a1f94a-7a90-7d0e-9a39-8a1a55f1c9b3',
    kind: 'file',
    version: null,
    contentHash: createHash('sha256').update(bytes).digest('hex'),
    fileName: 'wristband-v8.js',
    size: bytes.length,
    async *open() {
      for (let from = 0; from < bytes.length; from += 700) yield bytes.subarray(from, from + 700)
    },
    ...more,
  }
}

export const makeCommands = (...lines: string[]): ReaderContent =>
  makeContent(lines.map((line) => `${line}\n`).join(''), { kind: 'commands', fileName: 'Ward 3, version 2' })
