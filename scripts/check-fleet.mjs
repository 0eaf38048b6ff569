// npm run check:fleet: kills the server and PostgreSQL under a fleet of 200 organizations at work, and compares every kept figure with counting.
// MINUTES, SEED, ORGANIZATIONS, KILLS_SERVER and KILLS_POSTGRES choose another run; `--break=figure`, `lost` or `twice` makes a difference that must be found.
// With libfaketime, which LIBFAKETIME may name, midnight of UTC is in the middle of the run.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

await exitWith(() =>
  launch(ensureInstalled(), ['bench/src/fleet-check/main.ts', ...process.argv.slice(2)], { ...process.env, ...beforeMidnight() }),
)

/** What makes every program of the run believe that the next midnight of UTC comes in its middle. */
function beforeMidnight() {
  const library = process.env.LIBFAKETIME || findLibrary()
  if (library === undefined) {
    console.log('\n*** THE CLOCK IS THE REAL ONE: there is no libfaketime. On Debian: apt-get install faketime ***\n')
    return {}
  }
  // The fleet is made before the run begins.
  const lead = 30 * Number(process.env.MINUTES ?? 10) + 90
  const seconds = 86_400 - (Math.floor(Date.now() / 1_000) % 86_400) - lead
  const shift = `${seconds < 0 ? '' : '+'}${seconds}`
  // Only what the clock says is moved: neither timers nor the times of files.
  return { LD_PRELOAD: library, FAKETIME: shift, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' }
}

function findLibrary() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime')) : []
  return folders.map((folder) => join(folder, 'libfaketime.so.1')).find(existsSync)
}
