// Loaded by the browser tests of a web app with switched mutants (`scripts/mutations/machine`): makes one of them, and records which places each test passes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'

const { LECTERN_MUTANT: made = '', LECTERN_SEEN_FOLDER: seenFolder } = process.env

// A worker runs many files in one browser.
const shared = globalThis as { passedByTest?: Set<string> }
const passed = shared.passedByTest ?? new Set()
if (!shared.passedByTest) {
  shared.passedByTest = passed
  answerInPages()
}

function answerInPages(): void {
  const launch = chromium.launch.bind(chromium)
  chromium.launch = async (options) => {
    const browser = await launch(options)
    const newContext = browser.newContext.bind(browser)
    browser.newContext = async (contextOptions) => prepare(await newContext(contextOptions))
    return browser
  }
}

async function prepare(context: BrowserContext): Promise<BrowserContext> {
  await context.exposeBinding('reportPassed', (_, id: string) => void passed.add(id))
  await context.addInitScript((mutant) => {
    const page = globalThis as unknown as { isMutant: (id: string) => boolean; reportPassed: (id: string) => unknown }
    const reported = new Set<string>()
    page.isMutant = (id) => {
      if (!reported.has(id)) void page.reportPassed(id)
      reported.add(id)
      return id === mutant
    }
  }, made)
  return context
}

/** The ids that each test of the file passed. */
const seen: { testFile: string; tests: { name: string; ids: string[] }[] } = { testFile: '', tests: [] }

afterEach(({ task }) => {
  seen.testFile = task.file.filepath
  seen.tests.push({ name: expect.getState().currentTestName ?? '', ids: [...passed] })
  passed.clear()
})

afterAll(() => {
  if (seenFolder && seen.testFile) writeFileSync(join(seenFolder, `${seen.testFile.replaceAll('/', '-')}.json`), JSON.stringify(seen))
})
