import { defineConfig } from 'vitest/config'

/** The tests that Stryker runs for the mutants of a folder. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.LECTERN_MUTATION_TESTS ?? '[]'),
    setupFiles: ['./scripts/vitest/refuse-console-errors.ts', './scripts/mutations/short-properties.ts'],
    testTimeout: 30_000,
    reporters: [],
  },
})
