import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { type Cluster, type ClusterOptions, openCluster } from '../../postgres/cluster.ts'

const program = join(import.meta.dirname, 'open-cluster.ts')

/** A folder that every user can reach, for the time of a test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-cluster-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a cluster for the time of a test, by default without care for a power cut. */
export async function open(options: ClusterOptions): Promise<Cluster> {
  const cluster = await openCluster({ durable: false, ...options })
  onTestFinished(cluster.stop)
  return cluster
}

/** Opens a cluster from a process of its own, which stops it when the test ends. */
export async function openElsewhere(
  options: ClusterOptions,
  user?: { uid: number; gid: number },
): Promise<{ cluster: Cluster; child: ChildProcess }> {
  const child = spawn(process.execPath, [program, JSON.stringify({ durable: false, ...options })], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    ...user,
  })
  onTestFinished(() => leave(child))
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return { cluster: JSON.parse(value ?? 'null') as Cluster, child }
}

/** Ends a process that has a cluster open, properly or by a signal, and waits until it is gone. */
export async function leave(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  if (signal) child.kill(signal)
  else child.stdin?.end()
  await gone
}

/** The rows of one query, as arrays. */
export async function ask(cluster: Cluster, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** The process id of a cluster's server. */
export function readServerPid(cluster: Cluster): number {
  return Number.parseInt(readFileSync(join(cluster.folder, 'data/postmaster.pid'), 'utf8'), 10)
}

/** The folder of a cluster's socket. */
export function findSocket(cluster: Cluster): string {
  return new URL(cluster.url.replace('@', '@host')).searchParams.get('host') ?? ''
}

/** Makes data folders with a stopped cluster in them, for the tests of a file: copies, as making one takes most of a second. */
export function clusterMaker() {
  const originals: Partial<Record<Cluster['binaries'] | 'auto', Promise<string>>> = {}
  afterAll(async () => {
    for (const folder of await Promise.all(Object.values(originals))) rmSync(folder, { recursive: true, force: true })
  })
  return async (binaries: Cluster['binaries'] | 'auto' = 'auto'): Promise<string> => {
    originals[binaries] ??= makeOriginal(binaries)
    const folder = newFolder()
    execFileSync('cp', ['-a', join(await originals[binaries], 'postgres'), folder])
    return join(folder, 'postgres')
  }
}

async function makeOriginal(binaries: ClusterOptions['binaries']): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-cluster-'))
  chmodSync(folder, 0o755)
  const cluster = await openCluster({ dataDir: join(folder, 'postgres'), binaries, durable: false })
  await cluster.stop()
  return folder
}
