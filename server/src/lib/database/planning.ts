import { sql } from 'kysely'

const settings = { walking: 'enable_sort', hashing: 'enable_nestloop' }

const mark = (way: keyof typeof settings) => `/* ${way} */`

/**
 * Marks a statement that reads a list in its order until it has enough; not in a transaction. PostgreSQL then reads an index in that order
 * where there is one. By its own estimate it may read all that the list could have, and sort it: 84,000 buffers in place of 4,000.
 */
export const walking = sql.raw(mark('walking'))

/**
 * Marks a statement that joins names to what a search found; not in a transaction. PostgreSQL then reads the names once. By its own estimate
 * a search of many words finds a single reader, and all names would be looked at for each.
 */
export const hashing = sql.raw(mark('hashing'))

/** SQL to send before a marked statement, in its round trip; '' for others. A way that is off is still taken where there is no other. */
export const choosePlan = (statement: string): string =>
  Object.entries(settings)
    .filter(([way]) => statement.includes(mark(way as keyof typeof settings)))
    .map(([, setting]) => `set local ${setting} = off`)
    .join('; ')
