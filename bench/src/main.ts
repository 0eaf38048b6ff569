import { benchDevices } from './devices.ts'
import { benchDirectory } from './directory.ts'
import { withPortal } from './stand.ts'

const parts: Record<string, () => Promise<void>> = {
  directory: () => withPortal(['global:access:organizations'], benchDirectory),
  devices: () => withPortal([], benchDevices),
}

const wanted = process.argv.slice(2)
for (const [name, run] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await run()
