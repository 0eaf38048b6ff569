import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Enrollment } from '@lectern/contract/hosts.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { credentialHash, readEnrollment } from '../state/enrollment.ts'
import { folderAt } from '../state/folder.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { json, problem, type ReceivedCall, startPeer } from '../testing/peer.ts'
import { type EnrollOptions, enroll } from './enroll.ts'

const zoneId = '0198c0de-0001-7000-8000-000000000001'
const never = new AbortController().signal
const enrolled = { hostId: 'host', organizationId: 'organization', zoneName: 'ICU 3' }

function locationFile(text = zoneId): string {
  const file = join(newFolder(), 'Location.ctxdm')
  writeFileSync(file, text)
  return file
}

const options = (server: string, more: Partial<EnrollOptions> = {}): EnrollOptions => ({
  state: newFolder(),
  server,
  licence: 'LEC-1',
  vendorKey: null,
  name: 'NRH-01',
  timeZone: null,
  replace: false,
  agentVersion: '0.1.0',
  ...more,
})

const hashIn = (call: ReceivedCall | undefined) => (call?.body as Enrollment | undefined)?.credentialHash

test('the licence opens the zone, and the server gets the hash of a credential that only this account can read', async () => {
  const log = memoryLog()
  const peer = await startPeer((_call, response) => json(response, 200, enrolled))
  const given = options(`${peer.url}/`)
  await enroll(locationFile(`${zoneId}\r\n`), given, log, never)
  const kept = await readEnrollment(folderAt(given.state))
  expect(peer.calls[0]).toMatchObject({
    path: '/api/agent/enroll',
    headers: { authorization: 'Bearer LEC-1' },
    body: { zoneId, hostName: 'NRH-01' },
  })
  expect(kept).toMatchObject({ ...enrolled, server: peer.url, zoneId })
  expect(Buffer.from(kept!.credential, 'base64url')).toHaveLength(32)
  expect(hashIn(peer.calls[0])).toBe(credentialHash(kept!.credential))
  expect(JSON.stringify(peer.calls)).not.toContain(kept!.credential)
  expect(log.lines.join()).not.toContain(kept!.credential)
  expect(statSync(folderAt(given.state).enrollment).mode & 0o777).toBe(0o600)
})

test('the credential is on disk before the server receives it, and an enrollment whose answer was lost goes on with the same one', async () => {
  const given = options('')
  let isFirst = true
  const killed = new AbortController()
  const peer = await startPeer((call, response) => {
    const pending = JSON.parse(readFileSync(folderAt(given.state).enrolling, 'utf8'))
    expect(credentialHash(pending.credential)).toBe(hashIn(call))
    if (isFirst) {
      response.destroy()
      killed.abort()
    } else json(response, 200, enrolled)
    isFirst = false
  })
  await expect(enroll(locationFile(), { ...given, server: peer.url }, memoryLog(), killed.signal)).rejects.toMatchObject({ exitCode: 6 })
  await enroll(locationFile(), { ...given, server: peer.url }, memoryLog(), never)
  await enroll(locationFile(), { ...given, server: peer.url }, memoryLog(), never)
  expect(new Set(peer.calls.map(hashIn)).size).toBe(1)
  expect(existsSync(folderAt(given.state).enrolling)).toBe(false)
})

test('a server that is busy is asked again when it said, not before', async () => {
  const peer = await startPeer((_call, response) => {
    if (peer.calls.length > 1) return json(response, 200, enrolled)
    response.setHeader('retry-after', '30')
    json(response, 429, problem(429, 'Too many at once.'))
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const done = enroll(locationFile(), options(peer.url), memoryLog(), never)
  while (vi.getTimerCount() === 0) await new Promise(setImmediate)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(peer.calls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  await done
  expect(peer.calls).toHaveLength(2)
})

test('a refusal is in the words of the server and leaves the previous enrollment as it was', async () => {
  let status = 200
  const peer = await startPeer((_call, response) =>
    status === 200 ? json(response, 200, enrolled) : json(response, status, problem(status, 'This credential was used before.')),
  )
  const given = options(peer.url)
  await enroll(locationFile(), given, memoryLog(), never)
  const before = await readEnrollment(folderAt(given.state))
  status = 409
  await expect(enroll(locationFile(), given, memoryLog(), never)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/This credential was used before.*--replace/),
  })
  expect(await readEnrollment(folderAt(given.state))).toEqual(before)
  status = 200
  await enroll(locationFile(), { ...given, replace: true }, memoryLog(), never)
  expect((await readEnrollment(folderAt(given.state)))?.credential).not.toBe(before?.credential)
})

test('another zone needs --replace, the same zone at a new address does not', async () => {
  const [peer, moved] = await Promise.all([1, 2].map(() => startPeer((_call, response) => json(response, 200, enrolled))))
  const given = options(peer!.url)
  await enroll(locationFile(), given, memoryLog(), never)
  const { credential } = (await readEnrollment(folderAt(given.state)))!
  const other = locationFile('0198c0de-0001-7000-8000-000000000002')
  await expect(enroll(other, given, memoryLog(), never)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('ICU 3') })
  await enroll(locationFile(), { ...given, server: moved!.url }, memoryLog(), never)
  expect(await readEnrollment(folderAt(given.state))).toMatchObject({ credential, server: moved!.url })
})

test('[AGT-13] an enrollment has a version, and keeps fields of a newer agent when it goes on', async () => {
  const peer = await startPeer((_call, response) => json(response, 200, enrolled))
  const given = options(peer.url)
  const file = folderAt(given.state).enrollment
  const read = () => JSON.parse(readFileSync(file, 'utf8'))
  await enroll(locationFile(), given, memoryLog(), never)
  expect(read()).toMatchObject({ version: 1, allowHttp: false })
  writeFileSync(file, JSON.stringify({ ...read(), newer: 'kept' }))
  await enroll(locationFile(), { ...given, name: 'NRH-02' }, memoryLog(), never)
  expect(read()).toMatchObject({ version: 1, hostName: 'NRH-02', newer: 'kept' })
  await enroll(locationFile(), { ...given, replace: true }, memoryLog(), never)
  expect(read()).not.toHaveProperty('newer')
})

test('[AGT-13] an enrollment that goes on keeps what it had, also when its answer was lost before', async () => {
  let isUp = true
  const peer = await startPeer((_call, response) => (isUp ? json(response, 200, enrolled) : response.destroy()))
  const open = peer.url.replace('127.0.0.1', '0.0.0.0')
  const given = options(open)
  const file = folderAt(given.state).enrollment
  await enroll(locationFile(), { ...given, allowHttp: true }, memoryLog(), never)
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), newer: 'kept' }))
  isUp = false
  const ended = AbortSignal.abort()
  await expect(enroll(locationFile(), given, memoryLog(), ended)).rejects.toMatchObject({ exitCode: 6 })
  isUp = true
  await enroll(locationFile(), given, memoryLog(), never)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ allowHttp: true, newer: 'kept' })
})

test('[AGT-13] --allow-http is kept only for an address without encryption, and else warns of nothing', async () => {
  const log = memoryLog()
  const peer = await startPeer((_call, response) => json(response, 200, enrolled))
  const given = options(peer.url, { allowHttp: true })
  await enroll(locationFile(), given, log, never)
  expect(log.lines.join()).not.toContain('not encrypted')
  expect(await readEnrollment(folderAt(given.state))).toMatchObject({ allowHttp: false })
})

test('[AGT-10] a file that cannot be stored ends an enrollment with the file and the remedy', async () => {
  const peer = await startPeer((_call, response) => json(response, 200, enrolled))
  const given = options(peer.url)
  mkdirSync(join(given.state, 'enrolment.json', 'in the way'), { recursive: true })
  await expect(enroll(locationFile(), { ...given, replace: true }, memoryLog(), never)).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(/Move it away, then start the agent again\.$/),
  })
})

test('[AGT-13] an address without encryption is refused before anything is sent, unless that is allowed, which is kept', async () => {
  const peer = await startPeer((_call, response) => json(response, 200, enrolled))
  // All interfaces: the address of this PC that is not of loopback.
  const open = peer.url.replace('127.0.0.1', '0.0.0.0')
  const given = options(open)
  await expect(enroll(locationFile(), given, memoryLog(), never)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('enroll with --allow-http'),
  })
  expect(peer.calls).toEqual([])
  const log = memoryLog()
  await enroll(locationFile(), { ...given, allowHttp: true }, log, never)
  expect(log.lines.at(-1)).toBe(`Warning: The connection to ${open} is not encrypted. Use https where you can.`)
  await enroll(locationFile(), given, memoryLog(), never)
  expect(peer.calls).toHaveLength(2)
  expect(await readEnrollment(folderAt(given.state))).toMatchObject({ allowHttp: true })
})

test.for([
  ['a location file that is not there', () => join(newFolder(), 'none'), {}, 'cannot be read'],
  ['an empty location file', () => locationFile(' \n'), {}, 'is empty'],
  ['a file of something else', () => locationFile('<html>'), {}, 'no location file'],
  ['an address that is none', () => locationFile(), { server: 'lectern.example' }, 'no server address'],
  ['a time zone that is none', () => locationFile(), { timeZone: 'Berlin' }, 'no time zone'],
] as const)('%s is refused, with a reason, before the server is asked', async ([, file, more, message]) => {
  await expect(enroll(file(), options('http://127.0.0.1:9', more), memoryLog(), never)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
  })
})
