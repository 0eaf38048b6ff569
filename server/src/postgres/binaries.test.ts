import { chmodSync, cpSync, lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../testing/database/clusters.ts'
import { canReach, chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { findNative, packagedBinaries } from './packaged-binaries.ts'

test('takes the programs of the version that made the data, and the package where the system has none', async () => {
  const account = await chooseAccount([])
  expect(await findBinaries({ choice: 'auto', major: 18, account, systemFolders: [] })).toMatchObject({ origin: 'package', major: 18 })
  expect(await findBinaries({ choice: 'auto', major: undefined, account, systemFolders: ['/nowhere'] })).toMatchObject({
    origin: 'package',
  })
  await expect(findBinaries({ choice: 'system', major: undefined, account, systemFolders: [] })).rejects.toThrow(
    /^No usable PostgreSQL 15 to 18 .* DATABASE_URL\.$/,
  )
})

test.runIf(process.getuid?.() === 0)(
  "runs a copy of the package's programs when they are private and their links are missing",
  async () => {
    const account = await chooseAccount([])
    const original = findNative() ?? ''
    const home = newFolder()
    const native = join(home, 'native')
    cpSync(original, native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
    cpSync(join(original, '../package.json'), join(home, 'package.json'))
    chmodSync(home, 0o700)
    const copied = packagedBinaries(account, native) ?? ''
    onTestFinished(() => rmSync(join(copied, '../..'), { recursive: true, force: true }))
    expect(copied.startsWith(home)).toBe(false)
    expect(canReach(account, copied)).toBe(true)
    expect(await findBinaries({ choice: 'auto', major: undefined, account, systemFolders: [copied] })).toMatchObject({
      folder: copied,
      major: 18,
    })
  },
)
