// npm run check:fleet: kills the server and PostgreSQL while a fleet works, and compares every kept figure with counting.
import { midnightsWithin } from './midnights.ts'
import { report } from './report.ts'
import { type Damage, damages, runCheck } from './run.ts'

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const minutes = setting('MINUTES', 10)
const seed = setting('SEED', 1)
const kills = { server: setting('KILLS_SERVER', 100), postgres: setting('KILLS_POSTGRES', 20) }
const broken = Object.keys(damages).filter((damage) => process.argv.includes(`--break=${damage}`)) as Damage[]

// Where the clock is moved, midnight in UTC is in the middle of the run.
const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000
const begin = process.env.FAKETIME === undefined ? new Date() : new Date(midnight - minutes * 30_000)
const planned = midnightsWithin(begin, new Date(begin.getTime() + minutes * 60_000))
const result = await runCheck({
  seed,
  minutes,
  kills,
  organizations: setting('ORGANIZATIONS', 200),
  workers: 8,
  isFolding: true,
  begin,
  timeZones: [...planned.filter((zone) => zone !== 'UTC').slice(0, 2), 'America/New_York', 'Asia/Kolkata'],
  broken,
  without: [],
  print: (line) => console.log(line),
})
if (!report(seed, result).includes('UTC'))
  console.log('\n*** NO MIDNIGHT OF UTC WAS CROSSED: on Debian, apt-get install faketime, or start before midnight. ***')
