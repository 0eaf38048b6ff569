// npm run picture: takes the README's picture of the device dashboard anew.
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium() }
  return launch(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.checks.config.ts', 'e2e/pictures', ...process.argv.slice(2)],
    env,
  )
})
