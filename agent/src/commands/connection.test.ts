import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderAt } from '../state/folder.ts'
import { type Identity, makeAuthority } from '../testing/certificates.ts'
import { runCommand, startAgent } from '../testing/command-line.ts'
import { newFolder } from '../testing/folder.ts'
import { json, type ReceivedCall, startPeer } from '../testing/peer.ts'
import { startProxy } from '../testing/proxy.ts'
import { makeDesired } from '../testing/publications.ts'

const zoneId = '0198c0de-0001-7000-8000-000000000001'
const authority = makeAuthority('Hospital Root')
const portalIdentity = authority.issue(['portal.example', '127.0.0.1'])

function answerAsPortal({ path }: ReceivedCall, response: ServerResponse): void {
  if (path === '/api/agent/enroll') json(response, 200, { hostId: 'host', organizationId: 'organization', zoneName: 'ICU 3' })
  else if (path === '/api/agent/check-in') json(response, 200, { accepted: 0, refused: [], sequence: 1 })
  else if (path.startsWith('/api/agent/desired')) json(response, 200, makeDesired({}))
  else if (path === '/api/agent/events') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  else response.writeHead(204).end()
}

const startPortal = (identity: Identity | undefined = portalIdentity) => startPeer(answerAsPortal, identity)

function write(text: string | Uint8Array, name = 'file'): string {
  const file = join(newFolder(), name)
  writeFileSync(file, text)
  return file
}

const caFile = () => write(authority.certificate, 'hospital.pem')

/** `enroll` of a PC with these flags. The portal is `https://portal.example`, unless it is another. */
function newPc(server = 'https://portal.example') {
  const state = newFolder()
  const location = write(zoneId, 'Location.ctxdm')
  const command = ['enroll', location, '--licence', 'LEC-1', '--name', 'NRH-01', '--state', state]
  return {
    state,
    enrollment: () => JSON.parse(readFileSync(folderAt(state).enrollment, 'utf8')),
    enroll: (args: string[], around: Parameters<typeof runCommand>[1] = {}) =>
      runCommand([...command, '--server', server, ...args], around),
    status: async () => (await runCommand(['status', '--state', state])).output,
    hasCheckedIn: () => existsSync(folderAt(state).status),
  }
}

test('[AGT-07] a proxy that is named at enrollment, with a password from a file, carries every call, and its password is shown nowhere', async () => {
  const portal = await startPortal()
  const proxy = await startProxy(portal.url, { signIn: 'agent:p@ss:w/ö%rd' })
  const pc = newPc()
  const password = write('p@ss:w/ö%rd\r\n')
  const named = ['--ca', caFile(), '--proxy', `http://agent@${proxy.name}`, '--proxy-password-file', password]
  const enrolled = await pc.enroll(named)
  expect(enrolled).toMatchObject({ code: 0, output: expect.stringContaining('This PC is enrolled as NRH-01 in the zone ICU 3') })
  rmSync(password)
  const agent = startAgent(pc.state)
  await expect.poll(pc.hasCheckedIn).toBe(true)
  await expect.poll(() => portal.calls.map(({ path }) => path)).toContain('/api/agent/events')
  expect(new Set(proxy.calls)).toEqual(new Set(['CONNECT portal.example:443']))
  expect(agent.output()).toContain(`in the zone ICU 3, https://portal.example through the proxy ${proxy.name}, time zone`)
  const shown = [enrolled.output, agent.output(), await pc.status()].join()
  expect(shown).toContain(`Server:         https://portal.example through the proxy ${proxy.name}\n`)
  expect(shown).not.toMatch(/w\/ö|p@ss|p%40ss|agent:|agent@/)
  expect(pc.enrollment().proxy).toEqual({ address: `http://${proxy.name}`, user: 'agent', password: 'p@ss:w/ö%rd' })
  if (process.platform !== 'win32') expect(statSync(folderAt(pc.state).enrollment).mode & 0o777).toBe(0o600)
})

test('[AGT-07] the password of a proxy may come from the standard input', async () => {
  const portal = await startPortal()
  const proxy = await startProxy(portal.url, { signIn: 'agent:secret' })
  const flags = ['--ca', caFile(), '--proxy', `agent@${proxy.name}`, '--proxy-password-file', '-']
  expect(await newPc().enroll(flags, { input: 'secret\n' })).toMatchObject({ code: 0 })
})

const refusal = "A proxy's password is not taken on the command line"

test.for<[string, string[], string]>([
  ['in the address', ['--proxy', 'http://agent:hush-1234@proxy.example:3128'], refusal],
  ['in an address without a scheme', ['--proxy', 'agent:hush-1234@proxy.example:3128'], refusal],
  ['as an argument', ['--proxy', 'http://proxy.example', '--proxy-password', 'hush-1234'], refusal],
  ['in place of its file', ['--proxy', 'http://a@proxy.example', '--proxy-password-file', 'hush-1234'], 'cannot be read (ENOENT)'],
  ['in an address that is none', ['--proxy', 'socks5://a:hush-1234@proxy.example'], '--proxy is no address of a proxy'],
  ['without a user', ['--proxy', 'http://proxy.example', '--proxy-password-file', '-'], 'The password is for a user.'],
  ['without a proxy', ['--proxy-password-file', '-'], 'A password is for a proxy that is named.'],
])('[AGT-07] the password of a proxy %s is refused with the reason, and is not repeated', async ([, flags, reason]) => {
  const pc = newPc()
  const { code, output } = await pc.enroll(flags, { input: 'hush-1234' })
  expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(reason) })
  expect(output).not.toContain('hush')
  expect(existsSync(folderAt(pc.state).enrolling)).toBe(false)
})

test('[AGT-07] an enrollment that goes on keeps proxy and authorities until they are named no longer', async () => {
  const portal = await startPortal()
  const [proxy, other] = [await startProxy(portal.url), await startProxy(portal.url)]
  const pc = newPc()
  await pc.enroll(['--ca', caFile(), '--proxy', proxy.name])
  const before = pc.enrollment()
  expect(await pc.enroll([])).toMatchObject({ code: 0 })
  expect(pc.enrollment()).toEqual(before)
  // A new host PC at the same place has the same way to the portal.
  expect(await pc.enroll(['--replace'])).toMatchObject({ code: 0 })
  expect(pc.enrollment()).toMatchObject({ proxy: before.proxy, ca: before.ca })
  // What is named wins over the environment.
  expect(await pc.enroll([], { env: { HTTPS_PROXY: other.name, NO_PROXY: '*' } })).toMatchObject({ code: 0 })
  expect(other.calls).toEqual([])
  const { code, output } = await pc.enroll(['--no-proxy'], { env: { HTTPS_PROXY: other.name } })
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(
      `through the proxy ${other.name} of the environment, which a service may not have. Give --proxy to keep it.`,
    ),
  })
  expect(other.calls).toEqual(['CONNECT portal.example:443'])
  expect(pc.enrollment()).not.toHaveProperty('proxy')
  expect(await pc.enroll(['--no-ca', '--proxy', proxy.name])).toMatchObject({ code: 6, output: expect.stringContaining('does not trust') })
})

test('[AGT-07] the proxy of the environment is used, its password is not shown, and status names it after a check-in', async () => {
  const portal = await startPortal()
  const proxy = await startProxy(portal.url, { signIn: 'agent:secret' })
  const env = { https_proxy: `http://agent:secret@${proxy.name}` }
  const pc = newPc()
  const enrolled = await pc.enroll(['--ca', caFile()], { env })
  expect(enrolled.code).toBe(0)
  expect(await pc.status()).not.toContain('proxy')
  const agent = startAgent(pc.state, [], { env })
  await expect.poll(pc.hasCheckedIn).toBe(true)
  const status = await pc.status()
  expect(status).toContain(`Server:         https://portal.example through the proxy ${proxy.name}\n`)
  expect([enrolled.output, agent.output(), status].join()).not.toContain('secret')
  expect(readFileSync(folderAt(pc.state).enrollment, 'utf8')).not.toContain('secret')
})

test('[AGT-07] a variable of the PC that is no proxy does not end an agent that is enrolled', async () => {
  const portal = await startPeer(answerAsPortal)
  const pc = newPc(portal.url)
  expect(await pc.enroll(['--allow-http'])).toMatchObject({ code: 0 })
  const { server, ...rest } = pc.enrollment()
  expect(server).toBe(portal.url)
  writeFileSync(folderAt(pc.state).enrollment, JSON.stringify({ ...rest, server: 'http://portal.example', allowHttp: true }))
  const agent = startAgent(pc.state, [], { env: { HTTP_PROXY: 'socks5://a:hush@p.example' } })
  await expect.poll(agent.output).toContain('The agent goes on without it.')
  await expect.poll(agent.output).toContain('http://portal.example, time zone')
  expect(agent.output()).not.toContain('hush')
})

test('[AGT-07] an authority is trusted from the store of the PC, or from --ca, whose file may go', async () => {
  const portal = await startPortal()
  const store = { SSL_CERT_FILE: caFile() }
  if (process.platform === 'linux') expect(await newPc(portal.url).enroll([], { env: store })).toMatchObject({ code: 0 })
  const pc = newPc(portal.url)
  const der = Buffer.from(authority.certificate.replace(/-----.*-----|\n/g, ''), 'base64')
  const file = write(der, 'hospital.cer')
  expect(await pc.enroll(['--ca', file])).toMatchObject({ code: 0 })
  rmSync(file)
  startAgent(pc.state)
  await expect.poll(pc.hasCheckedIn).toBe(true)
  // It runs as asked, unless what is asked is another authority.
  const own = write(der, 'again.cer')
  expect(await pc.enroll(['--ca', own])).toMatchObject({ code: 0, output: expect.stringContaining('Nothing is changed.') })
  expect(await pc.enroll([])).toMatchObject({ code: 0, output: expect.stringContaining('Nothing is changed.') })
  expect(await pc.enroll(['--ca', write(makeAuthority('Other').certificate)])).toMatchObject({ code: 5 })
  expect(await pc.enroll(['--no-ca'])).toMatchObject({ code: 5 })
  expect(await pc.enroll(['--proxy', '127.0.0.1:9'])).toMatchObject({ code: 5 })
  // Several in one file, with texts between.
  const bundle = write(`# ours\n${makeAuthority('Other').certificate}\nHospital\n${authority.certificate}`)
  expect(await newPc(portal.url).enroll(['--ca', bundle])).toMatchObject({ code: 0 })
  expect(await newPc(portal.url).enroll(['--ca', write('none')])).toEqual({
    code: 2,
    output: expect.stringMatching(/has no certificate, or a damaged one\. Give the authority's certificate as PEM or DER/),
  })
})

/** Enrolls, and expects that it ends with 6 and this sentence, without a word about Node. */
async function expectFault(server: string, flags: string[], sentence: string | RegExp): Promise<void> {
  const { code, output } = await newPc(server).enroll(flags)
  expect({ code, output }).toEqual({ code: 6, output: expect.stringMatching(sentence) })
  expect(output).not.toMatch(/node|--use-|ERR_|openssl/i)
}

test('[AGT-07] a certificate of yesterday, of a stranger or for another name has a sentence of its own with the remedy', async () => {
  const ended = await startPortal(authority.issue(['127.0.0.1'], { from: -30, until: -1 }))
  const early = await startPortal(authority.issue(['127.0.0.1'], { from: 1, until: 2 }))
  const stranger = await startPortal(makeAuthority('Interceptor').issue(['127.0.0.1']))
  const named = await startPortal(authority.issue(['lectern.hospital.example', 'other.example']))
  const plain = await startPeer(answerAsPortal)
  const ca = ['--ca', caFile()]
  const host = (url: string) => new URL(url).host
  await Promise.all([
    expectFault(
      ended.url,
      ca,
      `^The certificate of ${host(ended.url)}, or of its authority, has ended: on this PC it is \\d{4}-\\d\\d-\\d\\d\\. .*--ca FILE\\.\n$`,
    ),
    expectFault(early.url, ca, `^The certificate of ${host(early.url)} is not valid yet: .* Set this PC's clock\\.\n$`),
    expectFault(
      stranger.url,
      ca,
      `^The certificate of ${host(stranger.url)} is from an authority that this PC does not trust: .*--ca FILE\\.\n$`,
    ),
    expectFault(
      named.url,
      ca,
      `for other names: DNS:lectern\\.hospital\\.example, DNS:other\\.example\\. Enroll with one of its names in --server`,
    ),
    expectFault(plain.url.replace('http:', 'https:'), ca, `^${host(plain.url)} does not speak https`),
  ])
  for (const { calls } of [ended, early, stranger, named, plain]) expect(calls).toEqual([])
})

test('[AGT-13] no credential follows a redirect from https to http, to another host, or to the same one', async () => {
  const other = await startPeer(answerAsPortal)
  const places = [other.url, 'https://elsewhere.example/api', '/elsewhere']
  const redirecting = await Promise.all(
    places.map((location) => startPeer((_call, response) => void response.writeHead(308, { location }).end(), portalIdentity)),
  )
  const ca = ['--ca', caFile()]
  await Promise.all(
    redirecting.map(({ url }, index) =>
      expectFault(
        url,
        ca,
        `^${new URL(url).host} sends this PC on to ${places[index]}, and no credential follows there\\. .*in --server\\.`,
      ),
    ),
  )
  for (const { calls } of redirecting) expect(calls).toHaveLength(1)
  expect(other.calls).toEqual([])
})

test('[AGT-07] a second proxy on the way that shows certificates of its own is not believed', async () => {
  const interceptor = await startPortal(makeAuthority('Interceptor').issue(['portal.example']))
  const proxy = await startProxy(interceptor.url)
  const sentence =
    /^The certificate of portal\.example is from an authority that this PC does not trust: .*of a proxy that opens connections/
  await expectFault('https://portal.example', ['--proxy', proxy.name], sentence)
  expect(interceptor.calls).toEqual([])
})

const unread =
  'No proxy is named, and none is taken from PAC files or the settings of Windows\\. Where this PC needs one, give --proxy http://PROXY:PORT\\.'

test('[AGT-07] a proxy that asks for a password, refuses it, shows a web page, cuts, is away or is not named has a sentence of its own', async () => {
  const portal = await startPortal()
  const open = await startPeer(answerAsPortal)
  const signIn = 'agent:secret'
  const asking = await startProxy(portal.url, { signIn })
  const askingOpen = await startProxy(open.url, { signIn })
  const blocking = await startProxy(portal.url, { act: 'page' })
  const blockingOpen = await startProxy(open.url, { act: 'page' })
  const cutting = await startProxy(portal.url, { act: 'cut' })
  const [secure, wrong] = ['https://portal.example', write('wrong')]
  const remedy = 'Enroll with --proxy http://USER@PROXY:PORT --proxy-password-file FILE\\.\n$'
  await Promise.all([
    expectFault(secure, ['--proxy', asking.name], `^The proxy ${asking.name} asks for a user and a password\\. ${remedy}`),
    expectFault(open.url, ['--proxy', askingOpen.name], `^The proxy ${askingOpen.name} asks for a user and a password\\. ${remedy}`),
    expectFault(
      secure,
      ['--proxy', `agent@${asking.name}`, '--proxy-password-file', wrong],
      `^The proxy ${asking.name} refuses the user and the password that it was given\\. ${remedy}`,
    ),
    expectFault(
      secure,
      ['--proxy', blocking.name],
      `^The proxy ${blocking.name} does not let this PC through to portal\\.example: it responds with 403\\. Allow the address at the proxy\\.\n$`,
    ),
    expectFault(
      open.url,
      ['--proxy', blockingOpen.name],
      `^${new URL(open.url).host} responds with a web page \\(403\\) and not as Lectern does\\. A proxy or a guest network .* in a browser of this PC\\. Nothing is lost\\. Run the same command again\\.\n$`,
    ),
    expectFault(
      secure,
      ['--proxy', cutting.name],
      `^portal\\.example cannot be reached: the connection through the proxy ${cutting.name} was cut off\\.`,
    ),
    expectFault(secure, ['--proxy', '127.0.0.1:9'], '^The proxy 127\\.0\\.0\\.1:9 cannot be reached: nothing takes connections there\\.'),
    expectFault(
      'https://127.0.0.1:9',
      [],
      `^127\\.0\\.0\\.1:9 cannot be reached: nothing takes connections there\\. ${unread} Nothing is lost`,
    ),
  ])
  expect([...portal.calls, ...open.calls]).toEqual([])
})

test('[AGT-07] an agent whose event streams are cut off says so once, and asks again and again in their place', async () => {
  const portal = await startPeer(answerAsPortal)
  const proxy = await startProxy(portal.url, { cutAfterHead: '/api/agent/events' })
  const pc = newPc(portal.url)
  expect(await pc.enroll(['--proxy', proxy.name])).toMatchObject({ code: 0 })
  const agent = startAgent(pc.state, ['--poll', '1'])
  const sentence =
    'Warning: The stream of events does not stay open: a proxy or something else on the way cuts it off. The stream of events was cut off. The agent asks for updates every 1 s in its place.'
  await expect.poll(agent.output).toContain(sentence)
  const count = () => portal.calls.filter(({ path }) => path.startsWith('/api/agent/desired')).length
  const before = count()
  await expect.poll(count).toBeGreaterThan(before + 2)
  expect(agent.output().match(/stream of events/gi)).toHaveLength(2)
  expect(await agent.end()).toBe(0)
})
