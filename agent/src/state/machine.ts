import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Stop } from '../stop.ts'
import { enrollAnewCommand, type StoredEnrollment } from './enrollment.ts'

/** Returns the id of this PC, which its other programs know too; null where it has none. */
export type ReadMachineId = () => Promise<string | null>

const guidKey = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography'

async function queryGuid(): Promise<string> {
  const reg = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'reg.exe')
  const { stdout } = await promisify(execFile)(reg, ['query', guidKey, '/v', 'MachineGuid', '/reg:64'], {
    timeout: 10_000,
    windowsHide: true,
  })
  return stdout
}

/** `file`: as systemd writes it. `registry`: what `reg query` prints. */
export async function readMachineId({
  platform = process.platform as string,
  file = '/etc/machine-id',
  registry = queryGuid,
} = {}): Promise<string | null> {
  if (platform !== 'linux' && platform !== 'win32') return null
  const text = await (platform === 'win32' ? registry() : readFile(file, 'utf8')).catch(() => '')
  const id = platform === 'win32' ? (/MachineGuid\s+REG_SZ\s+(\S+)/.exec(text)?.[1] ?? '') : text.trim()
  // An image that has not started yet has this word there.
  return id === '' || id === 'uninitialized' ? null : id.toLowerCase()
}

/** The machine's id itself is not stored, as it must not leave the PC (machine-id(5)). */
export const bindToMachine = (hostId: string, machineId: string): string => createHmac('sha256', hostId).update(machineId).digest('hex')

/** Throws `Stop` where the enrollment is bound to another PC. Without an id of this PC it is not known. */
export function checkMachine(enrollment: StoredEnrollment, machineId: string | null): void {
  const { hostId, machine, hostName } = enrollment
  if (machine === undefined || machineId === null || machine === bindToMachine(hostId, machineId)) return
  throw new Stop(
    'otherPc',
    `This state folder was made on another PC, for ${hostName}. Nothing was sent. Enroll this PC as a new host PC: ${enrollAnewCommand(enrollment)}`,
  )
}
