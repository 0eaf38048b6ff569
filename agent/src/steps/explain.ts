import { rows } from './states.ts'

export function explainStates(): string[] {
  return rows.flatMap(([state, { meaning, step, leadsTo, durable }]) => [
    `${state.padEnd(12)} ${meaning}`,
    `${' '.repeat(12)} Step:     ${step ?? 'none, it is final'}`,
    `${' '.repeat(12)} Leads to: ${leadsTo.join(', ') || 'nothing'}`,
    `${' '.repeat(12)} On disk:  ${durable.replaceAll('`', '')}`,
  ])
}
