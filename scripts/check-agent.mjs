// npm run check:agent: the agent's tests, its crash suite with more crashes than npm test -- --all makes time for, and its figures.
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

await exitWith(async () => {
  const env = { ...process.env, LECTERN_AGENT_POINTS: process.env.LECTERN_AGENT_POINTS ?? '504' }
  const projects = ['--project', 'unit', '--project', 'e2e']
  const suites = ['agent/src/', 'e2e/agent-crash']
  return launch(ensureInstalled(), ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...suites, ...process.argv.slice(2)], env)
})
