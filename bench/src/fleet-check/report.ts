import { midnightsWithin } from './midnights.ts'
import type { RunResult } from './run.ts'

/** Prints what a run found, and sets exit code 1 where anything is wrong. Returns the time zones whose midnight it crossed. */
export function report(seed: number, { began, ended, calls, kept, acknowledged, faults, ...run }: RunResult): string[] {
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
  const wrong = [...differences, ...lost, ...twice, ...faults]
  if (wrong.length === 0) return crossed
  console.log(`\nWrong, the first 40 of ${wrong.length} (the server's log is ${run.logFile}):\n${wrong.slice(0, 40).join('\n')}`)
  process.exitCode = 1
  return crossed
}

function print(...cells: (string | number)[]): void {
  console.log(cells.map((cell, index) => (index === 0 ? String(cell).padEnd(52) : String(cell).padStart(10))).join(''))
}
