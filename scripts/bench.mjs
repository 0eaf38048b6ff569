// npm run bench [-- NAME...]: measures; see bench/src/bench.spec.ts for the names.
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

const names = process.argv.slice(2)
const chosen = names.length > 0 ? ['-t', `^(${names.join('|')}):`] : []
await exitWith(async () =>
  launch(ensureInstalled(), ['node_modules/vitest/vitest.mjs', 'run', '--config', 'bench/vitest.config.ts', ...chosen]),
)
