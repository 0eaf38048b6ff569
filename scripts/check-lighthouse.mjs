// npm run check:lighthouse: ten routes, signed in, judged by Lighthouse, which npx fetches; and the first paint on a slow line.
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium() }
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.checks.config.ts', 'e2e/lighthouse']
  return launch(node, [...vitest, ...process.argv.slice(2)], env)
})
