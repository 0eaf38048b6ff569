// npm run check:overload: large and nested bodies at every call that takes one, for a minute; /livez is asked throughout, memory is read.
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium() }
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.checks.config.ts', 'e2e/overload']
  return launch(node, [...vitest, ...process.argv.slice(2)], env)
})
