import { createInterface } from 'node:readline'
import { end, startProgram } from './program.ts'

/** A provider's process on an origin of its own. It knows one account, `manager@northfield.example`, and forgets everything when it ends. */
export interface IssuerProcess {
  url: string
  /** The last message to an address. */
  readMessage(to: string): Promise<string | undefined>
  stop(): Promise<void>
}

/** @param applications the origins it signs people in for */
export async function startIssuerProcess(settings: {
  port: number
  applications: string[]
  permissions: readonly string[]
  accessTokenSeconds: number
}): Promise<IssuerProcess> {
  const { port, applications, permissions, accessTokenSeconds } = settings
  const child = await startProgram(
    [
      'idp/src/testing/serve.ts',
      `--port=${port}`,
      `--access-token-seconds=${accessTokenSeconds}`,
      ...applications.map((origin) => `--application=${origin}`),
      ...permissions.map((name) => `--permission=${name}`),
    ],
    'The provider is ready',
  )
  const messages = new Map<string, string>()
  createInterface(child.stdout!).on('line', (line) => {
    if (!line.startsWith('{')) return
    const { to, text } = JSON.parse(line) as { to: string; text: string }
    messages.set(to, text)
  })
  return { url: `http://localhost:${port}`, readMessage: async (to) => messages.get(to), stop: () => end(child, 'SIGTERM') }
}
