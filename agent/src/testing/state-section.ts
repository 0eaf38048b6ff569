import { rows } from '../steps/states.ts'

const code = (text: string) => `\`${text}\``

function formatRow(cells: string[], widths: number[]): string {
  return `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
}

/** The table of states as docs/agent-protocol.md shows it: a Markdown table and a Mermaid diagram. */
export function stateSection(): string {
  const cells = [
    ['State', 'Meaning', 'Step', 'Leads to', 'On disk'],
    ...rows.map(([state, { meaning, step, leadsTo, durable }]) => [
      code(state),
      meaning,
      step === null ? '' : code(step),
      leadsTo.map(code).join(', '),
      durable,
    ]),
  ]
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const [head, ...body] = cells.map((row) => formatRow(row, widths))
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const arrows = rows.flatMap(([state, { leadsTo }]) => (leadsTo.length === 0 ? ['[*]'] : leadsTo).map((next) => `  ${state} --> ${next}`))
  return [head, rule, ...body, '', '```mermaid', 'stateDiagram-v2', '  [*] --> queued', ...arrows, '```'].join('\n')
}
