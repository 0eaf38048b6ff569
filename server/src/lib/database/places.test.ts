import { expect, test } from 'vitest'
import { createDatabase, createPool } from './database.ts'
import { findStart, rememberPage } from './places.ts'

test('searches of one organization do not make the server forget where pages of another ended', async () => {
  const db = createDatabase(createPool('postgresql://lectern@127.0.0.1:1/lectern'))
  const [one, other] = [
    { organizationId: 1, text: 'all' },
    { organizationId: 2, text: '' },
  ]
  const row = (id: string) => ({ place: { key: id, grp: 0, id } })
  rememberPage(db, one, { offset: 0, size: 2 }, [row('1'), row('2')])
  for (let number = 0; number < 2_500; number++)
    rememberPage(db, { ...other, text: `search ${number}` }, { offset: 0, size: 1 }, [row('9')])
  const search = { list: one, offset: 2, isMoving: false, isFarFromEnd: false, readPlaces: async () => [] }
  expect(await findStart(db, search)).toEqual({ offset: 2, place: { key: '2', grp: 0, id: '2' }, seen: ['1', '2'] })
  expect(await findStart(db, { ...search, list: { ...one, organizationId: 2 } })).toBeUndefined()
})
