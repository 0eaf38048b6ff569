import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask, clusterMaker, leave, newFolder, open, openElsewhere, readServerPid } from '../testing/database/clusters.ts'
import { canReach } from './account.ts'
import { openCluster } from './cluster.ts'
import { keptFolder } from './folders.ts'

const madeCluster = clusterMaker()

const isRoot = process.getuid?.() === 0
/** The user with the fewest rights, which every system has. */
const nobody = { uid: 65534, gid: 65534, switched: true }

describe.skipIf(isRoot)('started by an ordinary user', () => {
  test('runs as that user', async () => {
    const cluster = await open({ dataDir: join(newFolder(), 'postgres') })
    expect(statSync(join(cluster.folder, 'data')).uid).toBe(process.getuid?.())
  })
})

describe.runIf(isRoot)('started by root', () => {
  test('runs as a user without rights, who owns the data and nothing else', async () => {
    const cluster = await open({ dataDir: await madeCluster() })
    expect(statSync(join(cluster.folder, 'data')).uid).not.toBe(0)
    expect(statSync(cluster.folder).uid).toBe(0)
    expect(readFileSync(`/proc/${readServerPid(cluster)}/status`, 'utf8')).toMatch(
      new RegExp(`^Uid:\\t${statSync(join(cluster.folder, 'data')).uid}\\t`, 'm'),
    )
  })

  test('keeps the database under /var/tmp when its folder is private, and finds it again', async () => {
    const home = newFolder()
    chmodSync(home, 0o700)
    const dataDir = join(home, 'postgres')
    onTestFinished(() => rmSync(keptFolder(dataDir), { recursive: true, force: true }))
    const cluster = await open({ dataDir })
    expect(cluster.folder).toBe(keptFolder(dataDir))
    await ask(cluster, `create table kept as select 'here' as word`)
    await cluster.stop()
    // Even where the folder can be reached later: never an empty database in place of a full one.
    chmodSync(home, 0o755)
    expect(await ask(await open({ dataDir }), 'select word from kept')).toEqual([['here']])
  })

  test('refuses rather than opens an empty database when the folder became private', async () => {
    const dataDir = await madeCluster()
    chmodSync(dirname(dataDir), 0o700)
    await expect(openCluster({ dataDir })).rejects.toThrow(/can no longer reach the database in/)
  })

  test('refuses a folder under /var/tmp that somebody else made', async () => {
    const home = newFolder()
    chmodSync(home, 0o700)
    const taken = keptFolder(join(home, 'postgres'))
    mkdirSync(taken)
    chownSync(taken, 12345, 12345)
    onTestFinished(() => rmSync(taken, { recursive: true, force: true }))
    await expect(openCluster({ dataDir: join(home, 'postgres') })).rejects.toThrow(`${taken} belongs to another user`)
  })

  test.runIf(canReach(nobody, import.meta.dirname) && canReach(nobody, process.execPath))(
    'leaves an ordinary user to run it as that user, and opens what that user made',
    async () => {
      const folder = newFolder()
      chownSync(folder, nobody.uid, nobody.gid)
      const dataDir = join(folder, 'postgres')
      const { cluster, child } = await openElsewhere({ dataDir }, nobody)
      expect(statSync(join(cluster.folder, 'data')).uid).toBe(nobody.uid)
      await ask(cluster, `create table kept as select 'here' as word`)
      await leave(child)
      const again = await open({ dataDir })
      expect(await ask(again, 'select word from kept')).toEqual([['here']])
      expect(statSync(join(again.folder, 'data')).uid).toBe(nobody.uid)
    },
  )
})
