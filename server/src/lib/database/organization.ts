import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { type Database, findPool } from './database.ts'
import { organizationVariable } from './row-security.ts'
import type { DB } from './schema.ts'

const origins = new WeakMap<Database, Database>()

// What `ofOrganization` was called with; the database itself where it was not.
export const findOrigin = (db: Database): Database => origins.get(db) ?? db

// SQL that begins to show the rows of an organization until the end of the transaction.
export const setOrganization = (organizationId: number): string => {
  if (!Number.isSafeInteger(organizationId)) throw new Error('An organization has a whole number.')
  return `set local ${organizationVariable} = '${organizationId}'`
}

// The database as one organization: its transactions, and each statement beside them, see the organization's rows and no other (decision 51). The
// organization is set in the round trip of BEGIN, or of the statement. `seconds`: that a statement may take.
export const ofOrganization = (db: Database, organizationId: number, seconds?: number): Database =>
  withBegin(db, `${setOrganization(organizationId)}${seconds === undefined ? '' : `; ${limitSeconds(seconds)}`}`)

export const limitStatements = (db: Database, seconds: number | undefined): Database =>
  seconds === undefined ? db : withBegin(db, limitSeconds(seconds))

const limitSeconds = (seconds: number): string => `set local statement_timeout = ${seconds * 1_000}`

function withBegin(db: Database, begin: string): Database {
  const own = new Kysely<DB>({ dialect: new OrganizationDialect(findPool(db), begin) })
  origins.set(own, findOrigin(db))
  return own
}

// For files, which hold a connection until their client has read them. `organizationId` null: of all organizations.
export interface ExportPool {
  pool: pg.Pool
  organizationId: number | null
}

class OrganizationDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  readonly #begin: string
  constructor(pool: pg.Pool, begin: string) {
    super({ pool })
    this.#pool = pool
    this.#begin = begin
  }
  override createDriver(): Driver {
    return new OrganizationDriver(this.#pool, this.#begin)
  }
}

class OrganizationDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #begin: string
  constructor(pool: pg.Pool, begin: string) {
    this.#pool = pool
    this.#begin = begin
  }
  async init(): Promise<void> {}
  // The pool is of all organizations, and ended with the database itself.
  async destroy(): Promise<void> {}
  async acquireConnection(): Promise<OrganizationConnection> {
    return new OrganizationConnection(await this.#pool.connect(), this.#begin)
  }
  async beginTransaction(connection: OrganizationConnection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    await connection.begin([isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' '))
  }
  async commitTransaction(connection: OrganizationConnection): Promise<void> {
    // An error before has left the transaction aborted.
    if ((await connection.end('commit')) === 'ROLLBACK') throw new Error('The transaction was rolled back, as a statement of it failed.')
  }
  async rollbackTransaction(connection: OrganizationConnection): Promise<void> {
    await connection.end('rollback')
  }
  async releaseConnection(connection: OrganizationConnection): Promise<void> {
    connection.release()
  }
}

class OrganizationConnection implements DatabaseConnection {
  #isInTransaction = false
  #isBroken = false
  readonly #client: pg.PoolClient
  readonly #begin: string
  constructor(client: pg.PoolClient, begin: string) {
    this.#client = client
    this.#begin = begin
  }

  async begin(modes: string): Promise<void> {
    this.#isInTransaction = true
    this.#isBroken = true
    await this.#client.query(`begin ${modes}; ${this.#begin}`)
    this.#isBroken = false
  }

  async end(statement: 'commit' | 'rollback'): Promise<string> {
    this.#isBroken = true
    const { command } = await this.#client.query(statement)
    this.#isBroken = false
    return command
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await (this.#isInTransaction ? this.#send(query) : this.#sendAlone(query))
    return /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read by streamRows.')
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  #send({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    return this.#client.query(sql, [...parameters])
  }

  // The three are sent without waiting: one round trip. After a failure the last rolls back.
  async #sendAlone(query: CompiledQuery): Promise<pg.QueryResult> {
    const [opened, result, ended] = await Promise.allSettled([
      this.#client.query(`begin; ${this.#begin}`),
      this.#send(query),
      this.#client.query('end'),
    ])
    this.#isBroken = ended.status === 'rejected'
    if (result.status === 'rejected') throw result.reason
    if (opened.status === 'rejected') throw opened.reason
    if (ended.status === 'rejected') throw ended.reason
    return result.value
  }
}
