// npm run check:roll-back: 7,000 simulated readers, one of each model in 1,000 zones, run one of two firmwares. A third one is published to
// all and rolled back when half of them are done, while some host PCs are away. The readers' own logs show what each ran before and after.
// HOSTS and PROCESSES choose another run.
import { checkRollBack } from './run.ts'

const setting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const { wrong, written, milliseconds, readers } = await checkRollBack({
  hosts: setting('HOSTS', 1_000),
  processes: setting('PROCESSES', 6),
  poll: 2,
  print: (line) => console.log(line),
})
console.log(
  `Accepted in ${milliseconds} ms. Of ${readers} readers ${wrong.length} run something else than before; ${written.length} were written that were not reached`,
)
for (const line of [...wrong, ...written].slice(0, 20)) console.log(line)
if (wrong.length + written.length > 0) process.exitCode = 1
