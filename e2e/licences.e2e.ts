import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { enrollHostPc } from './support/processes/agent-process.ts'
import { manager, member, northfield, startLoneStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startLoneStack())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}( required)?$`) })
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })

/** How many serial numbers are licensed, as the page Data has it. */
async function licensed(page: Page): Promise<number> {
  await page.goto(`${stack.url}/data`)
  const said = await page.getByRole('region', { name: 'Licence counts' }).getByRole('img').getAttribute('aria-label')
  return Number(/of ([\d,]+)/.exec(said ?? '')?.[1]?.replaceAll(',', ''))
}

/** The saved file of the page's next download. */
async function downloaded(page: Page, folder: string): Promise<string> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download licence file' }).click()
  const download = await coming
  const file = join(folder, download.suggestedFilename())
  await download.saveAs(file)
  return file
}

test('[LIC-01 LIC-02 LIC-03] a licence is generated in the page, and its file enrolls a real host PC, which verifies it offline', async () => {
  const page = await pages.open('/licences')
  const before = await licensed(page)
  await page.goto(`${stack.url}/licences`)
  await page.getByRole('link', { name: 'New licence' }).click()
  await page.getByRole('radio', { name: 'Decode SDK' }).check()
  await page.getByRole('button', { name: 'Generate licence file' }).click()
  await page.getByText('Serial numbers must not be empty.').waitFor()
  await page.getByText('A licence of the type Decode SDK needs a purchase order number.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  await page.keyboard.insertText('27P0418853, 27P0418854\n27P0418853')
  await page.getByText('2 of at most 500.', { exact: false }).waitFor()
  await field(page, 'Purchase order number').fill('PO-2026-118')
  await page.keyboard.press('Enter')
  await page.getByText('Licence generated', { exact: true }).waitFor()
  await page.getByText('27P0418854').waitFor()

  const folder = await mkdtemp(join(tmpdir(), 'lectern-licence-'))
  const zone = { organizationId: northfield, location: 'Licence zone' }
  const api = await stack.api()
  const { id: zoneId } = await api('createZone', { params: zone })
  const file = await downloaded(page, folder)
  const host = await enrollHostPc({ server: stack.url, zoneId, licence: file, name: 'NRH-LICENCE-01' }, [])
  try {
    expect(await stack.sql('select name from host where zone_id = (select id from zone where public_id = $1)', [zoneId])).toEqual([
      { name: 'NRH-LICENCE-01' },
    ])
    expect(await licensed(page)).toBe(before + 2)
    // The server is down.
    await stack.crash()
    const said = await host.command('licence', file)
    expect([said.code, said.output]).toEqual([0, expect.stringContaining('Organization:   Northfield Regional Health')])
    expect(said.output).toContain('Purchase order: PO-2026-118')
    const text = await readFile(file, 'utf8')
    await writeFile(
      file,
      text.replace(/\.(.)/, (_, first: string) => `.${first === 'e' ? 'f' : 'e'}`),
    )
    const tampered = await host.command('licence', file)
    expect([tampered.code, tampered.output]).toEqual([2, expect.stringContaining('was changed after it was signed')])
  } finally {
    await stack.start()
    await host.remove()
    await rm(folder, { recursive: true, force: true })
  }
})

test('[LIC-01 API-LIC-01] licences are created, searched, sorted and narrowed to days, with the keyboard; the address holds what is shown', async () => {
  const page = await pages.open('/licences')
  await rows(page).nth(9).waitFor()
  const number = `LEC-KEYBOARD-${Date.now()}`
  await page.getByRole('link', { name: 'New licence' }).focus()
  await page.keyboard.press('Enter')
  await field(page, 'Serial numbers').focus()
  await page.keyboard.insertText('KB-1')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.insertText('guess me')
  await page.keyboard.press('Tab')
  await page.getByText('Licence number must be 12 to 64 letters, digits and dashes, or empty.').waitFor()
  await field(page, 'Licence number').fill('LEC-DEMO-NORTHFIELD')
  await page.getByRole('button', { name: 'Create licence' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The licence number LEC-DEMO-NORTHFIELD is taken.').waitFor()
  expect(await field(page, 'Serial numbers').inputValue()).toBe('KB-1')
  await field(page, 'Licence number').fill(number)
  await page.getByRole('button', { name: 'Create licence' }).focus()
  await page.keyboard.press('Enter')
  await heading(page, number).waitFor()
  await page.getByText('This licence was created without a file.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'All licences' }).click()

  const search = page.getByRole('searchbox', { name: 'Search licences' })
  await search.fill('kb-1')
  await page.waitForURL('**/licences?search=kb-1')
  await page.getByRole('link', { name: number }).waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByLabel('First day').fill('2020-01-01')
  await page.getByLabel('Last day').fill('2020-01-31')
  await page.getByText('No licence matches.').waitFor()
  await page.getByLabel('First day').fill('2020-02-01')
  await page.getByText('The last day is before the first.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rows(page).nth(9).waitFor()
  await expect.poll(() => search.evaluate((box) => box === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Purchase order' }).click()
  await page.waitForURL('**/licences?sort=PurchaseOrderNumber&order=Ascending')
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('Not set').first().waitFor()
  await page.reload()
  await page.getByText('Not set').first().waitFor()
  expect(page.url()).toContain('page=2')
})

test('[PPL-07] a licence is revoked on its page with the host PCs that it enrolled, and each is refused; a member sees neither number nor button', async () => {
  const api = await stack.api()
  const params = { organizationId: northfield }
  const { id, licenseNumber } = await api('generateLicence', { params, body: { serialNumbers: ['27P0418853'] } })
  const { id: zoneId } = await api('createZone', { params: { ...params, location: `Ward ${Date.now()}` } })
  const enroll = (hostName: string, credential: string) =>
    fetch(`${stack.url}/api/agent/enroll`, {
      method: 'POST',
      headers: { authorization: `Bearer ${licenseNumber}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        zoneId,
        hostName,
        timeZone: 'UTC',
        agentVersion: '1.0.0',
        credentialHash: createHash('sha256').update(credential).digest('hex'),
      }),
    })
  for (const name of ['WARD-01', 'WARD-02']) expect((await enroll(name, `${name}-${id}`)).status).toBe(200)

  const seen = await pages.open(`/licences/${id}`, member)
  await heading(seen, `…${licenseNumber.slice(-4)}`).waitFor()
  await seen.getByText('so you see the end of the number only', { exact: false }).waitFor()
  await seen.getByRole('cell', { name: 'WARD-02' }).waitFor()
  expect(await seen.getByRole('button', { name: /Revoke|Download/ }).count()).toBe(0)
  expect(await axeInLooks(seen)).toEqual([])

  const page = await pages.open(`/licences/${id}`)
  await page.getByRole('cell', { name: 'WARD-02' }).waitFor()
  expect(await page.getByRole('cell', { name: 'Silent' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Revoke' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Revoke this licence' })
  await dialog.getByText('The 2 host PCs that it enrolled keep running, unless removed too.').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  const alsoRemove = dialog.getByRole('checkbox', { name: /^Also remove the 2 host PCs/ })
  await alsoRemove.focus()
  await page.keyboard.press('Space')
  expect(await alsoRemove.isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText(`Revoked by ${manager}`, { exact: false }).waitFor()
  await expect.poll(() => page.getByText(/^Removed \d/).count()).toBe(2)
  expect(await page.getByRole('button', { name: /Revoke|Remove|Download/ }).count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  expect(await axeInLooks(page)).toEqual([])
  for (const name of ['WARD-01', 'WARD-02'])
    expect((await fetch(`${stack.url}/api/agent/desired`, { headers: { authorization: `Bearer ${name}-${id}` } })).status).toBe(401)
  const refused = await enroll('WARD-03', id)
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    403,
    expect.stringMatching(/^The licence ….{4} was revoked on \d{4}-\d\d-\d\d\. Enroll with another one\.$/),
  ])
  await page.getByRole('link', { name: 'All licences' }).click()
  await page.getByRole('row', { name: licenseNumber }).getByText('Revoked').waitFor()
})

test('axe finds nothing in any state, in either look', async () => {
  const api = await stack.api()
  const body = { serialNumbers: ['27P0418853', 'X'.repeat(64)], purchaseOrderNumber: 'W'.repeat(64) }
  const { id } = await api('generateLicence', { params: { organizationId: northfield }, body })
  const page = await pages.open('/licences', manager, (fresh) =>
    fresh.route('**/licenses?*', (route) => route.fulfill({ status: 500, json: {} })),
  )
  const isFine = async () => expect(await axeInLooks(page), page.url()).toEqual([])
  await page.getByText('Error loading licences').waitFor()
  await isFine()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByText('Signed').first().waitFor()
  await page.getByText('Error loading licences').waitFor({ state: 'detached' })
  await isFine()
  await showInApp(page, `/licences/${id}`)
  await page.getByRole('button', { name: 'Download licence file' }).waitFor()
  await isFine()
  await showInApp(page, `/licences/${northfield}`)
  await heading(page, 'Licence not found').waitFor()
  await isFine()
  await showInApp(page, '/licences?edit=new')
  await page.getByRole('button', { name: 'Generate licence file' }).click()
  await page.getByText('Serial numbers must not be empty.').waitFor()
  await isFine()
})
