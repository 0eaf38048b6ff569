import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { type Database, findPool } from './database.ts'
import { choosePlan } from './planning.ts'
import { addressVariable, organizationVariable } from './row-security.ts'
import type { DB } from './schema.ts'

const origins = new WeakMap<Database, Database>()

// Returns the database that `ofOrganization` was called with; without such a call, the same database.
export const findOrigin = (db: Database): Database => origins.get(db) ?? db

// SQL that begins to show the rows of an organization until the end of the transaction.
export const setOrganization = (organizationId: number): string => {
  if (!Number.isSafeInteger(organizationId)) throw new Error('An organization has a whole number.')
  return `set local ${organizationVariable} = '${organizationId}'`
}

/**
 * When all statements of a request must have ended, in milliseconds of `performance.now()`. PostgreSQL then ends the running one (57014),
 * and each later one at once.
 */
export type Deadline = number

/**
 * The database as one organization: its transactions, and each statement beside them, see the organization's rows and no other (decision 51). The
 * organization is set in the round trip of BEGIN, or of the statement.
 */
export const ofOrganization = (db: Database, organizationId: number, deadline?: Deadline): Database =>
  ofOwner(db, { organizationId }, deadline)

/**
 * Whose rows a transaction sees. `address`: a person's verified e-mail address; support cases and scanner-app users belong to one, and to
 * no organization.
 */
interface Owner {
  organizationId?: number | undefined
  address?: string | undefined
}

/** As `ofOrganization`, and sees what belongs to a person too (decision 51). */
export const ofOwner = (db: Database, { organizationId, address }: Owner, deadline?: Deadline): Database =>
  withBegin(
    db,
    [
      ...(organizationId === undefined ? [] : [setOrganization(organizationId)]),
      ...(address === undefined ? [] : [`set local ${addressVariable} = ${pg.escapeLiteral(address)}`]),
    ].join('; '),
    deadline,
  )

export const limitStatements = (db: Database, deadline: Deadline | undefined): Database => withBegin(db, '', deadline)

const limitTime = (deadline: Deadline): string => `set local statement_timeout = ${Math.max(1, Math.ceil(deadline - performance.now()))}`

function withBegin(db: Database, begin: string, deadline: Deadline | undefined): Database {
  if (begin === '' && deadline === undefined) return db
  const own = new Kysely<DB>({ dialect: new OrganizationDialect(findPool(db), { begin, deadline }) })
  origins.set(own, findOrigin(db))
  return own
}

interface Beginning {
  /** SQL that is sent with BEGIN, in one round trip; may be empty. */
  begin: string
  deadline: Deadline | undefined
}

// Connections for files, each held until the client has read the file. `organizationId`: null for all organizations.
export interface ExportPool {
  pool: pg.Pool
  organizationId: number | null
}

class OrganizationDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  readonly #beginning: Beginning
  constructor(pool: pg.Pool, beginning: Beginning) {
    super({ pool })
    this.#pool = pool
    this.#beginning = beginning
  }
  override createDriver(): Driver {
    return new OrganizationDriver(this.#pool, this.#beginning)
  }
}

class OrganizationDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #beginning: Beginning
  constructor(pool: pg.Pool, beginning: Beginning) {
    this.#pool = pool
    this.#beginning = beginning
  }
  async init(): Promise<void> {}
  // The pool is shared by all organizations and ends with the database itself.
  async destroy(): Promise<void> {}
  async acquireConnection(): Promise<OrganizationConnection> {
    return new OrganizationConnection(await this.#pool.connect(), this.#beginning)
  }
  async beginTransaction(connection: OrganizationConnection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    await connection.begin([isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' '))
  }
  async commitTransaction(connection: OrganizationConnection): Promise<void> {
    // After an error the transaction is aborted, and COMMIT rolls it back.
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
  readonly #beginning: Beginning
  constructor(client: pg.PoolClient, beginning: Beginning) {
    this.#client = client
    this.#beginning = beginning
  }

  async begin(modes: string): Promise<void> {
    this.#isInTransaction = true
    this.#isBroken = true
    await this.#client.query(this.#writeBegin(` ${modes}`))
    this.#isBroken = false
  }

  async end(statement: 'commit' | 'rollback'): Promise<string> {
    this.#isBroken = true
    const { command } = await this.#client.query(statement)
    this.#isBroken = false
    return command
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await (this.#isInTransaction ? this.#sendInTransaction(query) : this.#sendAlone(query))
    return /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read by streamRows.')
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  #writeBegin(modes: string, ...more: string[]): string {
    const { begin, deadline } = this.#beginning
    return [`begin${modes}`, begin, deadline === undefined ? '' : limitTime(deadline), ...more].filter((part) => part !== '').join('; ')
  }

  // Later statements have the time that the request has left.
  async #sendInTransaction(query: CompiledQuery): Promise<pg.QueryResult> {
    const { deadline } = this.#beginning
    if (deadline === undefined) return this.#send(query)
    const [limited, result] = await Promise.allSettled([this.#client.query(limitTime(deadline)), this.#send(query)])
    if (result.status === 'rejected') throw result.reason
    if (limited.status === 'rejected') throw limited.reason
    return result.value
  }

  #send({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    return this.#client.query(sql, [...parameters])
  }

  // All three are sent without waiting, in one round trip. After a failure the last one rolls back.
  async #sendAlone(query: CompiledQuery): Promise<pg.QueryResult> {
    const [opened, result, ended] = await Promise.allSettled([
      this.#client.query(this.#writeBegin('', choosePlan(query.sql))),
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
