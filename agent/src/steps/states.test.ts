import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { stateSection } from '../testing/state-section.ts'
import { rows } from './states.ts'

const program = fileURLToPath(new URL('../../bin/lectern-agent.mjs', import.meta.url))
const page = fileURLToPath(new URL('../../../docs/agent-protocol.md', import.meta.url))

const transitions = {
  queued: ['downloading', 'postponed', 'applying', 'verifying', 'settled', 'failed'],
  downloading: ['queued'],
  postponed: ['queued'],
  applying: ['postponed', 'verifying', 'failed'],
  verifying: ['postponed', 'settled', 'failed'],
  settled: [],
  failed: [],
}

test('the table has these states, and each leads to these', () => {
  expect(Object.fromEntries(rows.map(([state, { leadsTo }]) => [state, leadsTo]))).toEqual(transitions)
})

test('the page of the protocol shows the table as the code has it', () => {
  const [, section] = /<!-- states -->\n(.*)\n<!-- \/states -->/s.exec(readFileSync(page, 'utf8'))!
  expect(section).toBe(stateSection())
  const arrows = [...section!.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => [from, to])
  expect(arrows).toEqual(Object.entries(transitions).flatMap(([from, states]) => states.map((to) => [from, to])))
  const names = [...section!.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
  expect(names).toEqual(Object.keys(transitions))
})

test('status --explain prints the table, before the PC is enrolled too, and creates no state folder', () => {
  const state = join(newFolder(), 'none')
  const output = execFileSync(process.execPath, [program, 'status', '--explain', '--state', state], { encoding: 'utf8' })
  const lines = output.trimEnd().split('\n')
  const printed = lines.filter((line) => /^\w/.test(line)).map((line) => line.split(' ')[0])
  expect(printed).toEqual(Object.keys(transitions))
  const leadsTo = lines.filter((line) => line.includes('Leads to:')).map((line) => line.replace(/^.*Leads to: /, ''))
  expect(leadsTo).toEqual(Object.values(transitions).map((states) => states.join(', ') || 'nothing'))
  expect(lines.slice(0, 4)).toEqual([
    'queued       It waits for its update time and for a free worker.',
    '             Step:     begin',
    '             Leads to: downloading, postponed, applying, verifying, settled, failed',
    '             On disk:  The assignment, in desired.json.',
  ])
  expect(existsSync(state)).toBe(false)
})
