// npm run check:fuzz [-- REQUESTS [SEED]]: sends 200,000 requests that are made from the API document, where `npm test -- --all` sends 2,000.
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

await exitWith(() => {
  const [requests = '200000', seed = String(Math.floor(Math.random() * 1e6))] = process.argv.slice(2)
  const env = { ...process.env, LECTERN_FUZZ_REQUESTS: requests, LECTERN_FUZZ_SEED: seed }
  return launch(ensureInstalled(), ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'server/src/api/fuzz'], env)
})
