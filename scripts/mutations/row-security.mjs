// npm run check:row-security: makes the condition on the organization true in each statement in turn, where `npm test -- --all` takes a few, and sees that
// nothing leaks; with row security switched off the same must leak (RLS-03).
import { exitWith, launch } from '../launch.mjs'
import { ensureInstalled } from '../setup.mjs'

await exitWith(() => {
  const env = { ...process.env, LECTERN_ROW_SECURITY: 'all' }
  return launch(
    ensureInstalled(),
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'server/src/row-security', ...process.argv.slice(2)],
    env,
  )
})
