import { afterAll, beforeAll, expect, test } from 'vitest'
import { crawl, type Samples, samples } from './support/crawl.ts'
import { foreigner, manager, member, type Stack, staff, startStack } from './support/processes/stack.ts'

/** `npm run check:controls` presses every control; `npm test -- --all` takes a sample. */
const isWhole = process.env.LECTERN_EVERY_CONTROL === '1'

let stack: Stack
let names: Samples
beforeAll(async () => {
  stack = await startStack()
  names = await samples(stack)
})
afterAll(() => stack?.stop())

const seen = { pressed: new Set<string>(), judged: new Set<string>() }
const accounts = [manager, member, staff, 'new@newcomer.example', ...(isWhole ? [foreigner] : [])]
test.each(accounts)(
  '%s meets no error, no dead control and nothing axe finds on any route',
  async (account) => expect(await crawl({ stack, account, names, seen, pressEvery: isWhole ? 1 : 12 })).toEqual([]),
  600_000,
)
