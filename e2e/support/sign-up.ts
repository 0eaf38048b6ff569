import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { openContext } from './processes/browser.ts'
import type { Stack } from './processes/stack.ts'

export const password = 'lectern-demo'

/**
 * A person who is new: a fresh browser that signs up at the provider on its way to `path`.
 * @param onRequest called with the address of every request
 */
export async function signUp({ browser, url, sql }: Stack, email: string, path = '/', onRequest?: (url: string) => void): Promise<Page> {
  const context = await openContext(browser)
  const page = await context.newPage()
  if (onRequest) page.on('request', (request) => onRequest(request.url()))
  await page.goto(`${url}${path}`)
  await createAccount(page, email, async () => {
    const [message] = await sql<{ body: string }>("select body from idp_message where recipient = $1 and subject not like 'Invitation%'", [
      email,
    ])
    return message?.body
  })
  return page
}

/**
 * From the sign-in page, by the message's link, to where the sign-in leads.
 * @param readMessage returns undefined until there is a message
 */
export async function createAccount(page: Page, email: string, readMessage: () => Promise<string | undefined>): Promise<void> {
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.locator('input[name=email]').fill(email)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  const message = await vi.waitUntil(readMessage, { timeout: 30_000 })
  await page.goto(/http\S+/.exec(message)![0])
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Fills in the shown step User Info and registers. */
export async function registerAs(page: Page, firstName: string, lastName: string): Promise<void> {
  await page.getByRole('textbox', { name: 'First name' }).fill(firstName)
  await page.getByRole('textbox', { name: 'Last name' }).fill(lastName)
  await page.getByRole('textbox', { name: 'Work phone' }).fill('+1 503 555 0188')
  await page.getByRole('button', { name: 'Register' }).click()
}

/** The title of the open step. */
export const step = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** The steps at the side: number or "done", label, and whether it is current. */
export const steps = async (page: Page): Promise<string[]> => {
  const items = page.getByRole('complementary', { name: 'Progress' }).getByRole('listitem')
  return items.evaluateAll((all) =>
    all.map((item) => {
      const state = item.ariaCurrent === 'step' ? 'current' : item.querySelector('.sr-only')?.textContent?.trim()
      return `${item.querySelector('b')?.textContent}: ${state}`
    }),
  )
}
