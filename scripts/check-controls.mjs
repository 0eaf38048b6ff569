// npm run check:controls: presses every control of every route as every demo account, and sees that no route waits for four calls in a row.
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium(), LECTERN_EVERY_CONTROL: '1' }
  return launch(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'e2e/crawl', 'e2e/screens-calls', ...process.argv.slice(2)],
    env,
  )
})
