// npm run check:mutations: breaks the product on purpose and wants tests to turn red. scripts/mutations/main.ts says what it takes.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  process.env.CHROMIUM_PATH = ensureChromium()
  // For copies of the checkout, so that no file of the checkout itself is broken when this is ended early.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lectern-mutations-'))
  try {
    return await launch(node, ['scripts/mutations/main.ts', folder, ...process.argv.slice(2)])
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
})
