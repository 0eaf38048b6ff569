import type { ChildProcess } from 'node:child_process'
import { startProgram } from './program.ts'

type Order = { start: Record<string, string> } | { stop: string }
type Settle = (error?: string) => void

/** The server of all files that this process tests: to load it takes longer than an app in it. */
let server: Promise<ChildProcess> | undefined
const orders = new Map<number, Settle>()
let last = 0

/** Starts an app, whose settings are environment variables, on a database that is migrated. */
export const startApp = (settings: Record<string, string>): Promise<void> => tell({ start: settings })

/** Stops the app of an origin. */
export const stopApp = (url: string): Promise<void> => tell({ stop: url })

async function tell(order: Order): Promise<void> {
  server ??= openServer()
  const child = await server
  last += 1
  const id = last
  const done = new Promise<void>((resolve, reject) => {
    orders.set(id, (error) => (error === undefined ? resolve() : reject(new Error(error))))
  })
  child.send({ id, ...order })
  await done
}

async function openServer(): Promise<ChildProcess> {
  const child = await startProgram(['server/src/testing/open-apps.ts'], 'Ready for apps', process.env, true)
  const settle = (id: number, error?: string) => {
    orders.get(id)?.(error)
    orders.delete(id)
  }
  child.on('message', ({ id, error }: { id: number; error?: string }) => settle(id, error))
  child.once('exit', (code) => {
    server = undefined
    for (const id of orders.keys()) settle(id, `The server of the tests ended with ${code}`)
  })
  return child
}
