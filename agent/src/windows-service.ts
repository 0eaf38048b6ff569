import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What an administrator asks of the service. */
export const serviceWords = ['install', 'start', 'status', 'stop', 'remove'] as const

/** The program of the Windows service, which is beside the agent's; null where there is none. Its source: agent/packaging/windows. */
function findServiceProgram(): string | null {
  const file = join(dirname(process.execPath), 'lectern-agent-service.exe')
  return process.platform === 'win32' && existsSync(file) ? file : null
}

export interface Answer {
  /** Of `exitCodes`. */
  code: number
  text: string
}

/** Null where its program is not there. */
export function askService(...words: string[]): Promise<Answer> | null {
  const program = findServiceProgram()
  if (program === null) return null
  return new Promise((resolve, reject) => {
    execFile(program, words, { windowsHide: true }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error)
      else resolve({ code: error ? (error.code as number) : 0, text: `${stdout}${stderr}`.trim() })
    })
  })
}
