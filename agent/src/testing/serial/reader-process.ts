import { parseArgs } from 'node:util'
import { CommandReader } from './command-reader.ts'
import { PacketReader } from './packet-reader.ts'
import { Socket } from './pseudo-terminal.ts'
import { EmulatedReader } from './reader.ts'

// An emulated reader to try the serial driver with. Prints its port, and what it is sent, until it is stopped.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', default: 'CR2700' },
    'serial-number': { type: 'string', default: '27P0000001' },
    packets: { type: 'boolean', default: false },
  },
})
const [file] = positionals
if (file === undefined) {
  process.stderr.write('Usage: reader-process.ts <memory-file> [--model CR2700] [--serial-number 27P0000001] [--packets]\n')
  process.exit(2)
}

const socket = new Socket()
const serialNumber = values['serial-number']
const identity = { model: values.model, serialNumber, factory: { settings: '<cfg></cfg>', firmware: '4.12.0' } }
const reader = new EmulatedReader(values.packets ? new PacketReader(serialNumber) : new CommandReader(file, identity))
reader.faults.toReader = (bytes) => {
  process.stdout.write(`received ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}\n`)
  return bytes
}
reader.plugInto(socket)
process.stdout.write(`${values.packets ? 'A reader of packets' : values.model} ${serialNumber} is at ${socket.path}\n`)
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    socket.remove()
    process.exit()
  })
}
