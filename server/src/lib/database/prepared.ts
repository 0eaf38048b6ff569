import { sql } from 'kysely'
import pg from 'pg'

const mark = '/* prepared */'

/**
 * Marks a statement of most requests whose best plan is the same for small and large organizations: PostgreSQL keeps its plan for the
 * connection (SCL-08).
 */
export const prepared = sql.raw(mark)

// Each plan takes memory in each connection: 0.25 MB for a page of readers.
const mostNames = 60

/** For the clients of a pool: names marked statements, so that each connection parses and plans them once. */
export function createNaming(): (client: pg.PoolClient) => void {
  const names = new Map<string, string>()
  const findName = (text: string) => {
    if (!names.has(text) && names.size < mostNames) names.set(text, `lectern-${names.size}`)
    return names.get(text)
  }
  return (client) => {
    const query = (...parts: unknown[]) => Reflect.apply(pg.Client.prototype.query, client, parts)
    const queryByName = (text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' && text.includes(mark) ? findName(text) : undefined
      return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest)
    }
    client.query = queryByName as typeof client.query
  }
}
