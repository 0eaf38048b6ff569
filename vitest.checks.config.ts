import { defineConfig } from 'vitest/config'

/** The tests of `npm run check:browsers`, `check:lighthouse`, `check:large-fleet`, `check:overload` and `check:package`, one file after the other. */
export default defineConfig({
  test: {
    // What the database's setup makes the demo for.
    name: 'e2e',
    include: ['e2e/*/*.{check,spec}.ts'],
    globalSetup: './server/src/testing/database/test-cluster.ts',
    setupFiles: ['./scripts/vitest/refuse-console-errors.ts'],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    isolate: false,
  },
})
