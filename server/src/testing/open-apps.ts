// A program for browser tests: serves any number of apps, each with a database and a data folder of its own, as its channel orders. It ends
// with the channel.
import { type App, createApp } from '../app.ts'
import { seedAccounts } from '../demo/accounts.ts'
import { seedReleases } from '../demo/releases.ts'
import { createLog } from '../lib/log.ts'
import { parseSettings } from '../lib/settings.ts'

/** An order to the program. `start`: the settings of an app on a migrated database, as environment variables. `stop`: the app's origin. */
export type Order = { id: number } & ({ start: Record<string, string> } | { stop: string })
/** The reply once the order was carried out, or could not be. */
interface Done {
  id: number
  error?: string
}

const apps = new Map<string, App>()

async function start(environment: Record<string, string>): Promise<void> {
  const settings = parseSettings(environment)
  const app = await createApp(settings, settings.databaseUrls!, createLog(settings.logLevel))
  apps.set(settings.publicUrl, app)
  if (settings.demo) {
    await seedAccounts(app.db, settings.auth.issuer, app.identity)
    await seedReleases(app.db, app.contents)
  }
  await app.http.listen({ port: settings.port, host: 'localhost' })
}

async function stop(url: string): Promise<void> {
  await apps.get(url)?.close()
  apps.delete(url)
}

process.on('message', async (order: Order) => {
  const done: Done = await ('start' in order ? start(order.start) : stop(order.stop)).then(
    () => ({ id: order.id }),
    (error: Error) => ({ id: order.id, error: error.stack ?? error.message }),
  )
  process.send?.(done)
})
process.on('disconnect', () => process.exit())
console.log('Ready for apps')
