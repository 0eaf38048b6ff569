// npm run check:lighthouse, check:large-fleet, check:overload and check:package: the tests of one folder of e2e, by their own settings of vitest.
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium() }
  return launch(node, ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.checks.config.ts', ...process.argv.slice(2)], env)
})
