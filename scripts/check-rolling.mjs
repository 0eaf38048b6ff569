// npm run check:rolling: restarts two servers behind haproxy 50 times under load; no client may notice. SEED, RESTARTS and RATE choose another run;
// `--without=delay` (STOP_DELAY=0) or `--without=finish` (SIGKILL) takes out what keeps errors from clients, and they must be found.
import { spawnSync } from 'node:child_process'
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

await exitWith(async () => {
  if (spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status !== 0) {
    console.log('\n*** SKIPPED: ROLLING RESTARTS WERE NOT CHECKED, there is no haproxy. On Debian: apt-get install haproxy ***\n')
    return 0
  }
  return launch(ensureInstalled(), ['bench/src/rolling-check/main.ts', ...process.argv.slice(2)])
})
