// npm run check:faults: kills the server 300 times and PostgreSQL 100 times under check-ins, publishes and outcomes, and looks up every acknowledged write.
// SEED, KILLS_SERVER and KILLS_POSTGRES choose another run; `--without=keys` or `--without=commit` takes out what keeps writes, and the loss must be found.
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

await exitWith(() => launch(ensureInstalled(), ['bench/src/fleet-check/faults.ts', ...process.argv.slice(2)]))
