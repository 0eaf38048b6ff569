import { configDefaults, defineConfig } from 'vitest/config'
import { isPart, leftOut } from './scripts/test-run/matrices.ts'
import { LongestFirst } from './scripts/vitest/longest-first.ts'

const testCluster = './server/src/testing/database/test-cluster.ts'
const setupFiles = ['./scripts/vitest/refuse-console-errors.ts']

// What comes is waited for as long as by the browser: a second, as is usual, is less than a machine with other work may take.
const expect = { poll: { timeout: 30_000 } }

const exclude = isPart ? [...configDefaults.exclude, ...leftOut] : configDefaults.exclude

/** Where `npm test` wants the counts. */
const report = process.env.TEST_REPORT
const counts: ['json', { outputFile: string }][] = report ? [['json', { outputFile: report }]] : []

export default defineConfig({
  test: {
    // No file changes a module (`isolate: false`), so they need not be loaded anew for each: that took longer than many files' tests.
    // Two cores are what the smallest machine that builds this has. A worker that waits, for a page or an agent, leaves a quarter of them idle.
    maxWorkers: 3,
    reporters: ['default', ...counts],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          include: ['{contract,idp,agent,bench,scripts}/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'],
          exclude,
          setupFiles: [...setupFiles, './web/test-setup.ts'],
          expect,
          testTimeout: 40_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          isolate: false,
          include: ['server/src/**/*.test.ts'],
          exclude,
          globalSetup: testCluster,
          setupFiles: [...setupFiles, './server/src/testing/database/guard-statements.ts'],
          expect,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude,
          globalSetup: testCluster,
          setupFiles,
          expect,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file has its own app and database; a worker's files share a server process and a browser.
          isolate: false,
        },
      },
    ],
  },
})
