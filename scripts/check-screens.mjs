// npm run check:screens: every route for every demo account at every width and in every mode, with the demo's data and with a large fleet.
// Contact sheets are in test-results/screens.
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium(), LECTERN_EVERY_SCREEN: '1' }
  return launch(node, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'e2e/screens-layout', ...process.argv.slice(2)], env)
})
