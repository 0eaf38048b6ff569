import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * When a process was started, as a text that no other process of that number ever has; null where no such process lives.
 * An empty text where the system does not say: then the number alone must do.
 */
export async function computeStart(pid: number): Promise<string | null> {
  if (!isAlive(pid)) return null
  if (process.platform === 'linux') {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ])
    if (stat === null) return isAlive(pid) ? '' : null
    // The command name stands in brackets and may hold anything, so fields count from the last bracket: state is 3rd, start time 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : `${boot.trim()} ${fields[19]}`
  }
  if (process.platform === 'win32') return ''
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim()
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Alive, but of another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
