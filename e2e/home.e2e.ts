import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { manager, member, startStack } from './support/processes/stack.ts'
import { showInApp } from './support/screens/signed-in-pages.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const { stack, pages } = await stackForFile(startStack())

const configure = 'Configure Your Devices'
const manage = 'Manage Your Devices'
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const head = (page: Page, name: string) => card(page, name).getByRole('button', { name, exact: true })
const expanded = (page: Page, name: string) => head(page, name).getAttribute('aria-expanded')
/** The words of a closed card. */
const listed = (page: Page, name: string) => card(page, name).getByRole('listitem').allTextContents()

/** Opens the landing page, in a tab of its own, where cards begin closed. */
async function landing(account = manager): Promise<Page> {
  const page = await pages.open('/codedm', account)
  await head(page, configure).waitFor()
  return page
}

/** Loads the page again with these flags on. */
async function reloadWith(page: Page, flags: string): Promise<void> {
  await page.evaluate((list) => localStorage.setItem('featureFlags', list), flags)
  await page.reload()
  await head(page, configure).waitFor()
}

/** Opens a card; what it leads to: label, and path. */
async function opened(page: Page, name: string): Promise<[string | null | undefined, string | null][]> {
  if ((await expanded(page, name)) === 'false') await head(page, name).click()
  await card(page, name).getByRole('link').first().waitFor()
  return card(page, name)
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => [one.querySelector('b')?.textContent, one.getAttribute('href')]))
}

const zones = ['Manage Your Device Zones', '/codedm/zones']
const builder = ['Create a Device Configuration', '/codedm/create-configuration']
const apply = ['Configure Zones', '/codedm/apply-config']
const firmware = ['Manage Firmware', '/codedm/manage-firmware']
const library = ['Access Configuration Library', '/codedm/configuration-library']
const devices = ['My Devices', '/codedm/device-dashboard']
const audit = ['View Audit Log', '/codedm/audit-log']

describe('the landing page', () => {
  test('[DML-01 DML-03 DML-07] has two cards, which name their subjects while they are closed', async () => {
    const page = await landing()
    await page.getByRole('heading', { level: 1, name: 'Device Management', exact: true }).waitFor()
    expect([await expanded(page, configure), await expanded(page, manage)]).toEqual(['false', 'false'])
    expect(await listed(page, configure)).toEqual([
      'Manage Device Zones',
      'Configure Zones',
      'Manage Firmware',
      'Access Configuration Library',
    ])
    expect(await listed(page, manage)).toEqual(['My Devices', 'Activity Stream', 'Device Analytics', 'Audit Log'])
    expect(await card(page, configure).or(card(page, manage)).getByRole('link').count()).toBe(0)
  })

  test('[DML-07] the Audit Log is named only with access:audit_log', async () => {
    const page = await landing(member)
    expect(await listed(page, manage)).toEqual(['My Devices', 'Activity Stream', 'Device Analytics'])
  })

  test('[DML-02] the cards open and close independently, with mouse and keyboard, and stay as they are after a reload', async () => {
    const page = await landing()
    await head(page, manage).click()
    expect([await expanded(page, configure), await expanded(page, manage)]).toEqual(['false', 'true'])
    await head(page, configure).focus()
    await page.keyboard.press('Enter')
    expect([await expanded(page, configure), await expanded(page, manage)]).toEqual(['true', 'true'])
    await head(page, manage).focus()
    await page.keyboard.press('Space')
    expect([await expanded(page, configure), await expanded(page, manage)]).toEqual(['true', 'false'])
    expect(await listed(page, manage)).toContain('My Devices')
    await page.reload()
    await head(page, configure).waitFor()
    expect([await expanded(page, configure), await expanded(page, manage)]).toEqual(['true', 'false'])
    await card(page, configure)
      .getByRole('link', { name: /^Manage Your Device Zones/ })
      .focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/codedm/zones')
    await page.goBack()
    await head(page, configure).waitFor()
    expect(await expanded(page, configure)).toBe('true')
  })

  test('[DML-04 DML-05 DML-06 DML-08 DML-11] with every permission the open cards lead everywhere', async () => {
    const page = await landing()
    expect(await opened(page, configure)).toEqual([zones, builder, apply, firmware, library])
    expect(await opened(page, manage)).toEqual([devices, audit])
  })

  test('[DML-05 DML-06 DML-11 PER-07] without any they lead to what everyone may see', async () => {
    const page = await landing(member)
    expect(await opened(page, configure)).toEqual([zones, builder, library])
    expect(await opened(page, manage)).toEqual([devices])
    for (const [path, name] of [
      [devices[1], 'Device Dashboard'],
      [builder[1], 'Create a Device Configuration'],
      [library[1], 'Configuration Library'],
    ]) {
      await showInApp(page, path!)
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    // A browser without pickers downloads at once.
    await page.evaluate('delete window.showOpenFilePicker; delete window.showSaveFilePicker')
    await showInApp(page, zones[1]!)
    const download = page.waitForEvent('download')
    await page
      .getByRole('button', { name: /location file/i })
      .first()
      .click()
    expect((await download).suggestedFilename()).toBe('Location.ctxdm')
  })

  test('[DML-09 DML-10] activity and analytics are there each with its flag; activity says that it is not available yet', async () => {
    const stream = ['Activity Stream/History', '/codedm/activity-stream']
    const analytics = ['Analytics', '/codedm/analytics']
    const page = await landing()
    await reloadWith(page, 'showActivityStream')
    expect(await opened(page, manage)).toEqual([devices, stream, audit])
    await reloadWith(page, 'showDeviceAnalytics')
    expect(await opened(page, manage)).toEqual([devices, analytics, audit])
    await reloadWith(page, 'showDeviceAnalytics;showActivityStream')
    expect(await opened(page, manage)).toEqual([devices, stream, analytics, audit])
    const said = (name: RegExp) => card(page, manage).getByRole('link', { name }).textContent()
    expect(await said(/^Activity Stream\/History/)).toContain('Not available yet')
    for (const name of [/^My Devices/, /^Analytics/]) expect(await said(name)).not.toContain('Not available yet')
    await reloadWith(page, '')
    expect(await opened(page, manage)).toEqual([devices, audit])
  })

  test('leads newcomers to the instructions, and shows the support line', async () => {
    const { supportPhone } = await (await stack.api())('getPublicSettings', {})
    const page = await landing()
    expect(await page.getByRole('link', { name: supportPhone }).getAttribute('href')).toBe(`tel:${supportPhone.replaceAll(' ', '')}`)
    await page.getByRole('link', { name: 'Installation instructions' }).click()
    await page.getByRole('heading', { level: 1, name: 'Installation instructions' }).waitFor()
  })
})

describe('the installation instructions', () => {
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const words = async (page: Page, name: string) => (await section(page, name).textContent())?.replace(/\s+/g, ' ')

  test('[DML-13 DML-14 DML-15] say in three sections where app and licence come from, and what to do on each host PC', async () => {
    const page = await pages.open('/codedm/installation-instructions')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Get the app',
      'Set up and manage zones',
      'Install the app',
    ])
    await page.getByText("Each zone's host PC requires the companion desktop app").waitFor()
    expect(await words(page, 'Get the app')).toContain(
      'Obtain a licence for the app from your account manager at Quiet Zone Devices and the developer portal.',
    )
    expect(await words(page, 'Set up and manage zones')).toMatch(
      /create a zone for each location .*Download the zone's location file, Location\.ctxdm\./,
    )
    await section(page, 'Get the app').getByText('This portal has no packages of the app yet.').waitFor()
    expect(await words(page, 'Install the app')).toContain("Put the zone's location file on the host PC")
    expect(await words(page, 'Install the app')).toContain('apt-get install -y ./lectern-agent.deb')
    await section(page, 'Install the app').getByRole('radio', { name: 'By hand' }).click()
    expect(await words(page, 'Install the app')).toContain("Put the app and the zone's location file on the host PC.")
    expect(await words(page, 'Install the app')).toContain(`lectern-agent enroll Location.ctxdm --server ${stack.url} --licence NUMBER`)
  })

  test('[DML-16] link to the zones page, which links back, and name the domain to whitelist', async () => {
    const page = await pages.open('/codedm/installation-instructions')
    const install = section(page, 'Install the app')
    await install.getByText(`whitelist the vendor's data domain, ${new URL(stack.url).host}`).waitFor()
    // The provider is the portal's own here: there is no second domain to name.
    expect(await install.textContent()).not.toContain('People who sign in')
    await section(page, 'Set up and manage zones').getByRole('link', { name: 'Manage Your Zones' }).click()
    await page.getByRole('heading', { level: 1, name: 'Manage Your Zones' }).waitFor()
    await page.getByRole('link', { name: 'Installation instructions' }).click()
    await page.waitForURL('**/codedm/installation-instructions')
  })
})

test('axe finds nothing in either look, and nothing is wider than the screen', async () => {
  const page = await landing()
  const isFine = async () => expect(await axeInLooks(page), page.url()).toEqual([])
  await isFine()
  await opened(page, configure)
  await opened(page, manage)
  await isFine()
  await page.getByRole('link', { name: 'Installation instructions' }).click()
  await page.getByRole('heading', { level: 1, name: 'Installation instructions' }).waitFor()
  await isFine()
})
