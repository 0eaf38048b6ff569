import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkScript } from '@lectern/contract/publications/script/check-script.ts'
import { defaultSamples } from '@lectern/contract/publications/script/samples.ts'
import type { ScriptCheck } from '@lectern/contract/publications/script/script-check.ts'
import { hostileScripts } from '@lectern/contract/testing/hostile-scripts.ts'
import { sandboxProgram } from '@lectern/contract/testing/sandbox-program.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from './support/processes/stack.ts'
import {
  button,
  chooseFile,
  goodScript,
  makeCfg,
  newZone,
  publications,
  saveCfg,
  saveFile,
  select,
  signedIn,
} from './support/screens/publish-wizard.ts'

let stack: Stack
let open: (path?: string) => Promise<Page>
beforeAll(async () => {
  stack = await startStack()
  open = signedIn(stack)
})
afterAll(() => stack?.stop())

/** The second step of a wizard with two models, the first of which has its CFG: a script may be chosen for CR1500. */
async function scriptPage(zone: string): Promise<Page> {
  const page = await open()
  await select(page, zone, ['CR2700', 'CR1500'])
  await button(page, 'Next').click()
  await saveCfg(page, 'CR2700', makeCfg('first'))
  await page.getByRole('radio', { name: /CodeRules/ }).check()
  return page
}

const isNextDisabled = async (page: Page) => (await button(page, 'Next').getAttribute('aria-disabled')) === 'true'
const alert = (page: Page, words: string) => page.getByRole('alert').getByText(words)

test('[DRY-03] a script that cannot work is refused when it is dropped, and nothing is published before another one is there', async () => {
  const zone = await newZone(stack, 'Scripts')
  const page = await scriptPage(zone.name)
  await chooseFile(page, 'rules.js', 'const a = 1\nfunction (')
  await alert(page, 'The file rules.js is not valid JavaScript: function name expected, line 2.').waitFor()
  await page.getByText('Cannot work', { exact: true }).waitFor()
  expect(await isNextDisabled(page)).toBe(true)

  // A reload, or an address, does not lead around it.
  await page.goto(`${stack.url}/codedm/apply-config?step=review`)
  await page.getByRole('heading', { name: 'Review Your Device Configuration Selections' }).waitFor()
  expect(await button(page, 'Publish').getAttribute('aria-disabled')).toBe('true')
  await button(page, 'Edit CR1500').click()
  await alert(page, 'The file rules.js is not valid JavaScript').waitFor()

  await chooseFile(page, 'other.js', 'rules_onDecode = (d) => d\nrules_onDecoded = (d) => d')
  await page.getByText('The file other.js sets rules_onDecoded, which readers do not call.').waitFor()
  expect(await isNextDisabled(page)).toBe(true)
  await page.getByRole('checkbox', { name: 'Publish it as it is' }).check()
  await page.getByText('Warnings accepted').waitFor()
  await page.reload()
  await page.getByText('Warnings accepted').waitFor()
  await button(page, 'Next').click()
  expect(await publications(stack, zone.id)).toEqual([])
  await button(page, 'Publish').click()
  await page.waitForURL(/\/config-success\?rollout=/)
  expect((await publications(stack, zone.id)).map(({ file_name }) => file_name)).toEqual(['other.js', null])
})

test('[DRY-04] the bench shows what each scan becomes, by the keyboard alone, and keeps scans of one’s own over a reload', async () => {
  const zone = await newZone(stack, 'Bench')
  const page = await scriptPage(zone.name)
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  const script =
    'rules_onDecode = (d) => {\n  if (d.data === "") throw new Error("nothing read")\n  d.data = d.data.replace(/\\x1d/g, "|")\n  return d\n}'
  await chooseFile(page, 'rules.js', script)
  await page.getByText('Ready', { exact: true }).waitFor()
  expect(scripts.filter((path) => path.endsWith('.wasm'))).toHaveLength(1)
  expect(scripts.filter((path) => path.includes('script-bench'))).toEqual([])

  await button(page, 'Try it on sample scans').focus()
  await page.keyboard.press('Enter')
  const rows = page.getByRole('region', { name: 'Sample scans' }).getByRole('listitem')
  await rows.getByText('01095011015300031727123110ABC123|21S-0042', { exact: true }).waitFor()
  expect(await rows.count()).toBe(defaultSamples.length)
  await rows
    .first()
    .getByText(/^Unchanged\. [\d,]+ steps, under 1 % of the limit$/)
    .waitFor()

  await button(page, 'Add a scan').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Sample scan 10')
  await rows.last().getByText('nothing read, line 2.').waitFor()
  await page.getByText('rules_onDecode fails on 1 of 10 sample scans.').waitFor()
  await page.keyboard.type('A␝B')
  await rows.last().getByText('A|B', { exact: true }).waitFor()
  await page.getByText('Ready', { exact: true }).waitFor()

  await page.reload()
  await button(page, 'Try it on sample scans').click()
  await rows.last().getByText('A|B', { exact: true }).waitFor()
  await button(page, 'Remove sample scan 10').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Sample scan 9')
})

test('[DRY-03] while a script loops the page goes on, and a better file takes its place at once', async () => {
  const zone = await newZone(stack, 'Loop')
  const page = await scriptPage(zone.name)
  await saveFile(page, 'good.js', goodScript)
  await button(page, 'Back').click()
  await page.getByRole('heading', { name: 'Configure CR1500' }).waitFor()
  // Whether frames were drawn between the first sight of "Checking" and its end.
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const look = () => {
      seen.push(document.querySelector('.file-row .status')?.textContent ?? '')
      requestAnimationFrame(look)
    }
    look()
  })
  await chooseFile(page, 'loop.js', 'rules_onDecode = (d) => d\nfor (;;);')
  await alert(page, 'The file loop.js takes more than 200 million steps (about a second) when it is loaded').waitFor()
  const frames = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.filter((text) => text === 'Checking').length)
  expect(frames).toBeGreaterThan(3)
  await chooseFile(page, 'loop.js', 'rules_onDecode = (d) => d\nfor (;;);')
  await chooseFile(page, 'good.js', goodScript)
  await page.getByText('Ready', { exact: true }).waitFor()
})

test('[DRY-03] hostile scripts have the same verdicts, outputs and steps in the browser as in Node', async () => {
  const page = await open()
  const program = await sandboxProgram
  const worker = await findWorker()
  for (const { name, script, verdict } of hostileScripts) {
    const file = { name: 'rules.js', bytes: new TextEncoder().encode(script) }
    const inBrowser = page.evaluate(checkInBrowser, { worker, script, samples: defaultSamples })
    const [here, there] = await Promise.all([checkScript(program, file), inBrowser])
    expect(here.verdict, name).toBe(verdict)
    expect(there, name).toEqual(here)
  }
})

/** The address of the worker that the page loads. */
async function findWorker(): Promise<string> {
  const assets = join(import.meta.dirname, '../web/dist/assets')
  const name = (await readdir(assets)).find((file) => /^script-worker-.*\.js$/.test(file))
  return `/assets/${name}`
}

function checkInBrowser({ worker, script, samples }: { worker: string; script: string; samples: readonly string[] }) {
  const scope = globalThis as unknown as { scriptWorker?: Worker }
  scope.scriptWorker ??= new Worker(worker, { type: 'module' })
  const kept = scope.scriptWorker
  return new Promise<ScriptCheck | string>((resolve) => {
    kept.onmessage = ({ data }: MessageEvent<{ result: ScriptCheck } | { error: string }>) =>
      resolve('result' in data ? data.result : data.error)
    kept.postMessage({ name: 'rules.js', bytes: new TextEncoder().encode(script), samples })
  })
}
