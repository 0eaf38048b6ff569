// npm run check:controls: presses every control of every route as every demo account. `npm test` presses one of four.
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium(), LECTERN_EVERY_CONTROL: '1' }
  return launch(node, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'e2e/crawl', ...process.argv.slice(2)], env)
})
