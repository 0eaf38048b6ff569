import { setTimeout as pause } from 'node:timers/promises'
import type { HostPc } from './processes/agent-process.ts'

/** Waits up to 60 s. Throws an Error with the last lines of the agent's log. */
export async function until(what: string, host: HostPc, condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited 60 s for ${what}. The agent's last words:\n${host.log().slice(-3000)}`)
    await pause(50)
  }
}
