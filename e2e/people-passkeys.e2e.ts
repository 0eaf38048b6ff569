import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { addAuthenticator } from './support/authenticator.ts'
import { axeFindings } from './support/axe.ts'
import { readInvitation } from './support/invitation.ts'
import { openContext } from './support/processes/browser.ts'
import { manager, startStack } from './support/processes/stack.ts'
import { createAccount, password } from './support/sign-up.ts'

const stack = await startStack()
afterAll(stack.stop)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** A fresh browser, with a device that keeps passkeys and verifies its person. */
async function device() {
  const context = await openContext(stack.browser)
  const page = await context.newPage()
  await addAuthenticator(page)
  return { page }
}

async function signIn(page: Page, email: string, path: string): Promise<void> {
  await page.goto(`${stack.url}${path}`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await press(page, 'Sign in')
}

test('[SES-05] passkeys are required; a new member adds one on the way in from the invitation', {
  timeout: 180_000,
}, async () => {
  // The manager has a passkey first.
  const boss = await device()
  await signIn(boss.page, manager, '/profile')
  await boss.page.getByRole('link', { name: 'Your passkeys' }).click()
  await heading(boss.page, 'Your passkeys')
  expect(await axeFindings(boss.page)).toEqual([])
  await press(boss.page, 'Add a passkey')
  await boss.page.getByRole('button', { name: /^Rename Passkey of / }).waitFor()
  expect(await axeFindings(boss.page)).toEqual([])
  await boss.page.goto(`${stack.url}/people/sign-in`)
  await heading(boss.page, 'Sign-in')
  await press(boss.page, 'Require passkeys')
  await boss.page.getByRole('dialog').getByRole('button', { name: 'Require passkeys' }).click()
  await boss.page.getByText('Sign in with a passkey yourself first.').waitFor()
  await boss.page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()

  // With the passkey, in the same browser.
  await boss.page.goto(`${stack.url}/profile`)
  await press(boss.page, 'Log out')
  await boss.page.getByRole('link', { name: 'Sign in with a passkey' }).click()
  await heading(boss.page, 'Sign in with a passkey')
  expect(await axeFindings(boss.page)).toEqual([])
  await press(boss.page, 'Use a passkey')
  await boss.page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await boss.page.goto(`${stack.url}/people/sign-in`)
  await press(boss.page, 'Require passkeys')
  await boss.page.getByRole('dialog').getByRole('button', { name: 'Require passkeys' }).click()
  await boss.page.getByText('Passkeys are required: a password alone does not sign a member in.').waitFor()
  expect(await axeFindings(boss.page)).toEqual([])

  // A new member, from the mail to the first page.
  const email = 'newcomer@northfield.example'
  await boss.page.goto(`${stack.url}/people`)
  await press(boss.page, 'Invite a colleague')
  await boss.page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^E-mail address/ })
    .fill(email)
  await boss.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  const newcomer = await device()
  await expect.poll(() => readInvitation(stack, email).catch(() => null), { timeout: 30_000 }).toMatch(/^\/join\//)
  await newcomer.page.goto(`${stack.url}${await readInvitation(stack, email)}`)
  await createAccount(newcomer.page, email, async () => {
    const [message] = await stack.sql<{ body: string }>(
      "select body from idp_message where recipient = $1 and subject not like 'Invitation%'",
      [email],
    )
    return message?.body
  })
  await heading(newcomer.page, 'Your organization asks for a passkey')
  await press(newcomer.page, 'Continue with a passkey')
  await heading(newcomer.page, 'Add a passkey')
  expect(await axeFindings(newcomer.page)).toEqual([])
  await press(newcomer.page, 'Add a passkey')
  const findPasskeys = () =>
    stack.sql(`select idp_passkey.id from idp_passkey join idp_account on idp_account.id = account_id where email = $1`, [email])
  await expect.poll(async () => (await findPasskeys()).length, { timeout: 30_000 }).toBe(1)
})
