// npm test: types, lint, unused code, and a part of the tests (scripts/test-run/matrices.ts). npm test -- --all: all of them, as CI does.
// npm test -- ARGUMENTS: only the tests, with these arguments for Vitest. A file that is named runs, whether it is of the part or not.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { exitWith, launch } from './launch.mjs'
import { cacheFolder, ensureChromium, ensureInstalled, root } from './setup.mjs'
import { startGuard } from './test-run/start-guard.mjs'
import { countTests, listFileFilters } from './test-run/test-counts.mjs'
import { ensureWebApp } from './web-app.mjs'

const given = process.argv.slice(2)
const isAll = given.includes('--all')
const args = given.filter((arg) => arg !== '--all')
if (!isAll && listFileFilters(args).length === 0) process.env.LECTERN_TEST_PART = '1'
else delete process.env.LECTERN_TEST_PART
const steps = { passed: 0, failed: 0 }
let node = process.execPath

const startedAt = Date.now()
let guard

await exitWith(async () => {
  const installed = await step('setup', () => {
    node = ensureInstalled()
  })
  if (installed) {
    guard = startGuard(node)
    await step('chromium', () => {
      process.env.CHROMIUM_PATH = ensureChromium()
    })
    if (args.length === 0) {
      await step('types', () =>
        Promise.all([
          program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'),
          program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web/tsconfig.json'),
          program('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'e2e/tsconfig.json'),
        ]),
      )
      await step('lint', () => program('node_modules/@biomejs/biome/bin/biome', 'check', '.'))
      await step('unused', () => program('node_modules/knip/bin/knip.js'))
    }
    if (!args.includes('--project') || args.includes('e2e')) await step('web app', () => ensureWebApp(node))
    if (isAll && args.length === 0) await step('commands', () => program('scripts/test-run/run-commands.ts', '--third'))
  }
  const tests = installed ? await vitest() : { passed: 0, failed: 0 }
  const failed = steps.failed + tests.failed
  if (guard) printCost(await guard.end())
  console.log(`${steps.passed + tests.passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})

/** Runs one step, says how long it took, and what it had to say when it failed. */
async function step(name, work) {
  const start = Date.now()
  try {
    await work()
    steps.passed += 1
    console.log(`${name.padEnd(10)} ok      ${seconds(start)}`)
    return true
  } catch (error) {
    steps.failed += 1
    console.log(`${name.padEnd(10)} FAILED  ${seconds(start)}\n${error.message}`)
    return false
  }
}

/** The time of the processor, also of PostgreSQL and what else left the tree of processes. */
function printCost({ cpuSeconds, ended }) {
  if (ended.length > 0) console.log(`${ended.length} processes were left and have been ended: ${ended.join(', ')}`)
  const cores = availableParallelism()
  const perCore = (cpuSeconds / cores).toFixed()
  console.log(
    `${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes, ${cpuSeconds.toFixed()} CPU-seconds, ${perCore} on each of ${cores} cores`,
  )
}

function seconds(start) {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`
}

/** Runs a program by its path in the checkout; throws what it printed when it fails. */
function program(file, ...rest) {
  const child = spawn(node, [join(root, file), ...rest], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(Buffer.concat(printed).toString().trimEnd()))))
  })
}

async function vitest() {
  const start = Date.now()
  // For all programs that tests start, hundreds of them: reading the sources takes half of a start.
  process.env.NODE_COMPILE_CACHE ??= join(cacheFolder(), 'compiled')
  const report = join(cacheFolder(), `tests-${process.pid}.json`)
  process.env.TEST_REPORT = report
  const code = await launch(node, ['node_modules/vitest/vitest.mjs', 'run', ...args])
  let counts
  try {
    counts = countTests(JSON.parse(readFileSync(report, 'utf8')), code, args)
  } catch {
    counts = { passed: 0, failed: 1, unmatched: [] }
  }
  rmSync(report, { force: true })
  for (const sentence of counts.unmatched) console.log(sentence)
  console.log(`${'tests'.padEnd(10)} ${counts.failed === 0 ? 'ok    ' : 'FAILED'}  ${seconds(start)}`)
  return counts
}
