import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask, clusterMaker, findSocket, leave, newFolder, open, openElsewhere, readServerPid } from '../testing/database/clusters.ts'
import { openCluster } from './cluster.ts'
import { readPostmaster } from './postmaster.ts'
import { isAlive } from './processes.ts'

const madeCluster = clusterMaker()

describe.each(['system', 'package'] as const)('with the programs of the %s', (binaries) => {
  test('makes a cluster that searches text in every language, keeps it, and leaves nothing running', async () => {
    const dataDir = join(newFolder(), 'postgres')
    const made = await open({ dataDir, binaries })
    await ask(made, 'create extension pg_trgm')
    expect(await ask(made, `select lower('ÉÄ'), 'Zürich' % 'zürich', current_setting('server_encoding')`)).toEqual([['éä', true, 'UTF8']])
    expect(await ask(made, `select current_setting('server_version_num')::int / 10000`)).toEqual([[made.major]])
    await ask(made, `create table kept as select 'here' as word`)
    const server = readServerPid(made)
    await made.stop()
    await expect.poll(() => isAlive(server)).toBe(false)
    const again = await open({ dataDir, binaries })
    expect(again).toMatchObject({ adopted: false, binaries, major: made.major })
    expect(await ask(again, 'select word from kept')).toEqual([['here']])
  })

  test('listens on a private socket only', async () => {
    const cluster = await open({ dataDir: await madeCluster(binaries), binaries })
    expect(await ask(cluster, `select current_setting('listen_addresses'), inet_server_addr()`)).toEqual([['', null]])
    expect([findSocket(cluster), join(cluster.folder, 'data')].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700])
  })

  test('is safe against a power cut unless told otherwise', async () => {
    const cluster = await open({ dataDir: await madeCluster(binaries), binaries, durable: true })
    expect(
      await ask(cluster, `select current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')`),
    ).toEqual([['on', 'on', 'on']])
  })
})

describe('a server that is already there', () => {
  test('is adopted with its data when the process that started it was killed', async () => {
    const dataDir = await madeCluster()
    const { cluster, child } = await openElsewhere({ dataDir })
    await ask(cluster, `create table kept as select 'here' as word`)
    const server = readServerPid(cluster)
    await leave(child, 'SIGKILL')
    const adopted = await open({ dataDir })
    expect(adopted.adopted).toBe(true)
    expect(readServerPid(adopted)).toBe(server)
    expect(await ask(adopted, 'select word from kept')).toEqual([['here']])
    await adopted.stop()
    expect(existsSync(join(adopted.folder, 'data/postmaster.pid'))).toBe(false)
  })

  test('is joined by the next, and stopped by the last to let go', async () => {
    const dataDir = await madeCluster()
    const { cluster, child } = await openElsewhere({ dataDir })
    const first = await open({ dataDir })
    expect(first).toMatchObject({ adopted: true, url: cluster.url })
    await first.stop()
    expect(await ask(cluster, 'select 1')).toEqual([[1]])
    const second = await open({ dataDir })
    await leave(child)
    expect(await ask(second, 'select 1')).toEqual([[1]])
    await second.stop()
    expect(existsSync(join(dataDir, 'data/postmaster.pid'))).toBe(false)
  })

  test('is there for one that opens while another stops it', async () => {
    const dataDir = await madeCluster()
    for (let round = 0; round < 3; round += 1) {
      const leaving = await open({ dataDir })
      const [opened] = await Promise.all([open({ dataDir }), leaving.stop()])
      expect(await ask(opened, 'select 1')).toEqual([[1]])
      await opened.stop()
    }
  })

  test('is one and the same for two that open at once', async () => {
    const dataDir = join(newFolder(), 'postgres')
    const [one, other, here] = await Promise.all([openElsewhere({ dataDir }), openElsewhere({ dataDir }), open({ dataDir })])
    expect(new Set([one.cluster.url, other.cluster.url, here.url]).size).toBe(1)
    expect([one.cluster, other.cluster, here].filter((cluster) => !cluster.adopted)).toHaveLength(1)
    expect(readdirSync(here.folder).filter((name) => name.startsWith('data'))).toEqual(['data'])
  })

  test('goes when the process that has it open ends without stopping it', async () => {
    const dataDir = await madeCluster()
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openCluster } from ${JSON.stringify(join(import.meta.dirname, 'cluster.ts'))}
       const cluster = await openCluster(${JSON.stringify({ dataDir, durable: false })})
       throw new Error(cluster.folder)`,
    ])
    await once(child, 'exit')
    await expect.poll(() => existsSync(join(dataDir, 'data/postmaster.pid'))).toBe(false)
    expect(existsSync(join(dataDir, 'data/PG_VERSION'))).toBe(true)
  })

  test('is told from another program that got its process id since', async () => {
    const dataDir = await madeCluster()
    const cluster = await open({ dataDir })
    const left = readFileSync(join(dataDir, 'data/postmaster.pid'), 'utf8')
    await cluster.stop()
    writeFileSync(join(dataDir, 'data/postmaster.pid'), left.replace(/^\d+/, String(process.ppid)))
    const again = await open({ dataDir })
    expect(again.adopted).toBe(false)
    expect(await ask(again, 'select 1')).toEqual([[1]])
  })

  test('has its file to itself while it starts; an empty one that a power cut left stops no start', async () => {
    const dataDir = await madeCluster()
    const file = join(dataDir, 'data/postmaster.pid')
    writeFileSync(file, '')
    expect(readPostmaster(join(dataDir, 'data'))).toBeUndefined()
    expect(readFileSync(file, 'utf8')).toBe('')
    const before = new Date(Date.now() - 60_000)
    utimesSync(file, before, before)
    const cluster = await open({ dataDir })
    expect(await ask(cluster, 'select 1')).toEqual([[1]])
  })

  test('starts again after the server itself was killed', async () => {
    const dataDir = await madeCluster()
    const { cluster, child } = await openElsewhere({ dataDir, durable: true })
    await ask(cluster, `create table kept as select 'here' as word`)
    process.kill(readServerPid(cluster), 'SIGKILL')
    await leave(child, 'SIGKILL')
    const again = await open({ dataDir })
    expect(again.adopted).toBe(false)
    expect(await ask(again, 'select word from kept')).toEqual([['here']])
  })
})

describe('what it cannot or need not open', () => {
  test('refuses data of another major version with one sentence', async () => {
    const dataDir = await madeCluster()
    writeFileSync(join(dataDir, 'data/PG_VERSION'), '14\n')
    await expect(openCluster({ dataDir })).rejects.toThrow(
      /^The database was made by PostgreSQL 14, but this machine has PostgreSQL [\d and]+: install PostgreSQL 14, [^.]+\.$/,
    )
  })

  test('opens a data folder whose name is too long for a socket, with a space and a comma', async () => {
    const dataDir = join(newFolder(), 'a name, with everything '.repeat(8).trim(), 'postgres')
    const cluster = await open({ dataDir })
    onTestFinished(() => rmSync(findSocket(cluster), { recursive: true, force: true }))
    expect(cluster.folder).toBe(dataDir)
    expect(await ask(cluster, 'select 1')).toEqual([[1]])
  })
})
