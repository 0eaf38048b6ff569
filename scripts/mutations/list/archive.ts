import { type Mutation, of } from './mutation.ts'

/** Backup and restore. */
export const archive: readonly Mutation[] = of('server/src/archive/archive.test.ts', [
  {
    file: 'server/src/archive/sql.ts',
    text: 'begin isolation level repeatable read, read only',
    replacement: 'begin read only',
    test: '[FLT-04] an archive made while writes and sweeps go on has the database and its contents of one instant, by hash',
  },
  {
    file: 'server/src/archive/archive.ts',
    text: '      await pauseSweeps(turn)\n',
    replacement: '',
    test: '[FLT-04] an archive made while writes and sweeps go on has the database and its contents of one instant, by hash',
  },
  {
    file: 'server/src/archive/sql.ts',
    text: '${last + 1}',
    replacement: '${last}',
    test: '[FLT-04] a restored database has every key, index, trigger and label, and a server goes on with it',
  },
  {
    file: 'server/src/archive/file.ts',
    text: 'sha256 !== before',
    replacement: 'false',
    test: '[FLT-04] an archive that is cut off, changed, or of a newer version is refused, and nothing is restored',
  },
])
