import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { startLoneStack } from './support/processes/stack.ts'
import { listSteps, take } from './support/readme-steps.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'

const project = fileURLToPath(new URL('..', import.meta.url))
const readme = await readFile(join(project, 'README.md'), 'utf8')
const { stack, pages } = await stackForFile(startLoneStack({ hasFleet: true }))

const hour = readme.slice(readme.indexOf('## The first hour'), readme.indexOf('## The map'))
const find = (text: string, pattern: RegExp) => pattern.exec(text)![1]!
const waiting = { timeout: 60_000, interval: 250 }

test('[SEE-08] the README is short, and has eight commands at most', () => {
  expect(readme.length).toBeLessThanOrEqual(7_000)
  expect(readme.match(/^- /gm)!.length).toBeLessThanOrEqual(10)
  expect(new Set(readme.match(/npm (start|test|run [a-z-]+)/g)).size).toBeLessThanOrEqual(8)
})

test('[SEE-08] the first hour is as the README says, word by word', { timeout: 300_000 }, async () => {
  const [first, ...steps] = listSteps(hour)
  const [, account, rest] = /^Sign in as `(.+?)` and (.+)$/.exec(first!)!
  const isByHand = () => stack.sql('select from rollout_phase where number = 2 and started_at is not null and done_at is not null')
  await expect.poll(isByHand, waiting).toHaveLength(1)
  const page = await pages.open('/product', account)
  // A browser without a save dialog of its own for pages, such as Firefox or Safari.
  await page.addInitScript('delete window.showOpenFilePicker; delete window.showSaveFilePicker')
  await page.reload()
  await take(page, rest!)
  const last = steps.pop()!
  for (const step of steps) await take(page, step)
  const [, press, command] = /^(Press _Location file for .+?_), (save the file in this folder, and run:)$/.exec(last)!
  expect(command).toBeTruthy()
  await runHostPc(page, press!)
})

test('the others see what the README says of them', async () => {
  const onlooker = await pages.open('/codedm/rollouts', find(hour, /`(member@.+?)` may not publish/))
  const tabs = onlooker.getByRole('navigation', { name: 'Device Management' }).getByRole('link')
  await expect.poll(() => tabs.allInnerTexts(), waiting).toContain('Rollouts')
  expect(await tabs.allInnerTexts()).not.toContain('Configure')
  const other = await pages.open('/codedm/rollouts', find(hour, /`(manager@harborline.+?)` belongs/))
  await other.getByText('Nothing has been published yet.').waitFor()
  const newcomer = await pages.open('/product', find(hour, /`(new@.+?)` has yet/))
  await newcomer
    .getByRole('textbox', { name: 'Company name' })
    .or(newcomer.getByRole('textbox', { name: 'First name' }))
    .waitFor()
  const staff = await pages.open('/admin/organizations', find(hour, /`(staff@.+?)` is the vendor/))
  await staff.getByText('Northfield Regional Health').first().waitFor()
})

/** Runs the README's commands as they are, in a folder with the file that `press` downloads. */
async function runHostPc(page: Page, step: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-readme-'))
  // `npx` finds the program in the project's own packages, as the README has it.
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const start = (command: string) => {
    const child = spawn(command.replace('http://localhost:3000', stack.url), {
      cwd: folder,
      shell: true,
      detached: true,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const read = (text: string) => {
      output += text
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
    return { closed: once(child, 'close').then(() => output), end: () => process.kill(-child.pid!, 'SIGTERM') }
  }
  const [enroll, run] = find(hour, /```sh\n([\s\S]+?)```/)
    .trim()
    .split('\n') as [string, string]
  const [status, stopReaders] = [find(hour, /`(npx lectern-agent status .+?)`/), find(hour, /`(npx lectern-agent stop-readers .+?)`/)]
  onTestFinished(async () => {
    await start(stopReaders).closed
    await rm(folder, { recursive: true, force: true })
  })

  const downloading = page.waitForEvent('download')
  await take(page, step)
  await (await downloading).saveAs(join(folder, 'Location.ctxdm'))

  expect(await start(enroll).closed).toContain('in the zone Of my own')
  const agent = start(run)
  const readers = Number(find(run, /--readers (\d+)/))
  await expect
    .poll(() => stack.sql("select from device where simulated and zone_id = (select id from zone where name = 'Of my own')"), waiting)
    .toHaveLength(readers)
  expect(await start(status).closed).toContain(`${readers} readers`)
  agent.end()
  await agent.closed
  expect(await start(stopReaders).closed).toContain('The simulated readers have ended.')
}

test('what the recipe makes is ignored by git', async () => {
  const ignored = spawn('git', ['check-ignore', 'Location.ctxdm', 'host/status.json'], { cwd: project })
  expect(await once(ignored, 'close')).toEqual([0, null])
})
