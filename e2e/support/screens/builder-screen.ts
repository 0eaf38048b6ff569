import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { manager, startStack } from '../processes/stack.ts'
import { stackForFile } from './stack-for-file.ts'

export const chooser = '/codedm/create-configuration'

/** What an operator adds to the catalogue: a command for a length without one, and an option of several values. */
const operatorCatalogue = [
  {
    id: 'symbologies',
    sidebar: [
      {
        id: 'code-128',
        sections: [
          {
            id: 'code-128-length',
            options: [
              { id: 'code-128-minimum-length', formatter: ['SYC128SMN{value}'] },
              { id: 'code-128-site-list', label: 'Code 128 site list', type: 'multi', applicableDevices: ['CR2700'] },
            ],
          },
        ],
      },
    ],
  },
]

/** Starts the product for a test file of the builder, with an operator's own options. */
export async function builderScreen() {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-catalogue-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'catalogue.json')
  await writeFile(file, JSON.stringify(operatorCatalogue))
  const { stack, pages } = await stackForFile(startStack({ env: { CATALOGUE_FILE: file } }))
  return {
    url: stack.url,
    visit: (path: string, account = manager) => pages.open(path, account),
    /** The builder of a device at a category or group, opened with these commands. */
    async build(place: string, { device = 'CR2700', commands }: { device?: string; commands?: unknown } = {}): Promise<Page> {
      const search = new URLSearchParams({ show: place, ...(commands !== undefined && { config: JSON.stringify(commands) }) })
      const page = await pages.open(`${chooser}/${device}?${search}`)
      await format(page).waitFor()
      return page
    },
  }
}

/** The panel "Configuration Format". */
export const format = (page: Page) => page.getByRole('region', { name: 'Configuration Format' })

/** Until the lines of that panel are these: number, words, commands. */
export async function untilLines(page: Page, expected: readonly string[]): Promise<void> {
  const shows = (wanted: string) =>
    [...document.querySelectorAll('.format-line')]
      .map((line) => [...line.querySelectorAll('span:not(:has(span)), button:not(.icon-button)')].map((part) => part.textContent).join(' '))
      .join('\n') === wanted
  await page.waitForFunction(shows, expected.join('\n'))
}

export const options = (page: Page) => page.getByRole('region', { name: 'Options', exact: true })
export const categories = (page: Page) => page.getByRole('navigation', { name: 'Configuration categories' })
export const generate = (page: Page) => page.getByRole('button', { name: 'Generate Barcode' })
export const readConfigParameter = (page: Page): unknown => JSON.parse(new URL(page.url()).searchParams.get('config') ?? 'null')
export const next = (page: Page) => page.getByRole('button', { name: 'Next' })
export const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

/** Chooses in a dropdown. */
export async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
