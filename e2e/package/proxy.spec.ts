import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { end, freePort } from '../support/processes/program.ts'
import { licence, northfield, type Stack, startStack } from '../support/processes/stack.ts'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'agent/dist/linux-x64/lectern-agent')
const squidPassword = '/usr/lib/squid/basic_ncsa_auth'
/** A name that only squid knows, so that no call reaches the portal without it. */
const host = 'portal.hospital.test'
const password = 'p@ss: w/rd'

const folder = mkdtempSync(join(tmpdir(), 'lectern-proxy-'))
// Squid works as an account of its own.
chmodSync(folder, 0o755)
const inFolder = (...names: string[]) => join(folder, ...names)

let stack: Stack
let server: Server
let squid: ChildProcess
let proxy: string
let portal: string
let zoneId: string

/** Runs a program to its end, which must be 0. */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: root, maxBuffer: 64 * 1_024 * 1_024 })
  expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' })
  return stdout
}

/** Fails with what to install. */
function requirePrograms(): void {
  const missing = [
    ['squid', existsSync(squidPassword) && existsSync('/usr/sbin/squid')],
    ['ca-certificates', existsSync('/usr/sbin/update-ca-certificates')],
    ['openssl', spawnSync('openssl', ['version']).status === 0],
    ['util-linux', spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0],
  ].flatMap(([name, isThere]) => (isThere ? [] : [name]))
  if (missing.length > 0)
    throw new Error(
      `This check needs the Debian packages squid, ca-certificates, openssl and util-linux, and may mount. Missing: ${missing.join(', ')}.`,
    )
}

/** A private authority, a certificate of it for the portal, and the store of a PC that has the authority. */
function makeCertificates(): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-x509', '-days', '2']
  run('openssl', 'req', ...key, '-keyout', inFolder('root.key'), '-out', inFolder('root.pem'), '-subj', '/CN=Hospital Root')
  const signer = ['-CA', inFolder('root.pem'), '-CAkey', inFolder('root.key')]
  const extensions = ['-addext', `subjectAltName=DNS:${host}`, '-addext', 'basicConstraints=critical,CA:FALSE']
  run(
    'openssl',
    'req',
    ...key,
    ...signer,
    ...extensions,
    '-keyout',
    inFolder('own.key'),
    '-out',
    inFolder('own.pem'),
    '-subj',
    `/CN=${host}`,
  )
  for (const name of ['local', 'hooks', 'store']) mkdirSync(inFolder(name))
  writeFileSync(inFolder('local', 'hospital.crt'), readFileSync(inFolder('root.pem')))
  const places = ['--localcertsdir', inFolder('local'), '--hooksdir', inFolder('hooks'), '--etccertsdir', inFolder('store')]
  run('/usr/sbin/update-ca-certificates', '--fresh', ...places)
}

/** TLS in front of the portal. */
async function startTls(url: string): Promise<number> {
  server = createServer({ key: readFileSync(inFolder('own.key')), cert: readFileSync(inFolder('own.pem')) }, (socket) => {
    const onward = connect(Number(new URL(url).port), '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Squid that lets who has the password through to the portal alone. */
async function startSquid(portalPort: number): Promise<string> {
  const port = await freePort()
  mkdirSync(inFolder('squid'))
  chmodSync(inFolder('squid'), 0o777)
  const hash = run('openssl', 'passwd', '-apr1', password).trim()
  writeFileSync(inFolder('squid/passwords'), `agent:${hash}\n`)
  writeFileSync(inFolder('squid/hosts'), `127.0.0.1 ${host}\n`)
  writeFileSync(
    inFolder('squid/squid.conf'),
    `http_port 127.0.0.1:${port}
auth_param basic program ${squidPassword} ${inFolder('squid/passwords')}
acl known proxy_auth REQUIRED
acl portal port ${portalPort}
http_access deny !portal
http_access allow CONNECT known
http_access deny all
hosts_file ${inFolder('squid/hosts')}
pid_filename ${inFolder('squid/squid.pid')}
access_log stdio:${inFolder('squid/access.log')}
cache_log ${inFolder('squid/cache.log')}
coredump_dir ${inFolder('squid')}
cache deny all
shutdown_lifetime 0 seconds
`,
  )
  squid = spawn('/usr/sbin/squid', ['-N', '-f', inFolder('squid/squid.conf')], { stdio: 'ignore' })
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) !== null
  await vi.waitUntil(isUp, { timeout: 30_000 })
  return `127.0.0.1:${port}`
}

beforeAll(async () => {
  requirePrograms()
  spawnSync('npm', ['run', '--silent', 'package:agent'], { cwd: root, stdio: 'inherit' })
  if (!existsSync(program)) throw new Error('The executable was not made: see what npm run package:agent says.')
  makeCertificates()
  stack = await startStack()
  const api = await stack.api()
  zoneId = (await api('createZone', { params: { organizationId: northfield, location: 'Proxied' } })).id
  const port = await startTls(stack.url)
  portal = `https://${host}:${port}`
  proxy = await startSquid(port)
}, 300_000)

afterAll(async () => {
  await end(squid, 'SIGTERM')
  server?.close()
  await stack?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A PC with the executable. @param hasAuthority whether its own store has the private authority */
function newPc(name: string, hasAuthority: boolean, more: Record<string, string> = {}) {
  const state = inFolder(name)
  const location = inFolder(`${name}.ctxdm`)
  const env = { PATH: '/usr/bin:/bin', ...more }
  const inStore = ['--map-root-user', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/ssl/certs && exec "$@"', inFolder('store'), program]
  const toCommand = (args: string[]): [string, string[]] => (hasAuthority ? ['unshare', [...inStore, ...args]] : [program, args])
  function launch(args: string[]) {
    const child = spawn(...toCommand([...args, '--state', state]), { env, stdio: 'pipe' })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    const closed = once(child, 'close')
    const ended = async () => {
      const [status] = await closed
      return { status: status as number | null, output }
    }
    return { child, ended }
  }
  // Not at once: this process has the portal's TLS.
  const command = (args: string[], input = '') => {
    const { child, ended } = launch(args)
    child.stdin.end(input)
    return ended()
  }
  writeFileSync(location, zoneId)
  return {
    enroll: (args: string[], input = '') =>
      command(['enroll', location, '--server', portal, '--licence', licence, '--name', name, '--driver', 'simulated', ...args], input),
    /** Runs until a check-in was taken. Returns what was printed, with what `status` says then. */
    async checkIn(): Promise<string> {
      const { child, ended } = launch(['run', '--driver', 'simulated', '--readers', '3', '--until-input-ends'])
      onTestFinished(async () => void (await command(['stop-readers'])))
      await expect.poll(() => existsSync(join(state, 'status.json')) || child.exitCode !== null).toBe(true)
      child.stdin.end()
      const { status, output } = await ended()
      expect({ status, output }).toEqual({ status: 0, output: expect.any(String) })
      return output + (await command(['status'])).output
    },
  }
}

const log = () => readFileSync(inFolder('squid/access.log'), 'utf8')

test('[AGT-07] by --ca: the executable enrolls and checks in through squid with a password, which is shown nowhere', async () => {
  const pc = newPc('by-ca', false)
  const file = inFolder('password')
  const [own, copy] = [inFolder('root.pem'), inFolder('copy.pem')]
  writeFileSync(file, `${password}\n`)
  writeFileSync(copy, readFileSync(own))
  const { status, output } = await pc.enroll(['--proxy', `http://agent@${proxy}`, '--proxy-password-file', file, '--ca', copy])
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('This PC is enrolled as by-ca in the zone Proxied') })
  for (const gone of [file, copy]) rmSync(gone)
  const shown = output + (await pc.checkIn())
  expect(shown).toMatch(new RegExp(`Server: +${portal} through the proxy ${proxy}\n`))
  expect(shown).toMatch(/Last check-in: .*, 3 readers/)
  expect(shown).not.toContain(password)
  expect(log()).toMatch(new RegExp(`TCP_TUNNEL/200 \\d+ CONNECT ${host}:\\d+ agent `))
})

test('[AGT-07] by the store of the PC, and a password from the standard input: the same', async () => {
  const stranger = await newPc('stranger', false).enroll(['--proxy', `http://agent@${proxy}`, '--proxy-password-file', '-'], password)
  expect(stranger).toEqual({
    status: 6,
    output: expect.stringMatching(/is from an authority that this PC does not trust: .*--ca FILE\.\n$/),
  })
  const pc = newPc('by-store', true)
  expect(await pc.enroll(['--proxy', `http://agent@${proxy}`, '--proxy-password-file', '-'], password)).toMatchObject({ status: 0 })
  expect(await pc.checkIn()).toMatch(/Last check-in: .*, 3 readers/)
})

test('[AGT-07] by the environment: the same, and its password is shown nowhere', async () => {
  const pc = newPc('by-environment', true, { HTTPS_PROXY: `http://agent:${encodeURIComponent(password)}@${proxy}` })
  const { status, output } = await pc.enroll([])
  expect(status).toBe(0)
  const shown = output + (await pc.checkIn())
  expect(shown).toMatch(new RegExp(`Server: +${portal} through the proxy ${proxy}\n`))
  for (const secret of [password, encodeURIComponent(password)]) expect(shown).not.toContain(secret)
})

test('[AGT-07] squid that asks for a password, refuses it or blocks the portal is what the executable says, with what can be done', async () => {
  const pc = newPc('refused', true)
  expect(await pc.enroll(['--proxy', proxy])).toEqual({
    status: 6,
    output: `The proxy ${proxy} asks for a user and a password. Enroll with --proxy http://USER@PROXY:PORT --proxy-password-file FILE.\n`,
  })
  expect(await pc.enroll(['--proxy', `agent@${proxy}`, '--proxy-password-file', '-'], 'wrong')).toEqual({
    status: 6,
    output: `The proxy ${proxy} refuses the user and the password that it was given. Enroll with --proxy http://USER@PROXY:PORT --proxy-password-file FILE.\n`,
  })
  expect(
    await pc.enroll(['--server', 'https://elsewhere.test', '--proxy', `agent@${proxy}`, '--proxy-password-file', '-'], password),
  ).toEqual({
    status: 6,
    output: `The proxy ${proxy} does not let this PC through to elsewhere.test: it responds with 403. Allow the address at the proxy.\n`,
  })
})
