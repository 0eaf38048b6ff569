import { defineConfig } from 'vitest/config'

// Apart from the tests, as it takes long, and its times are valid only on an idle machine.
export default defineConfig({ test: { include: ['bench/src/bench.spec.ts'], testTimeout: 0, disableConsoleIntercept: true } })
