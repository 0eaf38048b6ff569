import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

interface Surroundings {
  /** Beside this process's own, without its proxies. */
  env?: Record<string, string>
  /** What the standard input has. */
  input?: string
}

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'LECTERN_LICENCE']
const hidden = Object.fromEntries(variables.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, undefined]))

function launch(args: string[], env: Record<string, string>): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...hidden, ...env }, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return { child, output: () => output }
}

/** Runs a command of the agent to its end. */
export async function runCommand(args: string[], { env = {}, input = '' }: Surroundings = {}): Promise<{ code: number; output: string }> {
  const { child, output } = launch(args, env)
  child.stdin!.end(input)
  const [code] = await once(child, 'close')
  return { code: code as number, output: output() }
}

/** Starts `run` without readers. It ends with the test, and its process of readers too. */
export function startAgent(state: string, args: string[] = [], { env = {} }: Surroundings = {}) {
  const flags = ['--driver', 'simulated', '--readers', '0', '--until-input-ends', '--state', state]
  const { child, output } = launch(['run', ...flags, ...args], env)
  const ended = once(child, 'close')
  const end = async () => {
    child.stdin!.end()
    const [code] = await ended
    return code as number
  }
  onTestFinished(async () => {
    await end()
    await runCommand(['stop-readers', '--state', state])
  })
  return { output, end }
}
