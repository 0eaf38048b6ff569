import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest, type Vitest } from 'vitest/node'
import { copyCheckout } from '../../copy-checkout.ts'
import type { Mutant } from './mutant.ts'
import { switchSource } from './web-mutants.ts'

const { viteBuild } = (await import(join(import.meta.dirname, '../../web-app.mjs'))) as { viteBuild: string[] }

/** Copies the checkout at `root` to `folder`, which becomes the current folder, and builds the web app there with all these mutants. */
export function openSwitched(root: string, folder: string, mutants: readonly Mutant[]): void {
  copyCheckout(root, folder)
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file))
    writeFileSync(join(folder, file), switchSource(readFileSync(join(folder, file), 'utf8'), own))
  process.chdir(folder)
  // In this process the build would make the tests' servers those of a production.
  const { status, stdout, stderr } = spawnSync(process.execPath, viteBuild, {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error(`The web app could not be built:\n${stdout}${stderr}`)
}

/** Vitest for the browser tests of the copy. */
export async function openBrowserTests(folder: string, options: { bail?: number; maxWorkers?: number } = {}): Promise<Vitest> {
  const vitest = await createVitest('test', { root: folder, watch: false, reporters: [], project: ['e2e'], retry: 0, ...options })
  await vitest.standalone()
  for (const { config } of vitest.projects) config.setupFiles.push(join(folder, 'e2e/support/mutant-in-browser.ts'))
  return vitest
}
