import { execFile, type SpawnOptions } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Account {
  uid: number
  gid: number
  /** Whether this process must change to the account, as PostgreSQL does not run as root. */
  switched: boolean
}

/**
 * The user who runs the cluster: this process' own (on Windows always); for root the owner of the data that exists, else the user
 * `postgres`, else `nobody`.
 * @throws Error when root finds none of them
 */
export async function chooseAccount(dataFolders: string[]): Promise<Account> {
  const uid = process.getuid?.()
  const gid = process.getgid?.() ?? 0
  // On Windows, Node shows every file as owned by user 0.
  if (uid !== 0) return { uid: uid ?? 0, gid, switched: false }
  const owner = dataFolders.map((folder) => statSync(folder, { throwIfNoEntry: false })).find((stat) => stat !== undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, switched: true }
  for (const name of ['postgres', 'nobody']) {
    const account = await userNamed(name)
    if (account) return account
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither a user "postgres" nor a user "nobody" to run it as.')
}

async function userNamed(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout), switched: true }
  } catch {
    return undefined
  }
}

export function canReach(account: Account, path: string): boolean {
  if (!account.switched) return true
  let real: string
  try {
    real = realpathSync(path)
  } catch {
    return dirname(path) !== path && canReach(account, dirname(path))
  }
  for (let at = real; ; at = dirname(at)) {
    const stat = statSync(at)
    const execute = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001
    if ((stat.mode & execute) === 0) return false
    if (at === dirname(at)) return true
  }
}

/**
 * Options to spawn PostgreSQL programs with: the account, a working folder that it can enter, and an environment without the caller's PG…
 * variables, which would lead to another cluster.
 */
export function spawnOptions(account: Account): Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'env' | 'windowsHide'> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_')))
  return { cwd: '/', windowsHide: true, env: { ...env, LC_ALL: 'C' }, ...(account.switched && { uid: account.uid, gid: account.gid }) }
}
