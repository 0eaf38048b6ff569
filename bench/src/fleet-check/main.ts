// npm run check:fleet: kills the server and PostgreSQL under a fleet at work, and compares every kept figure with counting.
import { midnightsWithin } from './midnights.ts'
import { type Damage, damages, type RunResult, runCheck } from './run.ts'

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const minutes = setting('MINUTES', 10)
const seed = setting('SEED', 1)
const kills = { server: setting('KILLS_SERVER', 100), postgres: setting('KILLS_POSTGRES', 20) }
const broken = Object.keys(damages).filter((damage) => process.argv.includes(`--break=${damage}`)) as Damage[]

// Where the clock is moved, midnight of UTC is in the middle of the run.
const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000
const begin = process.env.FAKETIME === undefined ? new Date() : new Date(midnight - minutes * 30_000)
const planned = midnightsWithin(begin, new Date(begin.getTime() + minutes * 60_000))
const result = await runCheck({
  ...{ seed, minutes, kills, organizations: setting('ORGANIZATIONS', 200), workers: 8, isFolding: true },
  begin,
  timeZones: [...planned.filter((zone) => zone !== 'UTC').slice(0, 2), 'America/New_York', 'Asia/Kolkata'],
  broken,
  print: (line) => console.log(line),
})
report(result)

function report({ began, ended, calls, kept, acknowledged, faults, ...run }: RunResult): void {
  const differences = kept.flatMap(({ name, differences: found }) => found.map((one) => `${name}: ${one}`))
  const lost = acknowledged.flatMap(({ name, lost: found }) => found.map((one) => `lost of ${name}: ${one}`))
  const twice = acknowledged.flatMap(({ name, twice: found }) => found.map((one) => `twice of ${name}: ${one}`))
  const sum = (list: readonly { compared: number }[]) => list.reduce((total, { compared }) => total + compared, 0)
  print('kept figure', 'compared', 'differ')
  for (const one of kept) print(one.name, one.compared, one.differences.length)
  print('\nacknowledged', 'compared', 'lost', 'twice')
  for (const one of acknowledged) print(one.name, one.compared, one.lost.length, one.twice.length)
  const crossed = midnightsWithin(began, ended)
  console.log('')
  print('seed', seed)
  print('seconds', Math.round((ended.getTime() - began.getTime()) / 1_000))
  print('requests', calls.requests)
  print('acknowledged writes', calls.acknowledged)
  print('repeated requests', calls.repeated)
  print('refused requests', calls.refused)
  print('answered with 500', calls.broken)
  print('kills of the server', run.kills.server)
  print('kills of PostgreSQL', run.kills.postgres)
  print('starts of the server after the first', run.restarts)
  print('figures compared', sum(kept))
  print('differences', differences.length)
  print('acknowledged compared', sum(acknowledged))
  print('lost', lost.length)
  print('twice', twice.length)
  print('responses that no client may get', faults.length)
  print('midnights crossed', crossed.length === 0 ? 'none' : crossed.slice(0, 3).join(', '))
  if (!crossed.includes('UTC'))
    console.log('\n*** NO MIDNIGHT OF UTC WAS CROSSED: on Debian, apt-get install faketime, or start before midnight. ***')
  const wrong = [...differences, ...lost, ...twice, ...faults]
  if (wrong.length === 0) return
  console.log(`\nWrong, the first 40 of ${wrong.length} (the server's log is ${run.logFile}):\n${wrong.slice(0, 40).join('\n')}`)
  process.exitCode = 1
}

function print(...cells: (string | number)[]): void {
  console.log(cells.map((cell, index) => (index === 0 ? String(cell).padEnd(52) : String(cell).padStart(10))).join(''))
}
