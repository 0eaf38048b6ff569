// npm run check:faults: kills the server 300 times and PostgreSQL 100 times under check-ins, publishes and outcomes, and looks up every
// acknowledged write. SEED, KILLS_SERVER and KILLS_POSTGRES choose another run. `--without=keys` or `--without=commit` takes away what
// keeps writes; the check must find that.
import { report } from './report.ts'
import { runCheck, safeguards } from './run.ts'

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const seed = setting('SEED', 1)
const kills = { server: setting('KILLS_SERVER', 300), postgres: setting('KILLS_POSTGRES', 100) }
const without = safeguards.filter((safeguard) => process.argv.includes(`--without=${safeguard}`))

report(
  seed,
  await runCheck({
    seed,
    kills,
    without,
    organizations: 20,
    workers: setting('WORKERS', 32),
    isFolding: false,
    broken: [],
    minutes: null,
    begin: new Date(),
    timeZones: ['Europe/Berlin', 'America/New_York'],
    print: (line) => console.log(line),
  }),
)
