import { posix, win32 } from 'node:path'

/** How a package installs the agent on this PC. */
export interface Installed {
  /** A folder. */
  state: string
  /** The command that starts the service. */
  start: string
}

/** Null where this program is not the installed one. */
export function findInstalled(
  platform: string = process.platform,
  { ProgramFiles, ProgramData }: NodeJS.ProcessEnv = process.env,
  program = process.execPath,
): Installed | null {
  if (platform === 'linux' && posix.dirname(program) === '/usr/lib/lectern-agent')
    return { state: '/var/lib/lectern-agent', start: 'systemctl start lectern-agent' }
  if (platform !== 'win32' || !ProgramFiles || !ProgramData) return null
  const name = 'Lectern Agent'
  if (win32.dirname(program).toLowerCase() !== win32.join(ProgramFiles, name).toLowerCase()) return null
  return { state: win32.join(ProgramData, name), start: `"${program}" service start` }
}
