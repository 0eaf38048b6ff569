// npm run check:phases: 40,000 simulated readers of 500 host PCs, one in twenty of which fails. A gate halts one rollout, another gate
// passes while the server is killed, and the readers' own logs show who began. HOSTS, READERS (per host PC), PROCESSES, SHARE, KILLS and
// WATCH (seconds) choose another run.
import { checkPhases } from './run.ts'

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const result = await checkPhases({
  hosts: setting('HOSTS', 500),
  readersPerHost: setting('READERS', 80),
  processes: setting('PROCESSES', 6),
  share: setting('SHARE', 2),
  kills: setting('KILLS', 5),
  poll: 2,
  watch: setting('WATCH', 30) * 1_000,
  print: (line) => console.log(line),
})
const { halted, passed } = result
const rest = passed.started.at(-1)
const isGood = halted.startedLater === 0 && halted.startedOnReturn === 0 && rest === 0
console.log(`Readers of a later phase that began: ${halted.startedLater} after the halt, ${rest} of the last phase after the gates`)
if (!isGood) process.exitCode = 1
