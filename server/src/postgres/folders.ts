import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, lchownSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Account, canReach } from './account.ts'

const KEPT = '/var/tmp'

// A Unix socket's path has room for 107 bytes, PostgreSQL's own file name included.
const LONGEST_SOCKET_FOLDER = 107 - Buffer.byteLength('/.s.PGSQL.5432')

export interface Folders {
  folder: string
  name: string
  data: string
  socket: string
  /** The file that says who has access. It is beside the data, so that it belongs to this process' user, whoever runs PostgreSQL. */
  hba: string
  password: string
  log: string
  openers: string
}

/**
 * Where the cluster of `dataDir` is: there, or, where the account cannot reach it (a checkout under a private home), in a folder under
 * /var/tmp named after it. An existing cluster is never left for an empty one.
 * @throws Error when the account can no longer reach the cluster in `dataDir`
 */
export function chooseFolders(dataDir: string, account: Account): Folders {
  const kept = keptFolder(dataDir)
  const reachable = canReach(account, dirname(dataDir))
  if (clusterMajor(join(dataDir, 'data')) !== undefined && !reachable) {
    throw new Error(
      `The user that runs PostgreSQL can no longer reach the database in ${dataDir}; give the folders above it back their execute permission.`,
    )
  }
  const moved = account.switched && clusterMajor(join(kept, 'data')) !== undefined
  const folder = reachable && !moved ? dataDir : kept
  return {
    folder,
    name: `lectern-${shortHash(folder)}`,
    data: join(folder, 'data'),
    socket: socketFolder(folder, account),
    hba: join(folder, 'pg_hba.conf'),
    password: join(folder, 'password'),
    log: join(folder, 'log'),
    openers: join(folder, 'openers'),
  }
}

/**
 * Makes the folders that are missing, open to the account alone.
 * @throws Error when the cluster in them belongs to a third user
 */
export function makeFolders(folders: Folders, account: Account): void {
  makeOwn(folders.folder, account)
  const data = lstatSync(folders.data, { throwIfNoEntry: false })
  if (data && data.uid !== account.uid) {
    throw new Error(`The database in ${folders.folder} belongs to the user with the id ${data.uid}: start as that user or as root.`)
  }
}

export function keptFolder(path: string): string {
  return join(KEPT, `lectern-${shortHash(path)}`)
}

/** Makes a folder that belongs to this process' own user, or leaves it to the account, which can pass through it either way. */
export function makeOwn(folder: string, account: Account): void {
  makeFolder(folder, account)
  chmodSync(folder, account.switched ? 0o711 : 0o700)
}

/** Gives a file that root wrote to the owner of the folder, who may come back without root's rights. */
export function giveToOwner(file: string): void {
  const { uid, gid } = lstatSync(dirname(file))
  if (uid !== process.getuid?.()) lchownSync(file, uid, gid)
}

export function makePrivate(folder: string, account: Account): void {
  makeFolder(folder, account)
  if (account.switched) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
}

// Refuses a folder of another user: every user may write to a folder for temporary files.
function makeFolder(folder: string, account: Account): void {
  makeWay(dirname(folder))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stat = lstatSync(folder)
  const mine = stat.uid === process.getuid?.() || stat.uid === account.uid
  if (!stat.isDirectory() || !mine) throw new Error(`${folder} belongs to another user, so the database cannot live there.`)
}

function makeWay(folder: string): void {
  const first = mkdirSync(folder, { recursive: true })
  if (first === undefined) return
  for (let at = folder; at.length >= first.length; at = dirname(at)) chmodSync(at, 0o755)
}

export function clusterMajor(data: string): number | undefined {
  const file = join(data, 'PG_VERSION')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined
}

function socketFolder(folder: string, account: Account): string {
  // PostgreSQL's setting is a list, so a comma or a quote in the name would split it.
  const candidates = [join(folder, 'socket'), ...[tmpdir(), '/tmp', KEPT].map((base) => join(base, `lectern-${shortHash(folder)}-socket`))]
  const fits = (path: string) => Buffer.byteLength(path) <= LONGEST_SOCKET_FOLDER && !/[",]/.test(path)
  const found = candidates.find((path) => fits(path) && (path.startsWith(folder) || canReach(account, dirname(path))))
  if (!found) throw new Error(`No folder has a name short enough for the database's socket, not even one under ${tmpdir()}.`)
  return found
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
