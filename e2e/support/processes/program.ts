import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../..', import.meta.url))
/** What programs are compiled to is kept for their next start. */
const compiled = { NODE_COMPILE_CACHE: join(project, 'node_modules/.cache/lectern/compiled') }

/**
 * Starts a program of the project and waits until it prints `ready`. Throws with all that it printed where it ends instead.
 * @param channel whether messages can be sent to it
 */
export async function startProgram(command: string[], ready: string, env = process.env, channel = false): Promise<ChildProcess> {
  const child = spawn(process.execPath, command, {
    cwd: project,
    env: { ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes(ready)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`${command[0]} ended with ${code}:\n${output}`)))
  })
  return child
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
