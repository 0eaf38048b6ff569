import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveToOwner } from './folders.ts'
import { isAlive } from './processes.ts'

/**
 * Registers this process as one that uses the cluster, by a file in `folder`.
 * @returns a function that takes that back and returns true where no other living process uses the cluster
 */
export function registerOpener(folder: string): () => boolean {
  const mine = `${process.pid}.${randomUUID()}`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveToOwner(folder)
  writeFileSync(join(folder, mine), '')
  return () => {
    rmSync(join(folder, mine), { force: true })
    const killed = (name: string) => !isAlive(Number.parseInt(name, 10))
    for (const name of readdirSync(folder).filter(killed)) rmSync(join(folder, name), { force: true })
    return readdirSync(folder).length === 0
  }
}
