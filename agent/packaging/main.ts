// npm run package:agent: makes what IT installs of the agent in agent/dist, which git ignores, and says sizes, hashes and start times.
// Ends with 3 where a tool is missing, with 1 where something is too large. With --tools it looks for the tools alone.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { makeDebianPackage, makeRepository, readTimes } from './debian.ts'
import { makeExecutable } from './executable.ts'
import { nodeVersion } from './runtimes.ts'
import { mostPackedBytes, root, type System, systems } from './systems.ts'
import { isThere, runTool, type Tool, tools } from './tools.ts'
import { makeService, makeZip, type Signing, signProgram } from './windows.ts'

const folder = join(root, 'agent/dist')
const { version } = manifest
const times = readTimes(process.env)
// A file with the secret key that signs the repository for apt.
const repositoryKey = process.env.AGENT_REPOSITORY_KEY ?? null
const {
  AGENT_SIGNING_CERTIFICATE: certificate,
  AGENT_SIGNING_PASSWORD_FILE: passwordFile,
  AGENT_SIGNING_TIMESTAMPS: timestamps = null,
} = process.env
const signing: Signing | null = certificate && passwordFile ? { certificate, passwordFile, timestamps } : null

interface File {
  name: string
  bytes: number
  sha256: string
}

const describe = (name: string): File => {
  const bytes = readFileSync(join(folder, name))
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Packs the files of a system's folder. Returns the archive's name. */
function pack({ name }: System): string {
  const archive = `lectern-agent-${version}-${name}.tar`
  const owner = ['--sort=name', `--mtime=@${times}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu', '--mode=u=rwX,go=rX']
  runTool('tar', ['--create', ...owner, '--file', archive, '--directory', name, '.'], { cwd: folder })
  runTool('xz', ['--threads=1', '-6', '--force', archive], { cwd: folder })
  return `${archive}.xz`
}

/** Milliseconds, each the median of 20 in turns. */
function timeStarts(executable: string): { version: number; node: number } {
  const time = (command: string, args: string[]) => {
    const began = performance.now()
    runTool(command, args)
    return performance.now() - began
  }
  const times = Array.from({ length: 20 }, () => [time(executable, ['--version']), time(process.execPath, ['-e', '0'])] as const)
  const median = (index: 0 | 1) => times.map((pair) => pair[index]).sort((a, b) => a - b)[10]!
  return { version: median(0), node: median(1) }
}

const missing = (Object.keys(tools) as Tool[]).filter((tool) => !isThere(tool))
console.log(`lectern-agent ${version} with Node ${nodeVersion}. Needs the Debian packages ${Object.values(tools).join(', ')}.`)
for (const tool of missing) console.error(`${tool} is missing: install ${tools[tool]}. What needs it is not made.`)

if (process.argv.includes('--tools')) process.exit(missing.length > 0 ? 3 : 0)

rmSync(folder, { recursive: true, force: true })
const programs: File[] = []
const files: File[] = []
for (const system of Object.values(systems)) {
  if (system === systems.linux && missing.includes('strip')) continue
  const [own, work] = [join(folder, system.name), join(folder, `.work-${system.name}`)]
  for (const each of [own, work]) mkdirSync(each, { recursive: true })
  await makeExecutable(system, own, work)
  rmSync(work, { recursive: true })
  if (system === systems.windows) {
    const hasService = !missing.includes('x86_64-w64-mingw32-gcc')
    if (hasService) makeService(own)
    if (signing) for (const name of readdirSync(own)) if (name.endsWith('.exe')) signProgram(join(own, name), signing)
    // Without its service it is no package to install.
    if (hasService) files.push(describe(makeZip(folder, own, { name: `lectern-agent-${version}-${system.name}.zip`, times })))
  }
  for (const name of readdirSync(own).sort()) programs.push(describe(`${system.name}/${name}`))
  if (!missing.includes('xz')) files.push(describe(pack(system)))
}
if (!missing.includes('strip') && !missing.includes('dpkg-deb')) {
  const work = join(folder, '.work-debian')
  mkdirSync(work)
  const name = makeDebianPackage(folder, { from: join(folder, systems.linux.name), work, version, times })
  rmSync(work, { recursive: true })
  for (const each of [name, ...makeRepository(folder, { times, key: repositoryKey })]) files.push(describe(each))
  if (repositoryKey === null) console.error('AGENT_REPOSITORY_KEY names no key, so the repository is not signed.')
}
if (!signing)
  console.error(
    'AGENT_SIGNING_CERTIFICATE and AGENT_SIGNING_PASSWORD_FILE name no certificate, so Windows does not know who made the programs.',
  )
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ version, node: nodeVersion, files, programs }, null, 2)}\n`)
for (const { name, bytes, sha256 } of [...programs, ...files]) console.log(`${sha256}  ${(bytes / 1e6).toFixed(1).padStart(6)} MB  ${name}`)
const executable = join(folder, systems.linux.name, systems.linux.executable)
if (statSync(executable, { throwIfNoEntry: false })) {
  const starts = timeStarts(executable)
  console.log(`--version ${starts.version.toFixed(0)} ms, ${(starts.version / starts.node).toFixed(1)} × node -e 0`)
}
const limits = new Map(Object.values(systems).map(({ name, executable, mostBytes }) => [`${name}/${executable}`, mostBytes]))
// A zip file packs less than xz does.
const packed = files.filter(({ name }) => !name.endsWith('.zip'))
const tooLarge = [...programs, ...packed].filter(({ name, bytes }) => bytes > (limits.get(name) ?? mostPackedBytes))
for (const { name, bytes } of tooLarge) console.error(`${name} is too large: ${bytes} bytes.`)
if (missing.length > 0) process.exitCode = 3
if (tooLarge.length > 0) process.exitCode = 1
