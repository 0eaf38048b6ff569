import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { axeFindings } from './support/axe.ts'
import { hasPseudoTerminals, startSerialReader } from './support/processes/serial-reader.ts'
import { licence, startStack } from './support/processes/stack.ts'
import { stackForFile } from './support/screens/stack-for-file.ts'
import { create } from './support/screens/zone-screen.ts'

const files = await mkdtemp(join(tmpdir(), 'lectern-files-'))
const debian = 'lectern-agent_1.2.3_amd64.deb'
const windows = 'lectern-agent-1.2.3-win-x64.zip'
const hash = 'ab'.repeat(32)
await writeFile(join(files, debian), 'a package')
await writeFile(
  join(files, 'manifest.json'),
  JSON.stringify({
    version: '1.2.3',
    files: [
      { name: debian, bytes: 9, sha256: hash },
      { name: windows, bytes: 40_300_000, sha256: hash },
      { name: 'InRelease', bytes: 1, sha256: hash },
    ],
  }),
)
const { stack, pages } = await stackForFile(startStack({ env: { AGENT_FILES: files } }))
afterAll(() => rm(files, { recursive: true }))
const installed = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))

/** A PC with Node and the app on its path, and a folder that its commands run in. */
async function newHostPc() {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-host-'))
  const path = [dirname(process.execPath), installed, process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, XDG_STATE_HOME: folder, LECTERN_READERS_IDLE_SECONDS: '300' }
  // A process group of its own, so that the shell and what it started can be ended together.
  const start = (command: string) => {
    const child = spawn(command, { cwd: folder, env, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const read = (text: string) => {
      output += text
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
    const closed = once(child, 'close').then(([code]) => ({ code: code as number | null, output }))
    const end = () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
      return closed
    }
    return { end, closed }
  }
  const command = (line: string) => start(line).closed
  onTestFinished(async () => {
    await command('lectern-agent stop-readers')
    await rm(folder, { recursive: true, force: true })
  })
  return { folder, start, command }
}

/** The page's commands for a system, from the first to the last. */
async function readCommands(page: Page, system: 'Debian, Ubuntu' | 'Windows' | 'By hand'): Promise<string[]> {
  await page.goto(`${stack.url}/codedm/installation-instructions`)
  await page.getByRole('link', { name: debian }).waitFor()
  await page.getByRole('radio', { name: system }).click()
  return page.getByRole('main').locator('code').allTextContents()
}

const zoneRow = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

async function createZone(page: Page, name: string, folder: string): Promise<void> {
  // A browser without a save dialog of its own for pages, such as Firefox or Safari.
  await page.addInitScript('delete window.showOpenFilePicker; delete window.showSaveFilePicker')
  await page.goto(`${stack.url}/codedm/zones`)
  await create(page, name)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: `Location file for ${name}` }).click()
  await (await downloading).saveAs(join(folder, 'Location.ctxdm'))
}

async function waitForHost(page: Page, zone: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto(`${stack.url}/codedm/zones`)
      return (await zoneRow(page, zone).textContent())?.includes('1 of 1')
    })
    .toBe(true)
}

test.skipIf(!hasPseudoTerminals)(
  '[AGT-05] [SER-01] the installation page, followed line by line, brings a reader on a serial port to the portal; simulated ones say what they are',
  async () => {
    const reader = await startSerialReader('27P7700019')
    onTestFinished(() => reader.remove())
    const { folder, start, command } = await newHostPc()
    const page = await pages.open('/codedm/zones')
    await createZone(page, 'Followed', folder)
    const commands = await readCommands(page, 'By hand')
    expect(commands).toEqual([
      `lectern-agent enroll Location.ctxdm --server ${stack.url} --licence NUMBER`,
      'lectern-agent run --driver serial --port PORT',
      'lectern-agent status',
      'lectern-agent run --driver simulated --readers 5',
      'lectern-agent stop-readers',
      'lectern-agent enroll --from FOLDER',
    ])
    const [enroll, run, status, simulate, stopReaders] = commands as [string, string, string, string, string]

    expect(await command(enroll.replace('NUMBER', licence))).toMatchObject({
      code: 0,
      output: expect.stringContaining('in the zone Followed'),
    })
    const serial = start(run.replace('PORT', reader.port))
    await waitForHost(page, 'Followed')
    expect(await zoneRow(page, 'Followed').textContent()).not.toContain('Simulated')
    // What the host PC may send, and where that is published.
    await zoneRow(page, 'Followed')
      .getByRole('button', { name: /online in Followed/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Host PCs of Followed' })
    await dialog.getByText(`CR2700 27P7700019, dialect "commands".`).waitFor()
    await dialog.getByText('Dialect “commands”: lists readers, can give them commands').click()
    await dialog.getByText(/^RDRRGMD: Asks for the model\. CR2700 Configuration Guide D036890_01, p\. 14, .* \(Guide\)\.$/).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    const { output } = await command(status)
    for (const part of [/^Zone: +Followed /m, /^Driver: +serial$/m, /^Last check-in: .*, 1 reader$/m]) expect(output).toMatch(part)
    await page.goto(`${stack.url}/codedm/device-dashboard?search=27P7700019`)
    await page.getByRole('link', { name: '27P7700019' }).waitFor()
    expect((await serial.end()).output).toContain('driver serial')

    const simulated = start(simulate)
    await expect
      .poll(() => stack.sql("select from device where simulated and zone_id = (select id from zone where name = 'Followed')"), {
        timeout: 30_000,
      })
      .toHaveLength(5)
    await waitForHost(page, 'Followed')
    await zoneRow(page, 'Followed').getByText('Simulated').waitFor()
    await simulated.end()
    expect(await command(stopReaders)).toEqual({ code: 0, output: 'The simulated readers have ended.\n' })
  },
)

test('[AGT-12] the page offers the packages with their hashes, and one command for each system, for one PC and for hundreds', async () => {
  const page = await pages.open('/codedm/installation-instructions')
  const address = `${stack.url}/api/agent-files/`
  const enroll = `enroll Location.ctxdm --server ${stack.url} --licence licence.txt`
  expect(await readCommands(page, 'Debian, Ubuntu')).toEqual([
    `curl -fsSo lectern-agent.deb --retry 20 ${address}lectern-agent.deb && apt-get install -y ./lectern-agent.deb && lectern-agent ${enroll} && systemctl start lectern-agent`,
    `deb [signed-by=/etc/apt/keyrings/lectern-agent.asc] ${address} /`,
    `curl -fsSo /etc/apt/keyrings/lectern-agent.asc ${address}lectern-agent.asc`,
    'PORTS="--port /dev/ttyS0"',
    'lectern-agent status',
  ])
  const main = page.getByRole('main')
  const words = async () => (await main.textContent())?.replace(/\s+/g, ' ')
  expect(await words()).toContain(`${debian} for Debian and Ubuntu, 1 MB`)
  expect(await words()).toContain(`${windows} for Windows, 41 MBSHA-256 ${hash}`)
  expect(await words()).toContain('Repeated, it changes nothing and ends with 0, and a newer package upgrades.')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: debian }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toBe('a package')
  expect(await axeFindings(page)).toEqual([])
  const folder = '%ProgramFiles%\\Lectern Agent Setup'
  const program = '"%ProgramFiles%\\Lectern Agent\\lectern-agent.exe"'
  expect(await readCommands(page, 'Windows')).toEqual([
    `curl -fsSo lectern-agent.zip --retry 20 ${address}lectern-agent-windows.zip && (if not exist "${folder}" mkdir "${folder}") && tar -xf lectern-agent.zip -C "${folder}" && "${folder}\\lectern-agent.exe" service install && ${program} ${enroll} && ${program} service start`,
    `${program} service install --port COM5`,
    `${program} status`,
  ])
  expect(await words()).toContain('Neither it nor this command was tried on Windows itself')
})
