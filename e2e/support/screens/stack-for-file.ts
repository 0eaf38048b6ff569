import { afterAll, afterEach } from 'vitest'
import type { Stack } from '../processes/stack.ts'
import { signedInPages } from './signed-in-pages.ts'

/** Starts a stack for the tests of the calling file, with pages that each test leaves clean. */
export async function stackForFile<Started extends Stack>(starting: Promise<Started>) {
  const stack = await starting
  const pages = signedInPages(stack)
  afterEach(() => pages.closeAll())
  afterAll(() => stack.stop())
  return { stack, pages }
}
