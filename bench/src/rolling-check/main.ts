// npm run check:rolling: restarts two servers behind haproxy 50 times under load; clients must not notice. SEED, RESTARTS and RATE choose
// another run. `--without=delay` (STOP_DELAY=0) or `--without=finish` (SIGKILL) takes away what keeps errors from clients; the check must
// find them then.
import { spawnSync } from 'node:child_process'
import { runRolling } from './run.ts'
import { safeguards } from './stand.ts'

if (spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status !== 0) {
  console.log('\n*** SKIPPED: ROLLING RESTARTS WERE NOT CHECKED, there is no haproxy. On Debian: apt-get install haproxy ***\n')
  process.exit(0)
}
const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const { figures, ...run } = await runRolling({
  seed: setting('SEED', 1),
  restarts: setting('RESTARTS', 50),
  rate: setting('RATE', 30),
  without: safeguards.filter((safeguard) => process.argv.includes(`--without=${safeguard}`)),
  print: (line) => console.log(line),
})

const { errors, ...counts } = figures
console.log('')
print('seconds', Math.round(run.seconds))
print('restarts', run.restarts)
print('longest stop, in seconds', (run.longestStopMs / 1_000).toFixed(1))
print('requests', counts.requests)
print('requests a second', Math.round(counts.requests / run.seconds))
print('uploads of 2 MB', counts.uploads)
print('exports', counts.exports)
print('lines of exports', counts.exportedLines)
print('streams opened', counts.streams)
print('streams ended by a server', counts.streamsEnded)
print('events', counts.events)
print('publications compared', run.publications)
print('lost', run.lost)
print('twice', run.twice)
print('errors', errors.length)
if (errors.length + run.lost + run.twice > 0) {
  console.log(`\nThe first 40 errors (the servers' log is ${run.logFile}):\n${errors.slice(0, 40).join('\n')}`)
  process.exitCode = 1
}

function print(name: string, value: number | string): void {
  console.log(`${name.padEnd(52)}${String(value).padStart(10)}`)
}
