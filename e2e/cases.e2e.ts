import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { axeFindings, axeInLooks } from './support/axe.ts'
import { type SalesforceProcess, startSalesforceProcess } from './support/processes/salesforce-process.ts'
import { manager, member, type Stack, staff, startStack } from './support/processes/stack.ts'
import { showInApp, signedInPages } from './support/screens/signed-in-pages.ts'

type Desk = 'the database' | 'Salesforce'
let salesforce: SalesforceProcess
const stacks = new Map<Desk, { stack: Stack; pages: ReturnType<typeof signedInPages> }>()
beforeAll(async () => {
  salesforce = await startSalesforceProcess()
  const start = async (desk: Desk, env = {}) => {
    const stack = await startStack({ env })
    stacks.set(desk, { stack, pages: signedInPages(stack) })
  }
  await Promise.all([start('the database'), start('Salesforce', salesforce.settings)])
})
afterEach(async () => {
  await salesforce.trouble('none')
  for (const { pages } of stacks.values()) await pages.closeAll()
})
afterAll(async () => {
  for (const { stack } of stacks.values()) await stack.stop()
  await salesforce?.stop()
})

const open = (path: string, account = manager, desk: Desk = 'the database'): Promise<Page> => stacks.get(desk)!.pages.open(path, account)
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}( required)?$`) })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, subject: string) => page.getByRole('row').filter({ has: page.getByText(subject, { exact: true }) })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const details = (page: Page) => page.getByRole('complementary', { name: 'About the case' })

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** A new case of the manager; answers its subject. */
async function withCase(desk: Desk = 'the database', subject = `Silent ${randomUUID()}`) {
  const api = await stacks.get(desk)!.stack.api(manager)
  const { id } = await api('createCase', { body: { subject, description: 'It says nothing.', model: 'CR2700' } })
  return { id, subject }
}

test.each(['the database', 'Salesforce'] as const)(
  '[CRM-01 CRM-02] a customer opens, follows and closes a case, staff answer it; kept in %s',
  async (desk) => {
    const subject = `Charger stays dark ${randomUUID()}`
    const page = await open('/product', manager, desk)
    await button(page, 'More').click()
    await page.getByRole('link', { name: 'Support' }).click()
    await page.getByRole('main').getByRole('link', { name: 'New case' }).click()

    // What is half written outlasts a reload, and each missing part is named at its place.
    await field(page, 'Description').fill('One of four shows no light.')
    await page.reload()
    expect(await field(page, 'Description').inputValue()).toBe('One of four shows no light.')
    await button(page, 'Open case').click()
    await page.getByText('Subject must not be empty.').waitFor()
    await expect.poll(() => field(page, 'Subject').evaluate((input) => input === document.activeElement)).toBe(true)
    await field(page, 'Subject').fill(subject)
    if (desk === 'Salesforce') {
      await button(page, 'Open case').click()
      await page.getByText('Reader must not be empty.').waitFor()
    }
    await choose(page, 'Reader', 'CR5200')
    await choose(page, 'Priority', 'High')
    await button(page, 'Open case').click()
    await heading(page, subject).waitFor()
    expect(await details(page).getByRole('definition').allInnerTexts()).toEqual(['New', 'High', 'CR5200', 'Not set', 'Web', manager])

    // The user does not notice that a session at Salesforce has expired.
    await salesforce.trouble('expired')
    await field(page, 'Your follow-up').fill('The power supply is new.')
    await page.reload()
    expect(await field(page, 'Your follow-up').inputValue()).toBe('The power supply is new.')
    await button(page, 'Send follow-up').click()
    const said = page.getByRole('article')
    await said.getByText('The power supply is new.').waitFor()
    expect(await said.nth(1).getByRole('heading').textContent()).toContain(manager)
    expect(await field(page, 'Your follow-up').inputValue()).toBe('')
    const address = page.url()

    const clerk = await open('/support', staff, desk)
    await clerk.getByRole('searchbox', { name: 'Search cases' }).fill(subject)
    await clerk.waitForURL('**/support?search=*')
    await row(clerk, subject).getByText(manager).waitFor()
    await clerk.getByRole('link', { name: subject }).click()
    await button(clerk, 'Edit').click()
    await choose(clerk, 'Status', 'Working')
    await field(clerk, 'Action plan').fill('A new one is on its way.')
    await button(clerk, 'Save').click()
    await details(clerk).getByText('Working').waitFor()
    await field(clerk, 'Your follow-up').fill('It leaves today.')
    await button(clerk, 'Send follow-up').click()
    await clerk.getByRole('article').getByText('It leaves today.').waitFor()

    await showInApp(page, new URL(address).pathname)
    await page.getByRole('article').getByText('It leaves today.').waitFor()
    await details(page).getByText('A new one is on its way.').waitFor()
    await button(page, 'Close case').click()
    await details(page).getByText('Closed').waitFor()
    await page.getByRole('navigation', { name: 'Back' }).getByRole('link', { name: 'Support' }).click()
    await choose(page, 'Status', 'Closed')
    await page.waitForURL('**/support?status=Closed')
    await page.getByRole('link', { name: subject }).click()

    // A follow-up opens the case again. At the end it is deleted, after a question.
    await field(page, 'Your follow-up').fill('Dark again.')
    await button(page, 'Send and reopen').click()
    await details(page).getByText('New', { exact: true }).waitFor()
    await button(page, 'Delete').click()
    await page.getByRole('dialog').getByText('It is deleted for you and for the support desk').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await heading(page, 'Support').waitFor()
    await page.getByRole('searchbox', { name: 'Search cases' }).fill(subject)
    await page.getByText(`No case matches “${subject}”.`).waitFor()
    await showInApp(page, new URL(address).pathname)
    await page.getByText('There is no such case, or it is not yours.').waitFor()
  },
)

test('[CRM-02] Salesforce that does not answer is a sentence with the phone line, in the list, a case and a form that keeps what was typed', async () => {
  const { id, subject } = await withCase('Salesforce')
  const page = await open(`/support/${id}`, manager, 'Salesforce')
  await heading(page, subject).waitFor()
  await salesforce.trouble('limit')
  await field(page, 'Your follow-up').fill('Still silent.')
  await button(page, 'Send follow-up').click()
  await page
    .getByRole('alert')
    .getByText(/takes no more requests for now\. The support line is \+1 800 555 0142\./)
    .waitFor()
  expect(await field(page, 'Your follow-up').inputValue()).toBe('Still silent.')
  await page.reload()
  await page.getByRole('alert').getByText('Error loading the case').waitFor()
  await page.goto(page.url().replace(/\/[^/]+$/, ''))
  await page.getByRole('alert').getByText('Error loading support cases').waitFor()
  await page
    .getByRole('alert')
    .getByText(/The support line is/)
    .waitFor()
  await salesforce.trouble('none')
  await button(page, 'Try Again').click()
  await page.getByRole('link', { name: subject }).click()
  expect(await field(page, 'Your follow-up').inputValue()).toBe('Still silent.')
})

test('[CRM-01] somebody whose address is not verified reads why there are no cases, and sees them once it is', async () => {
  const { stack } = stacks.get('the database')!
  const verify = (verified: boolean) => stack.sql('update idp_account set email_verified = $1 where email = $2', [verified, member])
  await verify(false)
  // What the portal has learned of it is trusted for a while.
  await stack.sql('update "user" set email_verified = false where email = $1', [member])
  const page = await open('/support', member)
  await page.getByText('Your e-mail address is not verified.').waitFor()
  expect(await page.getByRole('link', { name: 'ask for a new one' }).getAttribute('href')).toBe('/verify-email')
  expect(await axeFindings(page)).toEqual([])
  await verify(true)
  await button(page, 'Check again').click()
  await page.getByRole('link', { name: 'Which barcode turns the beeper down' }).waitFor()
})

test('a case is opened, followed and closed by keyboard alone; staff verify an address', async () => {
  const subject = `By keyboard ${randomUUID()}`
  const page = await open('/support')
  const { keyboard } = page
  await page.getByRole('main').getByRole('link', { name: 'New case' }).focus()
  await keyboard.press('Enter')
  await field(page, 'Subject').focus()
  await keyboard.type(subject)
  await keyboard.press('Tab')
  await keyboard.type('Without a mouse.')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.locator('[data-highlighted]').waitFor()
  await keyboard.type('V1300')
  await page.locator('[data-highlighted]', { hasText: 'V1300' }).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  await keyboard.press('Shift+Tab')
  await keyboard.press('Shift+Tab')
  await keyboard.press('Enter')
  await heading(page, subject).waitFor()
  await details(page).getByText('V1300').waitFor()
  await button(page, 'Edit').focus()
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe(subject)
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit')
  await button(page, 'Close case').focus()
  await keyboard.press('Enter')
  await details(page).getByText('Closed').waitFor()

  const clerk = await open('/support', staff)
  await button(clerk, 'Verify an address').focus()
  await clerk.keyboard.press('Enter')
  await clerk.getByRole('dialog').waitFor()
  await clerk.keyboard.type('nobody@northfield.example')
  await clerk.keyboard.press('Enter')
  await clerk.getByText('The support desk has no contact with the address').waitFor()
  await clerk.keyboard.press('ControlOrMeta+A')
  await clerk.keyboard.type(manager)
  await clerk.keyboard.press('Enter')
  await clerk.getByText('is a contact of the support desk').waitFor()
})

test('axe finds nothing in any state, and nothing is wider than the screen, in either look', async () => {
  const { id, subject } = await withCase()
  const page = await open('/support', staff)
  const judge = async () => expect(await axeInLooks(page), page.url()).toEqual([])
  await page.getByRole('link', { name: subject }).waitFor()
  await judge()
  await button(page, 'Verify an address').click()
  await page.getByRole('dialog').waitFor()
  await judge()
  await showInApp(page, '/support?of=me')
  await page.getByText('You have no support cases.').waitFor()
  await judge()
  await showInApp(page, '/support/new')
  await button(page, 'Open case').click()
  await page.getByText('Subject must not be empty.').waitFor()
  await judge()
  await showInApp(page, `/support/${id}`)
  await field(page, 'Your follow-up').fill('x'.repeat(300))
  await button(page, 'Send follow-up').click()
  await page.getByRole('article').nth(1).waitFor()
  await judge()
  await button(page, 'Edit').click()
  await page.getByRole('dialog').waitFor()
  await judge()
})
