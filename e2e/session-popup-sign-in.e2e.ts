import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manager, type Stack, signIn, startStack } from './support/processes/stack.ts'
import { refuseFirstToken } from './support/refused-token.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

/** A page whose session has just ended. */
async function ended(prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Page> {
  const context = await stack.browser.newContext()
  const page = await context.newPage()
  await prepare(page)
  await refuseFirstToken(context, () => stack.sql(`delete from idp_record where model in ('RefreshToken', 'Session')`))
  await page.goto(`${stack.url}/codedm/zones`)
  await signIn(page, manager)
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  return page
}

async function openPopup(page: Page): Promise<Page> {
  const popup = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Sign in with a pop-up' }).click()
  return popup
}

test('[ACC-11 ACC-30] a pop-up of 400 by 600 signs in, the session loading meanwhile, and the page goes on where it was', async () => {
  const page = await ended((page) =>
    page.addInitScript(() => {
      const open = window.open.bind(window)
      window.open = (...parts) => {
        document.documentElement.dataset.popup = parts[2] ?? ''
        return open(...parts)
      }
    }),
  )
  const popup = await openPopup(page)
  await page.getByRole('status').getByText('Signing in…').waitFor()
  expect(await page.locator('html').getAttribute('data-popup')).toMatch(/width=400,height=600/)
  await signIn(popup, manager)
  await page.getByRole('heading', { name: 'Manage Your Zones' }).waitFor()
  expect(page.url()).toBe(`${stack.url}/codedm/zones`)
  expect(popup.isClosed()).toBe(true)
  await page.context().close()
})

test('[ACC-26] a closed pop-up is told apart: "cancelled"', async () => {
  const page = await ended()
  const popup = await openPopup(page)
  await popup.close()
  await page.getByText('cancelled', { exact: true }).waitFor()
  await page.context().close()
})

test('[ACC-26 ACC-30] a pop-up times out after 60 s', async () => {
  const page = await ended((page) => page.clock.install())
  const popup = await openPopup(page)
  await popup.locator('input[name=password]').waitFor()
  await page.clock.fastForward(58_000)
  await page.getByRole('status').getByText('Signing in…').waitFor()
  await page.clock.fastForward(3_000)
  await page.getByText('timeout', { exact: true }).waitFor()
  await page.context().close()
})
