import type * as z from 'zod/mini'
import type { Audit } from '../audit/changes.ts'
import type { Permission } from './permissions.ts'
import type { Subject } from './subjects.ts'

/**
 * Who may call an endpoint. Every endpoint names it; one without does not compile.
 * - `public`: anybody.
 * - `self`: any signed-in person; answers concern that person only.
 * - `agent`: an enrolled host, by its own credential.
 * - `licence`: whoever holds a licence number of an organization (only enrolling a host).
 * - `organization(...)`: members of the path's `{organizationId}` (or staff), with every permission named.
 * - `provider(...)`: the vendor's staff, with every permission named.
 */
export type Access =
  | 'public'
  | 'self'
  | 'agent'
  | 'licence'
  | { readonly organization: readonly Permission[] }
  | { readonly provider: readonly Permission[] }

/** Members of the organization named in the path, holding all of `permissions` (spec §6). */
export const organization = (...permissions: Permission[]): { readonly organization: readonly Permission[] } => ({
  organization: permissions,
})

/** The vendor's staff, holding all of `permissions` (spec §6). */
export const provider = (...permissions: Permission[]): { readonly provider: readonly Permission[] } => ({ provider: permissions })

/** A multipart body with one file in the part named `file`, and text fields beside it. */
export interface Upload {
  /** Largest accepted file, in bytes. */
  readonly maxBytes: number
  readonly fields?: z.ZodMiniObject
}

/** An answer that is streamed as it is, not JSON. */
export interface Download {
  readonly contentType: string
}

interface Read {
  readonly method: 'GET'
  readonly shows: readonly Subject[]
  readonly changes?: undefined
  readonly audit?: undefined
}

interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** What it leaves in the audit log. A write that does not say so does not compile. */
  readonly audit: Audit
  /** The reads of these subjects are stale once it succeeds. */
  readonly changes: readonly Subject[]
  readonly shows?: undefined
}

interface Call {
  readonly path: `/${string}`
  readonly access: Access
  /** Of one caller; default: the limit of all calls together. */
  readonly callsPerMinute?: number
  /** Called once for every piece of a large answer: counted apart from an address's other calls, and ten times as many are answered. */
  readonly inPieces?: true
  /** One line for the API document. */
  readonly summary: string
  /** Path parameters that are not plain text. */
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  /** Largest accepted body, in bytes. Without it the server's own limit holds. */
  readonly maxBodyBytes?: number
  readonly upload?: Upload
  readonly response?: z.ZodMiniType
  /**
   * What of the answer people edit, where two may do so at once. The answer then has an `ETag` of these parts, and a write is refused (412)
   * whose `If-Match` names another one than the record has.
   */
  readonly etag?: z.ZodMiniObject
  /** What the list answers instead when no page is asked for: an array of these, streamed (decided). */
  readonly whole?: z.ZodMiniType
  readonly download?: Download
  /** Answers with server-sent events that never end. */
  readonly events?: true
}

export type Endpoint = Call & (Read | Write)

/** Declares an endpoint and keeps its exact type, from which servers and clients derive theirs. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Declared<Schema> = Schema extends z.ZodMiniObject ? z.output<Schema> : Record<never, never>

/** Values of the path's `{names}`: text, unless the endpoint declares otherwise. */
export type ParamsOf<E extends Endpoint> = Omit<Record<Names<E['path']>, string>, keyof Declared<E['params']>> & Declared<E['params']>
export type QueryOf<E extends Endpoint> = Declared<E['query']>
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodMiniType ? z.output<E['body']> : undefined
export type FieldsOf<E extends Endpoint> = E['upload'] extends { fields: z.ZodMiniObject }
  ? z.output<E['upload']['fields']>
  : Record<never, never>
export type ResponseOf<E extends Endpoint> = E['response'] extends z.ZodMiniType ? z.output<E['response']> : undefined
export type ReplyOf<E extends Endpoint> = E['response'] extends z.ZodMiniType ? z.input<E['response']> : undefined

/** An item of the whole list. */
export type WholeOf<E extends Endpoint> = E['whole'] extends z.ZodMiniType ? z.input<E['whole']> : never

/** What a caller hands over. Parts an endpoint does not have may not be given. */
export type ArgumentsOf<E extends Endpoint> = ([Names<E['path']>] extends [never] ? unknown : { params: ParamsOf<E> }) &
  (E['query'] extends z.ZodMiniObject ? { query?: Partial<QueryOf<E>> } : unknown) &
  (E['body'] extends z.ZodMiniType ? { body: z.input<E['body']> } : unknown) &
  (E extends Write & { etag: z.ZodMiniObject } ? { basedOn?: z.input<E['etag']> } : unknown) &
  (E['upload'] extends Upload ? { file: File; fields?: Partial<FieldsOf<E>> } : unknown)
