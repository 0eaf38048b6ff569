import { afterAll, afterEach } from 'vitest'
import type { Stack } from '../processes/stack.ts'
import { signedInPages } from './signed-in-pages.ts'

/** A stack for the tests of the calling file, and its pages, which each test leaves behind clean. */
export async function stackForFile<Started extends Stack>(starting: Promise<Started>) {
  const stack = await starting
  const pages = signedInPages(stack)
  afterEach(() => pages.closeAll())
  afterAll(() => stack.stop())
  return { stack, pages }
}
