import { benchExports } from './exports.ts'
import { benchFirmware } from './firmware.ts'
import { benchGraphs } from './graphs.ts'
import { benchDevices, benchDirectory } from './lists.ts'
import { withPortal } from './portal.ts'
import { benchRollouts } from './rollouts.ts'
import { benchStreams } from './streams.ts'

const parts: Record<string, () => Promise<void>> = {
  directory: () => withPortal(['global:access:organizations'], benchDirectory),
  devices: () => withPortal([], benchDevices),
  exports: () => withPortal(['access:audit_log'], benchExports, false),
  firmware: () => withPortal(['global:access:organizations', 'manage:firmware'], benchFirmware),
  rollouts: () => withPortal(['global:access:organizations', 'manage:cfg'], benchRollouts),
  streams: () => withPortal([], benchStreams),
  graphs: () => withPortal(['global:access:analytics'], benchGraphs),
}

const chosen = process.argv.slice(2)
for (const [name, run] of Object.entries(parts)) if (chosen.length === 0 || chosen.includes(name)) await run()
