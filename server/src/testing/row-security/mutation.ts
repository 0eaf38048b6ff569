import pg from 'pg'
import { logins } from '../../postgres/logins.ts'
import { tenantTables } from '../database/organization-guard.ts'

const column = String.raw`(?:"?\w+"?\.)?"?organization_id"?`
const operand = String.raw`(?:any\s*\([^()]*\)|\$\d+(?:::\w+(?:\[\])?)?|\d+|"?\w+"?\."?(?:organization_id|id)"?|organization_id)`
const condition = new RegExp(
  String.raw`(?<!set\s|\w|["'.])(?:${column}\s*=\s*${operand}|\$\d+(?:::\w+)?\s*=\s*${column}|"?\w+"?\.id\s*=\s*${column}|${column}\s+in\s*\([^()]*\))(?![\w.])`,
  'gi',
)

// Makes each condition on an organization true in the statement. Returns how many there were.
export function mutate(statement: string): { text: string; conditions: number } {
  let conditions = 0
  const text = statement.replace(condition, (found) => {
    conditions += 1
    return `(${found} or true)`
  })
  return { text, conditions }
}

type Query = (this: pg.Client, ...parts: unknown[]) => unknown
interface Sent {
  text: string
  name?: string
}

// Listens to what the server sends in the role that sees one organization. Nothing is committed, so each call finds the same data. With
// `looksAt`, each transaction shows at its end what it has made of that organization.
export class Tap {
  // The statement whose conditions on an organization are true.
  mutated: string | undefined
  looksAt: number | undefined
  readonly #sent = new Set<string>()
  readonly #seen = new Set<string>()
  #waiting: Promise<unknown>[] = []
  readonly #database: string
  readonly #original: Query

  constructor(database: string) {
    this.#database = database
    this.#original = pg.Client.prototype.query as Query
    const tap = this
    pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
      return this.user === logins.server && this.database === tap.#database ? tap.#hear(this, parts) : tap.#original.apply(this, parts)
    } as typeof pg.Client.prototype.query
  }

  close(): void {
    pg.Client.prototype.query = this.#original as typeof pg.Client.prototype.query
  }

  // Returns, since the last call, the statements, and what the organization looked like at the end of transactions.
  async take(): Promise<{ sent: string[]; seen: string[] }> {
    await Promise.all(this.#waiting)
    const taken = { sent: [...this.#sent], seen: [...this.#seen] }
    this.#sent.clear()
    this.#seen.clear()
    this.#waiting = []
    return taken
  }

  #hear(client: pg.Client, parts: unknown[]): unknown {
    const [first, ...rest] = parts as [string | Sent, ...unknown[]]
    const { text } = typeof first === 'string' ? { text: first } : first
    if (text === 'commit' || text === 'end') return this.#end(client)
    this.#sent.add(text)
    if (text !== this.mutated) return this.#original.apply(client, parts)
    const changed = mutate(text).text
    if (typeof first === 'string') return this.#original.call(client, changed, ...rest)
    // The name of a prepared statement has one text. COPY is an object of its own.
    if ('submit' in first) first.text = changed
    else parts[0] = { ...first, text: changed, name: undefined }
    return this.#original.apply(client, parts)
  }

  async #end(client: pg.Client): Promise<unknown> {
    const send = (text: string) => this.#original.call(client, text) as Promise<pg.QueryResult>
    if (this.looksAt !== undefined)
      this.#waiting.push(
        send(`set local lectern.organization = '${this.looksAt}'; ${describe(this.looksAt)}`).then(
          (results) => void this.#seen.add((results as unknown as pg.QueryResult[])[1]!.rows[0].description),
          // A failed transaction has changed nothing.
          () => undefined,
        ),
      )
    await send('rollback')
    return { command: 'COMMIT', rowCount: null, rows: [] }
  }
}

// SQL: a digest of all rows of an organization.
export const describe = (organizationId: number): string =>
  `select md5(string_agg(digest, '')) as description from (${[...tenantTables]
    .map(
      (name) => `select md5(string_agg(t::text, '' order by t::text)) as digest from "${name}" t where organization_id = ${organizationId}`,
    )
    .join(' union all ')}) tables`
