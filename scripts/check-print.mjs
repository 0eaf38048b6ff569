// npm run check:print: random configurations on paper. Chromium prints them, poppler rasterizes, zbar reads; the counts are printed.
import { spawnSync } from 'node:child_process'
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  for (const program of ['pdftoppm', 'zbarimg'])
    if (spawnSync(program, ['--help'], { stdio: 'ignore' }).error)
      throw new Error(`This check needs ${program}. On Debian: apt-get install poppler-utils zbar-tools`)
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium(), LECTERN_PRINTED: process.env.LECTERN_PRINTED ?? '300' }
  return launch(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'e2e/barcode-print-paper', ...process.argv.slice(2)],
    env,
  )
})
