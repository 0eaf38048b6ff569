import { afterAll, beforeAll, expect, test } from 'vitest'
import { crawl, type Samples, samples } from './support/crawl.ts'
import { foreigner, manager, member, type Stack, staff, startStack } from './support/processes/stack.ts'

let stack: Stack
let names: Samples
beforeAll(async () => {
  stack = await startStack()
  names = await samples(stack)
})
afterAll(() => stack?.stop())

const seen = { pressed: new Set<string>(), judged: new Set<string>() }
test.each([manager, member, foreigner, staff, 'new@newcomer.example'])(
  '%s meets no error, no dead control and nothing axe finds on any route',
  async (account) => expect(await crawl(stack, account, names, seen)).toEqual([]),
  600_000,
)
