import { spawnSync } from 'node:child_process'

/** Programs that packaging runs, each with the Debian package that has it. */
export const tools = {
  strip: 'binutils',
  xz: 'xz-utils',
  'dpkg-deb': 'dpkg',
  'x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64',
} as const

export type Tool = keyof typeof tools

export const isThere = (tool: string): boolean => spawnSync(tool, ['--version']).error === undefined

/** Runs a program to its end. Throws an Error with what it printed where it fails. */
export function runTool(command: string, args: readonly string[], { cwd, env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
    // On Windows npm is a script, which only a shell starts.
    shell: process.platform === 'win32' && command === 'npm',
  })
  if (error) throw new Error(`${command} could not be started: ${error.message}`)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}
