import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { downloadedBytes } from './support/downloaded.ts'
import { renderPages } from './support/pdf-pages.ts'
import { productScreen } from './support/screens/product-screen.ts'

const { stack, open } = await productScreen()
/** The product CR2700. */
const details = '/product/id/2/details'
const guide = (page: Page) => page.getByRole('region', { name: 'Settings guide' })
const choosing = (page: Page) => guide(page).getByRole('group', { name: 'Settings of the category' })

/** Chooses the nth category and waits for its settings. */
async function openCategory(page: Page, index: number): Promise<void> {
  await guide(page).getByRole('combobox').click()
  await page.getByRole('option').nth(index).click()
  await choosing(page).getByRole('checkbox').first().waitFor()
}

async function download(page: Page, name: RegExp): Promise<{ fileName: string; pdf: Buffer }> {
  const waiting = page.waitForEvent('download')
  await guide(page).getByRole('button', { name }).click()
  const file = await waiting
  return { fileName: file.suggestedFilename(), pdf: await downloadedBytes(file) }
}

test('[MCD-01] the card of a product’s details makes a PDF of the chosen settings, in the chosen brand', async () => {
  const { brands } = await (await fetch(`${stack.url}/api/settings`)).json()
  const page = await open(details)
  await guide(page).getByRole('radio', { name: brands[1] }).click()
  expect(await guide(page).getByRole('button', { name: 'Download chosen settings' }).isDisabled()).toBe(true)
  await openCategory(page, 0)
  await choosing(page).getByRole('checkbox').first().click()
  const [code] = /M\d+\w*/.exec((await choosing(page).getByRole('listitem').first().textContent()) ?? '') ?? []
  await openCategory(page, 1)
  await choosing(page).getByRole('checkbox').nth(1).click()
  const { fileName, pdf } = await download(page, /^Download 2 chosen$/)
  expect(fileName).toBe('CR2700 settings.pdf')
  const text = (await renderPages(pdf, 36)).map((one) => one.text).join(' ')
  expect(text).toContain(brands[1])
  expect(text.match(/M\d{5}_\d\d/g)).toHaveLength(2)
  expect(text).toContain(code)
  await guide(page).getByRole('button', { name: 'Clear 2 chosen' }).click()
  expect(await guide(page).getByRole('button', { name: 'Download chosen settings' }).isDisabled()).toBe(true)
})

test('[EVI-01] each setting of a guide says how well it is known, which its first page explains', async () => {
  const page = await open('/product/id/3/details')
  const { pdf } = await download(page, /^Download full guide$/)
  const pages = await renderPages(pdf, 36)
  const text = pages.map((one) => one.text).join(' ')
  expect(text).toMatch(/M20003_01\s+Inferred\s+SYAZTCSEN0/)
  expect(text).toMatch(/M20160_01\s+Listing\s/)
  expect(pages[0]!.text.replace(/\s+/g, ' ')).toContain('Inferred: The command is inferred from others. Try it on one reader first.')
  expect(pages[0]!.text.replace(/\s+/g, ' ')).toMatch(/\d+ of \d+ settings sends? commands that are inferred, not documented\./)
})

test('[MCD-01] the full guide is one press away, and a refusal is said', async () => {
  const page = await open(details)
  const { fileName, pdf } = await download(page, /^Download full guide$/)
  expect(fileName).toBe('CR2700 settings guide.pdf')
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  await page.route('**/api/mcodes/**', (route) => route.abort())
  await guide(page).getByRole('button', { name: 'Download full guide' }).click()
  await page.getByText('Guide not downloaded', { exact: true }).waitFor()
  expect(await guide(page).getByRole('button', { name: 'Download full guide' }).isEnabled()).toBe(true)
})

test('axe finds nothing in an open category, in either look', async () => {
  const page = await open(details)
  await openCategory(page, 0)
  expect(await axeInLooks(page)).toEqual([])
})
