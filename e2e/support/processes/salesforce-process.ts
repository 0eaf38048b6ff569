import { randomUUID } from 'node:crypto'
import { end, freePort, startProgram } from './program.ts'

/** A Salesforce organization on an origin of its own, whose cases must name a model. It forgets everything when it ends. */
export interface SalesforceProcess {
  /** Settings that make a server keep its cases there. */
  settings: Record<string, string>
  /** Sets what it does to the next calls: `none`, `unavailable`, `limit`, `expired`… */
  trouble(kind: string): Promise<void>
  stop(): Promise<void>
}

export async function startSalesforceProcess(): Promise<SalesforceProcess> {
  const [port, secret] = [await freePort(), randomUUID()]
  const child = await startProgram(['server/src/testing/open-salesforce.ts', `--port=${port}`, `--secret=${secret}`], 'Salesforce is ready')
  const url = `http://127.0.0.1:${port}`
  return {
    settings: { SALESFORCE_URL: url, SALESFORCE_CLIENT_ID: 'portal', SALESFORCE_CLIENT_SECRET: secret },
    async trouble(kind) {
      await fetch(`${url}/trouble/${encodeURIComponent(kind)}`, { method: 'PUT' })
    },
    stop: () => end(child, 'SIGTERM'),
  }
}
