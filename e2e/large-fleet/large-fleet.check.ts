import { spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { manager, northfield, type Stack, startStack } from '../support/processes/stack.ts'

const runs = 5
const sizes = { small: 10_000, large: Number(process.env.READERS ?? 1_000_000) }
const fleets = {} as Record<keyof typeof sizes, { stack: Stack; page: Page }>
const path = '/codedm/device-dashboard'

afterAll(() => Promise.all(Object.values(fleets).map(({ stack }) => stack.stop())))

async function fill(): Promise<void> {
  for (const size of ['small', 'large'] as const) {
    const stack = await startStack()
    const filled = spawnSync(process.execPath, ['bench/src/fill.ts', northfield, String(sizes[size]), '500', 'plain'], {
      env: { ...process.env, DATABASE_URL: stack.databaseUrl },
      stdio: 'inherit',
    })
    expect(filled.status).toBe(0)
    await expect.poll(() => countUnfolded(stack), { timeout: 600_000, interval: 2_000 }).toBe(0)
    await stack.sql('vacuum analyze')
    fleets[size] = { stack, page: await stack.page(manager, path) }
    await untilSettled(fleets[size].page)
  }
}

async function countUnfolded(stack: Stack): Promise<number> {
  const tables = ['device_count', 'firmware_total', 'device_tally']
  const [row] = await stack.sql<{ count: number }>(
    `select ${tables.map((table) => `(select count(*) from ${table} where not is_folded)`).join(' + ')} as count`,
  )
  return Number(row!.count)
}

const untilSettled = (page: Page) =>
  page.waitForFunction(() => document.querySelector('tbody tr a') !== null && !document.querySelector('.table-dimmed'))

/** Milliseconds from an act in the page to the frame in which its rows are painted. The act changes the list's address. */
function time(page: Page, act: { click: string; text?: string } | { field: string; value: string }): Promise<number> {
  return page.evaluate(async (todo) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const rows = () => [...document.querySelectorAll('tbody tr')].map((row) => row.textContent).join()
    const before = rows()
    const start = performance.now()
    if ('click' in todo) {
      const found = [...document.querySelectorAll<HTMLElement>(todo.click)].find(
        (each) => !todo.text || each.textContent?.includes(todo.text),
      )
      if (!found) throw new Error(`There is no ${todo.click} ${todo.text}.`)
      found.click()
    } else {
      const field = document.querySelector<HTMLInputElement>(todo.field)!
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, todo.value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    }
    while (rows() === before || document.querySelector('.table-dimmed')) {
      if (performance.now() - start > 60_000) throw new Error(`${JSON.stringify(todo)} changes nothing.`)
      await frame()
    }
    await frame()
    return performance.now() - start
  }, act)
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** Runs an act and its opposite in turns on both fleets. */
async function compare(name: string, act: (page: Page, run: number, readers: number) => Promise<number>): Promise<void> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let run = 0; run < runs; run++)
    for (const size of ['small', 'large'] as const) {
      const { page } = fleets[size]
      await untilSettled(page)
      times[size].push(await act(page, run, sizes[size]))
    }
  const [small, large] = [median(times.small), median(times.large)]
  console.log(`${name}: ${sizes.large} readers ${large.toFixed(0)} ms, ${sizes.small} readers ${small.toFixed(0)} ms`)
  expect.soft(large, name).toBeLessThanOrEqual(Math.max(100, 2 * small))
}

test('a list of 1,000,000 readers answers a click as one of 10,000 does', async () => {
  await fill()
  const tile = (name: string) => ({ click: '.tile', text: name })
  for (const name of ['Offline', 'Battery Health', 'Warranty Expirations'])
    await compare(`tile ${name}`, async (page) => {
      const took = await time(page, tile(name))
      await time(page, tile('All Devices'))
      return took
    })
  for (const column of ['Serial Number', 'Firmware', 'Zone', 'Battery Health'])
    await compare(`sort by ${column}`, (page) => time(page, { click: '.table-sort', text: column }))
  for (const text of ['27P0001', 'Zone 01', 'CR2700'])
    await compare(`search ${text}`, async (page, run) => {
      const took = await time(page, { field: 'input[type=search]', value: `${text}${text === 'CR2700' ? '' : run}` })
      await time(page, { field: 'input[type=search]', value: '' })
      return took
    })
  // The first visit of a place far in prepares later ones.
  const half = (readers: number) => readers / 20
  for (const { page } of Object.values(fleets)) await time(page, { click: '[aria-label="Last page"]' })
  await compare('page in the middle', async (page, run, readers) => {
    const took = await time(page, { field: 'input[aria-label=Page]', value: String(half(readers) + run) })
    await time(page, { click: '[aria-label="First page"]' })
    return took
  })
  for (const size of ['small', 'large'] as const) await exportAll(fleets[size].page, sizes[size])
})

/** Measured by itself, as a file is as long as the fleet is large. */
async function exportAll(page: Page, readers: number): Promise<void> {
  const start = performance.now()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await (await download).path()
  const took = performance.now() - start
  let lines = 0
  for await (const _ of createInterface(createReadStream(file))) lines += 1
  console.log(`export: ${readers} readers in ${(took / 1_000).toFixed(1)} s`)
  expect(lines).toBeGreaterThan(readers)
}
