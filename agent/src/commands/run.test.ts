import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

test('[AGT-04] run without a driver says which there are, and ends with 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'run', '--state', newFolder()], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: [
      'Choose how readers are attached:',
      '  --driver serial     readers on serial ports of this PC',
      '  --driver simulated  readers that do not exist, for trying out',
      '',
    ].join('\n'),
  })
})

const enrollment = {
  server: 'https://portal.example',
  zoneId: '0198c0de-0001-7000-8000-000000000001',
  credential: 'c',
  hostId: 'h',
  hostName: 'NRH-01',
  zoneName: 'ICU 3',
  organizationId: 'o',
}

/** Starts the agent on a state folder with these files. */
function start(files: Record<string, string | null>) {
  const state = newFolder()
  for (const [name, text] of Object.entries(files)) {
    if (text === null) mkdirSync(join(state, name))
    else writeFileSync(join(state, name), text)
  }
  const { status, stderr } = spawnSync(process.execPath, [program, 'run', '--driver', 'serial', '--state', state], { encoding: 'utf8' })
  return { status, stderr: stderr.replaceAll(state, 'STATE') }
}

test.for<[string, Record<string, string | null>, string]>([
  ['a damaged enrollment', { 'enrolment.json': '{' }, 'STATE/enrolment.json is damaged. Enroll again with --replace.\n'],
  [
    'an enrollment of a newer agent',
    { 'enrolment.json': JSON.stringify({ ...enrollment, version: 2 }) },
    'A newer agent wrote STATE/enrolment.json. Install that agent again, or enroll with --replace.\n',
  ],
  [
    'a folder in the place of the journal',
    { 'enrolment.json': JSON.stringify(enrollment), 'journal.jsonl': null },
    'Something else has the name STATE/journal.jsonl. Move it away, then start the agent again.\n',
  ],
])('[AGT-10] a start with %s names the file and the remedy, without a stack, and ends with 7', ([, files, stderr]) => {
  expect(start(files)).toEqual({ status: 7, stderr })
})

test('[AGT-13] an enrollment of before that was not encrypted ends with the command that goes on, and sends nothing', () => {
  expect(start({ 'enrolment.json': JSON.stringify({ ...enrollment, server: 'http://portal.example' }) })).toEqual({
    status: 2,
    stderr:
      'The connection to http://portal.example would not be encrypted. Enroll with the https address of the portal. Where the network is protected otherwise, enroll with --allow-http.\n',
  })
})

test.skipIf(process.platform === 'win32')('a state folder that others may write is refused, with what takes that from them', () => {
  const state = newFolder()
  writeFileSync(join(state, 'enrolment.json'), JSON.stringify(enrollment))
  chmodSync(state, 0o770)
  const { status, stderr } = spawnSync(process.execPath, [program, 'run', '--driver', 'serial', '--state', state], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 7,
    stderr: `Others may write to ${state}. Take that from them first: chmod go-w ${state}\n`,
  })
})

/** Ends when its input ends. */
async function runUntilInputEnds(state: string) {
  const flags = ['--driver', 'simulated', '--readers', '0', '--until-input-ends', '--state', state]
  const agent = spawn(process.execPath, [program, 'run', ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [log] = await once(agent.stdout.setEncoding('utf8'), 'data')
  agent.stdin.end()
  const [code] = await once(agent, 'exit')
  spawnSync(process.execPath, [program, 'stop-readers', '--state', state])
  return { code, log: String(log).slice(20) }
}

test('a service that cannot send a signal ends the agent by closing its input', async () => {
  const state = newFolder()
  writeFileSync(join(state, 'enrolment.json'), JSON.stringify({ ...enrollment, server: 'https://127.0.0.1:9' }))
  const { code, log } = await runUntilInputEnds(state)
  expect({ code, isRunning: log.includes('NRH-01 in the zone ICU 3') }).toEqual({ code: 0, isRunning: true })
})

const isRoot = process.geteuid?.() === 0
const [nobody, daemon] = [65_534, 1]

test.skipIf(!isRoot)('started by root, the agent works as the owner of its state folder', async () => {
  const state = newFolder()
  writeFileSync(join(state, 'enrolment.json'), JSON.stringify({ ...enrollment, server: 'https://127.0.0.1:9' }))
  for (const path of [state, join(state, 'enrolment.json')]) chownSync(path, nobody, nobody)
  await runUntilInputEnds(state)
  const owners = readdirSync(state).map((name) => [name, statSync(join(state, name)).uid])
  expect(owners.length).toBeGreaterThan(1)
  expect(new Set(owners.map(([, uid]) => uid))).toEqual(new Set([nobody]))
})

test.skipIf(!isRoot).each([['status'], ['run', '--driver', 'simulated'], ['licence', program]])(
  '[AGT-08] as root, "%s" reads nothing of a state folder before it is its owner',
  (...command) => {
    const [state, secrets] = [newFolder(), newFolder()]
    writeFileSync(join(secrets, 'enrolment.json'), JSON.stringify(enrollment), { mode: 0o600 })
    writeFileSync(join(secrets, 'vendor-keys.json'), '{}', { mode: 0o600 })
    for (const name of ['enrolment.json', 'vendor-keys.json']) symlinkSync(join(secrets, name), join(state, name))

    chownSync(state, nobody, nobody)
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...command, '--state', state], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      status: 7,
      stdout: '',
      stderr: expect.stringMatching(/^This account may not use .*\. Run the agent under the account that enrolled this PC/),
    })
  },
)

test.skipIf(!isRoot)(
  '[AGT-08] a state folder that is a symbolic link of another account is refused; one of root or of the owner is not',
  () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'enrolment.json'), JSON.stringify(enrollment))
    for (const path of [folder, join(folder, 'enrolment.json')]) chownSync(path, nobody, nobody)
    const through = (owner: number, command: string[]) => {
      const links = newFolder()
      chmodSync(links, 0o755)
      const state = join(links, 'state')
      symlinkSync(folder, state)
      lchownSync(state, owner, owner)
      const { status, stderr } = spawnSync(process.execPath, [program, ...command, '--state', state], { encoding: 'utf8' })
      return { status, stderr: stderr.replace(state, 'STATE') }
    }
    const refused = { status: 7, stderr: 'STATE is a symbolic link of another account. Name the folder itself with --state.\n' }
    expect(through(daemon, ['status'])).toEqual(refused)
    expect(through(daemon, ['run', '--driver', 'simulated'])).toEqual(refused)
    for (const owner of [0, nobody]) expect(through(owner, ['status'])).toEqual({ status: 0, stderr: '' })
  },
)
