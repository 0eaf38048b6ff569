import { defineConfig } from 'vitest/config'

// Apart from the tests: it takes long, and its times mean something on an idle machine only.
export default defineConfig({ test: { include: ['bench/src/bench.spec.ts'], testTimeout: 0, disableConsoleIntercept: true } })
