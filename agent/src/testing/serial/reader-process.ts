import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Socket } from './pseudo-terminal.ts'
import { EmulatedReader } from './reader.ts'

// An emulated reader to try the serial driver with. Prints its port and the bytes that it receives, until it is stopped.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', default: 'CR2700' },
    'serial-number': { type: 'string', default: '27P0000001' },
    'block-ms': { type: 'string', default: '0' },
  },
})
const [file] = positionals
if (file === undefined) {
  process.stderr.write('Usage: reader-process.ts <memory-file> [--model CR2700] [--serial-number 27P0000001] [--block-ms 0]\n')
  process.exit(2)
}

const socket = new Socket()
const reader = new EmulatedReader(file, {
  model: values.model,
  serialNumber: values['serial-number'],
  battery: 80,
  factory: { settings: '<cfg></cfg>', script: null, firmware: '4.12.0', firmwareHash: null },
})
reader.faults.arrived = async (bytes) => {
  process.stdout.write(`${bytes} bytes received\n`)
  await sleep(Number(values['block-ms']))
  return true
}
reader.plugInto(socket)
process.stdout.write(`${values.model} ${values['serial-number']} is at ${socket.path}\n`)
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    socket.remove()
    process.exit()
  })
}
