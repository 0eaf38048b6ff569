import { createApp } from './app.ts'
import { demoAccounts, demoLicence, demoPassword, seedAccounts } from './demo/accounts.ts'
import { refuseDemoCredentials } from './demo/credentials.ts'
import { startLiveZones } from './demo/live-zones.ts'
import { seedReleases } from './demo/releases.ts'
import { seedDemo } from './demo/seed.ts'
import { createDatabase, createPool } from './lib/database/database.ts'
import { createLog } from './lib/log.ts'
import { openMonitoring } from './lib/monitoring.ts'
import { parseSettings, type Settings } from './lib/settings.ts'
import { stopWithinMs } from './lib/stop.ts'
import { type OpenDatabase, openDatabase } from './open-database.ts'

async function main(): Promise<void> {
  const settings = parseSettings(process.env)
  const seeded = settings.demo && !process.argv.includes('--empty')
  const live = seeded && !process.argv.includes('--no-fleet')
  const log = createLog(settings.logLevel)
  const monitoring = await openMonitoring(settings.sentryDsn)
  const closing: (() => Promise<void>)[] = []
  const stopping = new AbortController()
  let hurry = () => Promise.resolve()
  const stop = async (code: number) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(() => process.exit(1), settings.stopDelay * 1_000 + stopWithinMs).unref()
    for (const close of closing) await close()
    process.exit(code)
  }
  const lost = (reason: Error) => {
    log.fatal(reason.message)
    monitoring.report(reason)
    process.stderr.write(`Lectern stops.\n${reason.message}\n`)
    void stop(1)
    void hurry()
  }
  const watch = { log: (message: string) => log.warn(message), lost, signal: stopping.signal }
  const database = await openDatabase(settings, watch, (progress) => process.stdout.write(`${progress}\n`))
  if (settings.production) await refuseDemo(database)
  const app = await createApp(settings, database.urls, log, monitoring).catch(async (error: unknown) => {
    await database.release()
    throw error
  })
  hurry = app.close
  closing.push(app.close, database.release, monitoring.close)

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      log.info(`${signal}: finishing what is under way`)
      // SIGTERM may come twice: from a supervisor, and from `npm start`, which passes it on. So only SIGINT ends the delay early.
      if (stopping.signal.aborted && signal === 'SIGINT') void hurry()
      void stop(0)
    })

  if (seeded) {
    await seedAccounts(app.db, settings.auth.issuer, app.identity)
    await seedDemo(app.db)
    await seedReleases(app.db, app.contents)
  }
  await app.http.listen({ port: settings.port, host: settings.host })
  announce(settings, seeded)
  if (live) closing.unshift(startLiveZones(app, settings, log).stop)
}

async function refuseDemo(database: OpenDatabase): Promise<void> {
  const db = createDatabase(createPool(database.urls.crossing, { max: 1 }))
  const identity = createDatabase(createPool(database.urls.identity, { max: 1 }))
  try {
    await refuseDemoCredentials(db, identity)
  } catch (error) {
    await database.release()
    throw error
  } finally {
    await Promise.all([db.destroy(), identity.destroy()])
  }
}

function announce({ publicUrl, embeddedProvider, smtpUrl }: Settings, seeded: boolean): void {
  const lines = ['', `Lectern is ready: ${publicUrl}`, `API: ${publicUrl}/api/docs`]
  if (seeded) {
    lines.push('', `Accounts (password ${demoPassword}):`, ...demoAccounts.map(({ email }) => `  ${email}`))
    lines.push(`Licence number of Northfield: ${demoLicence}`)
  } else if (embeddedProvider)
    lines.push(
      'Create an account on the sign-in page.',
      ...(smtpUrl ? [] : ['npm run accounts shows its link, as there is no mail server.']),
    )
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: Error) => {
  process.stderr.write(`Lectern cannot start.\n${error.message}\n`)
  if (process.env.LOG_LEVEL === 'debug') process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
