import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { type Folders, giveToOwner, makePrivate } from './folders.ts'

export type Listen = 'socket' | 'loopback'

// Node opens no socket files on Windows.
export const defaultListen: Listen = process.platform === 'win32' ? 'loopback' : 'socket'

// Only the socket or loopback is listened on. Only its user can enter the socket's folder.
const hba = `local all all trust
host all all 127.0.0.1/32 scram-sha-256
`

/**
 * Prepares one way to listen and no other; returns the server's settings.
 * @param port the port on loopback; absent: any free one
 */
export async function prepareListening(listen: Listen, folders: Folders, account: Account, port?: number): Promise<Record<string, string>> {
  // PostgreSQL's user has to read the file.
  replaceFile(folders.hba, hba, 0o644)
  if (listen === 'socket') {
    makePrivate(folders.socket, account)
    // A killed server leaves its lock file, and PostgreSQL takes any process that now has the old id for that server.
    rmSync(join(folders.socket, '.s.PGSQL.5432.lock'), { force: true })
    return {
      hba_file: folders.hba,
      port: '5432',
      listen_addresses: '',
      unix_socket_directories: `"${folders.socket}"`,
      unix_socket_permissions: '0700',
    }
  }
  makePassword(folders.password)
  return { hba_file: folders.hba, port: String(port ?? (await findFreePort())), listen_addresses: '127.0.0.1', unix_socket_directories: '' }
}

export function formatAddress({ socket, port }: { socket: string; port: number }, folders: Folders, database: string): string {
  return socket === ''
    ? `postgresql://lectern:${readFileSync(folders.password, 'utf8')}@127.0.0.1:${port}/${database}`
    : `postgresql://lectern@/${database}?host=${encodeURIComponent(socket)}`
}

// Writes the file in one step: of two makers one wins, and no half password can be read.
function makePassword(file: string): void {
  if (existsSync(file)) return
  const making = writeBeside(file, randomBytes(32).toString('base64url'), 0o600)
  try {
    linkSync(making, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(making)
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function replaceFile(file: string, text: string, mode: number): void {
  renameSync(writeBeside(file, text, mode), file)
}

function writeBeside(file: string, text: string, mode: number): string {
  const written = `${file}.${randomUUID()}`
  writeFileSync(written, text, { mode: 0o600, flag: 'wx' })
  chmodSync(written, mode)
  giveToOwner(written)
  return written
}
