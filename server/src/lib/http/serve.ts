import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import type { EndpointName, Endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint, FieldsOf, ParamsOf, QueryOf, ReplyOf, WholeOf } from '@lectern/contract/http/endpoint.ts'
import type { ScriptCheck, ScriptFile } from '@lectern/contract/publications/script/script-check.ts'
import type { z } from 'zod/mini'
import type { Actor } from '../actor.ts'
import type { ContentStore, ReceivedFile } from '../content-store.ts'
import type { Database } from '../database/database.ts'
import type { ExportPool } from '../database/organization.ts'
import type { ZoneScope } from '../database/zone-scope.ts'
import type { Drawings } from '../drawings.ts'
import type { EventHub } from '../event-hub.ts'
import type { Salesforce } from '../salesforce.ts'
import type { Settings } from '../settings.ts'
import type { Workbooks } from '../workbook/workbooks.ts'
import type { WorkerPool } from '../worker-pool.ts'
import type { Host, Licence, OrganizationIds, Person } from './caller.ts'
import type { EventSource } from './send-events.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Services {
  /** For first pages of lists, whose plans its connections keep; null where a pooler is in front of the database. */
  lists: Database | null
  settings: Settings
  contents: ContentStore
  events: EventHub
  // Throws while the database cannot be written to.
  isWritable(): Promise<void>
  // Aborted once this server stops.
  stopping: AbortSignal
  catalogue: Catalogue
  drawings: Drawings
  scriptChecks: WorkerPool<ScriptFile, ScriptCheck>
  workbooks: Workbooks
  salesforce: Salesforce | null
  /** The identity provider's database, which has the requests of members who lost their passkeys. */
  recoveries: Database
  /**
   * Sends, or keeps it for the operator where no mail server took it. Returns false where a mail server refused it.
   * @param expiresIn seconds
   */
  sendMail(message: Mail, expiresIn: number): Promise<boolean>
  /** Event streams of hosts that are open at this server. */
  hostStreams: {
    /** @returns a function for when it is closed */
    open(host: Host): () => void
  }
}

type CallerOf<E extends Endpoint> = E['access'] extends 'public'
  ? null
  : E['access'] extends 'agent'
    ? Host
    : E['access'] extends 'licence'
      ? Licence
      : Person

/**
 * Where a call happens. For access by organization, `organizationId` of the path is the organization's number, and `organization` has its
 * public id too. `zones`: of the caller's role.
 */
type Place<E extends Endpoint> = E['access'] extends { organization: unknown }
  ? { params: Omit<ParamsOf<E>, 'organizationId'> & ZoneScope; organization: OrganizationIds }
  : { params: ParamsOf<E> }

type Body<E extends Endpoint> = E['body'] extends z.ZodMiniType ? { body: z.output<E['body']> } : unknown
type Upload<E extends Endpoint> = E['upload'] extends object ? { file: ReceivedFile; fields: FieldsOf<E> } : unknown

/** Throws a Problem 412 where the call is based on another version than `current`. The transaction must have locked that. */
export type Unchanged<E extends Endpoint> = (current: z.input<NonNullable<E['etag']>>) => Promise<void>
type EtagCheck<E extends Endpoint> = E extends { audit: object | string; etag: z.ZodMiniObject } ? { unchanged: Unchanged<E> } : unknown

export interface Streamed {
  status?: number
  headers: Record<string, string | number>
  stream: Readable | null
}

/**
 * A validated, authorized call. For a write, `db` is a transaction: it commits when the handler returns and rolls back when it throws.
 * It is repeated after a serialization failure, so a handler must have no other lasting effect.
 */
export type Call<E extends Endpoint> = Place<E> & {
  query: QueryOf<E>
  caller: CallerOf<E>
  db: Database
  exportPool: ExportPool
  actor: Actor<CallerOf<E>>
  headers: IncomingHttpHeaders
  signal: AbortSignal
  /** The database beside the transaction, for `afterCommit`, which runs once the write is committed, before the response. */
  outside: Database
  afterCommit(work: () => Promise<void>): void
  // Milliseconds since the headers came; most of them may have been the body's.
  sinceReceived(): number
} & Services &
  Body<E> &
  Upload<E> &
  EtagCheck<E>

type Answer<E extends Endpoint> = E['whole'] extends object
  ? Promise<ReplyOf<E> | AsyncIterable<WholeOf<E>>>
  : E['response'] extends object
    ? ReplyOf<E> | Promise<ReplyOf<E>>
    : E['download'] extends object
      ? Streamed | Promise<Streamed>
      : E['events'] extends true
        ? EventSource | Promise<EventSource>
        : Promise<void>

export type Handler<E extends Endpoint> = (call: Call<E>) => Answer<E>

/**
 * Handlers of writes that make their transactions themselves, so that one part need not wait for the rest. Their `db` is no transaction.
 */
export const inParts = new WeakSet<(...call: never[]) => unknown>()

export function writeInParts<Write extends (...call: never[]) => unknown>(write: Write): Write {
  inParts.add(write)
  return write
}

/** By handler: what is done before the transaction of a write. */
export const preparations = new WeakMap<(...call: never[]) => unknown, (call: never) => Promise<unknown>>()

/** A write with a part that takes long and needs no database, such as checking an upload: `prepare`, whose result `write` gets. */
export function writePrepared<Call extends object, Prepared, Result>(
  prepare: (call: Omit<Call, 'db'>) => Promise<Prepared>,
  write: (call: Call, prepared: Prepared) => Result,
): (call: Call) => Result {
  const handler = (call: Call & { prepared?: Prepared }) => write(call, call.prepared as Prepared)
  preparations.set(handler, prepare)
  return handler
}

/** What files are made from. */
export type Exports = { exportPool: ExportPool; db: Database }

export type Handlers = { [Name in EndpointName]: Handler<Endpoints[Name]> }
