import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Timing } from '../../drivers/serial/dialect.ts'
import { SerialDriver } from '../../drivers/serial/driver.ts'
import { newFolder } from '../folder.ts'
import { memoryLog } from '../log.ts'
import { Socket } from './pseudo-terminal.ts'
import { EmulatedReader } from './reader.ts'
import type { Identity } from './reader-commands.ts'

export const serialNumber = '27P0000001'

const identity: Identity = {
  model: 'CR2700',
  serialNumber,
  battery: 80,
  factory: { settings: '<cfg><beep>20</beep></cfg>', script: null, firmware: '4.12.0', firmwareHash: null },
}

export function newSocket(): Socket {
  const socket = new Socket()
  onTestFinished(() => socket.remove())
  return socket
}

export function pluggedReader(more: Partial<Identity> = {}, socket: Socket = newSocket(), file: string = join(newFolder(), 'memory.json')) {
  const reader = new EmulatedReader(file, { ...identity, ...more })
  reader.plugInto(socket)
  onTestFinished(() => reader.remove())
  return { reader, socket, file }
}

/** A scan does not count as use. */
export function driverOn(sockets: readonly Socket[], timing: Partial<Timing> = {}) {
  const log = memoryLog()
  const driver = new SerialDriver({
    ports: async () => sockets.map(({ path }) => path),
    baudRate: 115_200,
    log,
    timing: { askAgain: 500, answer: 20_000, silentPort: 0, use: 0, ...timing },
  })
  onTestFinished(() => driver.close())
  return { driver, log }
}
