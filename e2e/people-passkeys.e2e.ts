import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { addAuthenticator } from './support/authenticator.ts'
import { axeFindings } from './support/axe.ts'
import { readInvitation } from './support/invitation.ts'
import { openContext } from './support/processes/browser.ts'
import { manager, member, northfield, startStack } from './support/processes/stack.ts'
import { createAccount, password, registerAs, step } from './support/sign-up.ts'

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

test('[SES-05] a manager signs in with a passkey, and requires them of all members; a new one adds theirs on the way from the invitation to the first page', {
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

  const email = 'newcomer@northfield.example'
  await boss.page.goto(`${stack.url}/people`)
  await press(boss.page, 'Invite a colleague')
  await boss.page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^E-mail address/ })
    .fill(email)
  await boss.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  await boss.page.getByRole('heading', { name: / is invited$/ }).waitFor()
  await expectNewcomer(email)
})

/** A new member, from the mail to the first page. */
async function expectNewcomer(email: string): Promise<void> {
  const { page } = await device()
  await page.goto(`${stack.url}${await readInvitation(stack, email)}`)
  await createAccount(page, email, async () => {
    const [message] = await stack.sql<{ body: string }>(
      "select body from idp_message where recipient = $1 and subject not like 'Invitation%'",
      [email],
    )
    return message?.body
  })
  await addOnTheWay(page)
  await step(page, 'You are in Northfield Regional Health Products').waitFor()
  await page.getByRole('link', { name: 'Continue' }).click()
  await step(page, 'User Info').waitFor()
  await registerAs(page, 'New', 'Comer')
  await page.waitForURL(`${stack.url}/product`)
  expect(await countPasskeys(email)).toBe(1)
}

/** A person without a passkey, or with a confirmed recovery, adds one where the portal asks for it. */
async function addOnTheWay(page: Page): Promise<void> {
  await heading(page, 'Your organization asks for a passkey')
  await press(page, 'Continue with a passkey')
  await heading(page, 'Add a passkey')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Add a passkey')
}

async function countPasskeys(email: string): Promise<number> {
  const rows = await stack.sql('select from idp_passkey join idp_account on idp_account.id = account_id where email = $1', [email])
  return rows.length
}

test('[SES-05] who has lost their passkey adds another one once another manager has confirmed it', { timeout: 180_000 }, async () => {
  await stack.sql('delete from idp_passkey')
  await stack.sql('update organization set requires_passkeys = true where public_id = $1', [northfield])
  const boss = await device()
  await signIn(boss.page, manager, '/people/sign-in')
  await addOnTheWay(boss.page)
  await boss.page.getByText('No member asks for a recovery.').waitFor()
  const former = await device()
  await signIn(former.page, member, '/codedm')
  await addOnTheWay(former.page)
  await heading(former.page, 'Device Management')

  const { page } = await device()
  await signIn(page, member, '/codedm')
  await heading(page, 'Your organization asks for a passkey')
  await press(page, 'Continue with a passkey')
  await page.getByRole('link', { name: 'I lost my passkey' }).click()
  await heading(page, 'Ask for a recovery')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Ask for a recovery')
  const told = (await page.getByText(`(${manager})`).textContent()) ?? ''
  expect(told).toMatch(/ from the address 127\.0\.0\.1 with Chrome on Linux\./)
  expect(await axeFindings(page)).toEqual([])

  await boss.page.reload()
  await press(boss.page, `Confirm the recovery of ${member}`)
  const code = boss.page.getByRole('dialog').getByRole('textbox', { name: /^Code/ })
  await code.fill('12345')
  await boss.page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await boss.page.getByText('Code must be the 6 digits that the member reads to you').waitFor()
  expect(await axeFindings(boss.page)).toEqual([])
  await code.fill(/\d{6}/.exec(told)![0])
  await boss.page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await boss.page.getByText('Confirmed, not used yet').waitFor()
  expect(await axeFindings(boss.page)).toEqual([])
  await page.goto(`${stack.url}/codedm`)
  await addOnTheWay(page)
  await heading(page, 'Device Management')
  expect(await countPasskeys(member)).toBe(1)
  await boss.page.reload()
  await boss.page.getByText('No member asks for a recovery.').waitFor()
})
