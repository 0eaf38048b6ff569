import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { type Cluster, type ClusterOptions, openCluster } from '../../postgres/cluster.ts'
import type { Watch } from '../../postgres/watch.ts'

const program = join(import.meta.dirname, 'open-cluster.ts')

/** Readable for every user; removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-cluster-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Stops after the test. */
export async function open(options: ClusterOptions): Promise<Cluster> {
  const cluster = await openCluster({ durable: false, ...options })
  onTestFinished(cluster.stop)
  return cluster
}

/** Opens a cluster in another process, which stops it after the test. */
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

/** Ends the process, by closing its input or with a signal, and waits for its exit. */
export async function leave(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  if (signal) child.kill(signal)
  else child.stdin?.end()
  await gone
}

/** A watch that records its calls. */
export function newWatch(): Watch & { heard: string[] } {
  const heard: string[] = []
  const { signal } = new AbortController()
  return { heard, signal, log: (message) => void heard.push(message), lost: (reason) => void heard.push(reason.message) }
}

/** The rows of one query, as arrays. */
export async function ask(cluster: Cluster, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: cluster.url })
  // The error also rejects the queries that wait, which is enough.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

export function readServerPid(cluster: Pick<Cluster, 'folder'>): number {
  return Number.parseInt(readFileSync(join(cluster.folder, 'data/postmaster.pid'), 'utf8'), 10)
}

export function findSocket(cluster: Cluster): string {
  return new URL(cluster.url.replace('@', '@host')).searchParams.get('host') ?? ''
}

/** Makes data folders with a stopped cluster. They are copies, as initdb takes most of a second. */
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
