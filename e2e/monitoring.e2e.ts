import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { axeInLooks } from './support/axe.ts'
import { breakZonesPage, brokenPage } from './support/broken-page.ts'
import { type Collector, type Fits, startCollector } from './support/error-collector.ts'
import { manager, type Stack, startLoneStack } from './support/processes/stack.ts'
import { accessToken } from './support/sign-in.ts'

let collector: Collector
let stack: Stack
beforeAll(async () => {
  collector = await startCollector()
  stack = await startLoneStack({ env: { SENTRY_DSN: collector.dsn } })
})
afterEach(() => Promise.all(stack.browser.contexts().map((context) => context.close())))
afterAll(async () => {
  await stack?.stop()
  await collector?.stop()
})

const findDialog = (page: Page) => page.getByRole('dialog', { name: 'Report an issue' })
const isLoaded = (page: Page) => page.waitForFunction(() => '__SENTRY__' in window)
const decodeSubject = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub
/** Throws in the page where nothing catches it. */
const throwIn = (page: Page, message: string) =>
  page.evaluate((words) => {
    setTimeout(() => {
      throw new Error(words)
    })
  }, message)
const says =
  (words: string): Fits =>
  (event) =>
    event.exception?.values[0].value.includes(words)

test('[ERR-04 ERR-09] a route error is reported, with who was signed in', async () => {
  const page = await brokenPage(stack, 'Broken for a route')
  const event = await collector.first('event', says('Broken for a route'))
  expect(event.exception.values[0]).toMatchObject({ type: 'TypeError', value: 'Broken for a route', mechanism: { handled: true } })
  expect(event.exception.values[0].stacktrace.frames.at(-1).filename).toContain('/assets/zones-page-')
  expect(event.contexts.react.componentStack).toContain('ZonesPage')
  expect(event.user).toEqual({ id: decodeSubject(await accessToken(stack.url, manager)), email: manager, username: 'manager' })
  expect(event.release).toBe('lectern@0.1.0')
  await page.getByText(event.event_id).waitFor({ state: 'attached' })
})

test('an error is reported once a visit, however often it is met', async () => {
  const words = `Broken twice ${randomUUID()}`
  const page = await brokenPage(stack, words)
  await findDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await findDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await throwIn(page, 'another one')
  await collector.first('event', says('another one'))
  expect(collector.all('event').filter(says(words))).toHaveLength(1)
})

test('the library is fetched after the first paint; what broke before is reported all the same', async () => {
  const page = await stack.page(manager, '/codedm', {}, (fresh) =>
    fresh.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        throw new Error('before anything')
      })
    }),
  )
  const event = await collector.first('event', says('before anything'))
  expect(event.exception.values[0].mechanism.handled).toBe(false)
  const { painted, fetched } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    fetched: performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/sentry-'))?.startTime ?? 0,
  }))
  expect(fetched).toBeGreaterThanOrEqual(painted)
})

test('[ERR-05] a dialog opens beside the error page and sends what somebody writes with the report; Cancel leaves the page', async () => {
  const page = await brokenPage(stack, 'Broken for words')
  const dialog = findDialog(page)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByText('Say what happened.').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Northfield Manager')
  expect(await dialog.getByLabel('Email').inputValue()).toBe(manager)
  await dialog.getByLabel('What happened').fill('I opened the zones.')
  collector.answer(500)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await dialog.getByText('The report could not be sent. Try again, or call +1 800 555 0142.').waitFor()
  collector.answer(200)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await page.getByText('Report sent').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  const [event, { contexts }] = await Promise.all([collector.first('event', says('Broken for words')), collector.first('feedback')])
  expect(contexts.feedback).toMatchObject({
    message: 'I opened the zones.',
    name: 'Northfield Manager',
    contact_email: manager,
    associated_event_id: event.event_id,
  })
  await page.reload()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try Again' }).waitFor()
})

test('[ERR-11] the replay of an error follows it, with every text masked', async () => {
  await brokenPage(stack, 'Broken for a replay')
  const event = await collector.first('event', says('Broken for a replay'))
  const replay = await collector.first('replay_event', ({ error_ids }) => error_ids.includes(event.event_id))
  expect(replay.replay_type).toBe('buffer')
  const recording = await collector.first('replay_recording')
  expect(recording).toContain('"tagName":"body"')
  for (const shown of ['Northfield', 'Something went wrong', manager]) expect(recording).not.toContain(shown)
})

test('[ERR-10] breadcrumbs are at most 100 and three levels deep, messages have 250 characters', async () => {
  const page = await stack.page()
  await isLoaded(page)
  await page.evaluate(() => {
    for (let turn = 1; turn <= 130; turn++) console.info(`${turn} ${'x'.repeat(400)}`, { one: { two: { three: 3 } } })
  })
  await throwIn(page, 'y'.repeat(1_000))
  const { exception, breadcrumbs } = await collector.first('event', says('yyy'))
  expect(breadcrumbs).toHaveLength(100)
  expect(exception.values[0].value).toBe(`${'y'.repeat(250)}...`)
  // Calls of the page may end between it and the error.
  const last = breadcrumbs.findLast(({ category }: { category: string }) => category === 'console')
  expect(last.message).toMatch(/^130 x{246}$/)
  expect(last.data.arguments[1]).toEqual({ one: '[Object]' })
})

test('[ERR-10] thirty reports at most are under way at once', async () => {
  const page = await stack.page()
  await isLoaded(page)
  const name = randomUUID()
  collector.hold()
  await page.evaluate(async (words) => {
    for (let turn = 1; turn <= 45; turn++) {
      setTimeout(() => {
        throw new Error(`${words} ${turn}`)
      })
    }
    await new Promise((resolve) => setTimeout(resolve))
  }, name)
  collector.letGo()
  await collector.first('event', says(`${name} 25`))
  await throwIn(page, `the end of ${name}`)
  await collector.first('event', says(`the end of ${name}`))
  const burst = collector.all('event').filter(says(`${name} `))
  expect(burst.length).toBeGreaterThan(20)
  expect(burst.length).toBeLessThanOrEqual(30)
})

test('[ERR-06 ERR-07 ERR-08] an unknown address is reported once a visit, and Report Issue sends words with it', async () => {
  const address = `/codedm/${randomUUID()}`
  const page = await stack.page(manager, address)
  const isIt: Fits = ({ tags }) => tags?.address === address
  const event = await collector.first('event', isIt)
  expect(event).toMatchObject({ message: 'Page not found', level: 'warning', user: { email: manager } })
  await page.getByRole('link', { name: 'Go Home' }).click()
  await page.waitForURL(`${stack.url}/product`)
  await page.goBack()
  await page.getByRole('button', { name: 'Report Issue' }).click()
  await findDialog(page).getByLabel('What happened').fill('The link in my mail.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const { contexts } = await collector.first('feedback', ({ contexts }) => contexts.feedback.associated_event_id === event.event_id)
  expect(contexts.feedback.message).toBe('The link in my mail.')
  expect(collector.all('event').filter(isIt)).toHaveLength(1)
  expect(collector.all('replay_event').filter(({ error_ids }) => error_ids.includes(event.event_id))).toEqual([])
})

test('what the server gets wrong is reported where a screen shows it in place, under its request; what it refuses is not', async () => {
  const page = await stack.page()
  const [refused, broken] = [randomUUID(), randomUUID()]
  const answer = (status: number, instance: string) => {
    const body = JSON.stringify({ type: 'about:blank', title: `Told ${status}`, status, instance })
    return page.route('**/locations/list', (route) => route.fulfill({ status, contentType: 'application/problem+json', body }))
  }
  await answer(403, refused)
  await page.goto(`${stack.url}/codedm/zones`)
  await page.getByRole('alert').getByText('Told 403').waitFor()
  await answer(500, broken)
  await page.getByRole('button', { name: 'Try Again' }).click()
  const event = await collector.first('event', ({ tags }) => tags?.request_id === broken)
  expect(event.tags.call).toBe('listZones')
  expect(collector.all('event').filter(({ tags }) => tags?.request_id === refused)).toEqual([])
})

test('no credential is sent: not in addresses, breadcrumbs, replays or anything else', async () => {
  const page = await stack.page()
  await isLoaded(page)
  await breakZonesPage(page, 'Broken with secrets')
  const secrets = '?invitation=S3CRET-A&code=S3CRET-B&page=2#S3CRET-C'
  await page.goto(`${stack.url}/codedm/zones${secrets}`)
  const { event_id } = await collector.first('event', says('Broken with secrets'))
  await collector.first('replay_event', ({ error_ids }) => error_ids.includes(event_id))
  await page.goto(`${stack.url}/codedm/zone${secrets}`)
  await isLoaded(page)
  const token = await accessToken(stack.url, manager)
  await page.evaluate((bearer) => console.info('sent with', { authorization: `Bearer ${bearer}` }), token)
  await throwIn(page, `refused ${token}`)
  await collector.first('event', says('refused'))
  const sent = collector.sent()
  expect(sent).toContain('/codedm/zones?invitation=[removed]&code=[removed]&page=2#[removed]')
  expect(sent).toContain('refused [removed]')
  expect(sent).not.toMatch(/S3CRET/)
  expect(sent).not.toMatch(/eyJ[\w-]+\.[\w-]+/)
})

test('axe finds nothing in any state, in either look', async () => {
  const page = await brokenPage(stack)
  await findDialog(page).waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await findDialog(page).getByRole('button', { name: 'Send report' }).click()
  await page.getByText('Say what happened.').waitFor()
  expect(await axeInLooks(page)).toEqual([])
  await findDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Copy reference' }).waitFor()
  expect(await axeInLooks(page)).toEqual([])
})
