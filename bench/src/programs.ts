import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** Starts one of the project's programs and waits for a line that holds `sign`; returns that line. */
export async function startProgram(
  file: string,
  args: string[],
  env: Record<string, string>,
  sign: string,
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}:\n${output}`)))
    child.stdout.on('data', (chunk) => {
      output += chunk
      const found = output.split('\n').find((text) => text.includes(sign))
      if (found) resolve(found)
    })
  })
  return { child, line }
}

export async function endProgram(child: ChildProcess, how: 'input' | 'signal'): Promise<void> {
  const gone = once(child, 'exit')
  if (how === 'input') child.stdin?.end()
  else child.kill('SIGTERM')
  await gone
}

/** On loopback, where nothing is likely to listen. It is below the ports that connections are given, which may be taken at any time. */
export const pickPort = (): number => 20_000 + Math.floor(Math.random() * 12_000)
