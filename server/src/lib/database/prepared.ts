import { sql } from 'kysely'
import pg from 'pg'

const mark = '/* prepared */'

/**
 * For a statement of most requests whose best plan is the same for every organization, large or small: PostgreSQL keeps its plan for the connection
 * (SCL-08).
 */
export const prepared = sql.raw(mark)

// Each plan takes memory in each connection, that of a page of readers 0.25 MB.
const mostNames = 60

/** For the clients of a pool: gives marked statements a name, so that each connection parses and plans them once. */
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
