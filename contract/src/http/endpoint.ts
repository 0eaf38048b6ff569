import type * as z from 'zod/mini'
import type { AuditRule } from '../audit/changes.ts'
import type { Permission } from './permissions.ts'
import type { Subject } from './subjects.ts'

/**
 * No endpoint compiles without it (spec §6).
 * - `public`: anyone.
 * - `self`: a signed-in user, about that user only.
 * - `oneOf(...)`: a signed-in user with one of these permissions in the organization of the call; a provider-wide one counts everywhere.
 * - `agent`: an enrolled host, by its own credential.
 * - `licence`: by a licence number of an organization (to enroll a host).
 * - `organization(...)`: members of the path's `{organizationId}`, and staff, with all permissions.
 * - `provider(...)`: the vendor's staff, with all permissions.
 */
export type Access =
  | 'public'
  | 'self'
  | 'agent'
  | 'licence'
  | { readonly oneOf: readonly Permission[] }
  | { readonly organization: readonly Permission[] }
  | { readonly provider: readonly Permission[] }

// Marked, so that bundlers drop unused endpoints: a page that needs only a noun's schema does not load its endpoints.
/* @__NO_SIDE_EFFECTS__ */
export const organization = (...permissions: Permission[]): { readonly organization: readonly Permission[] } => ({
  organization: permissions,
})

/* @__NO_SIDE_EFFECTS__ */
export const oneOf = (...permissions: Permission[]): { readonly oneOf: readonly Permission[] } => ({ oneOf: permissions })

/** Whether a person calls it, without an organization that its path needs. */
export const isOfPerson = (access: Access): access is 'self' | { readonly oneOf: readonly Permission[] } =>
  access === 'self' || (typeof access === 'object' && 'oneOf' in access)

/* @__NO_SIDE_EFFECTS__ */
export const provider = (...permissions: Permission[]): { readonly provider: readonly Permission[] } => ({ provider: permissions })

/** A multipart body: one file in the part `file`, and text fields. */
export interface Upload {
  readonly maxBytes: number
  readonly fields?: z.ZodMiniObject
}

export interface Download {
  readonly contentType: string
  /** Further types, where the caller chooses. */
  readonly others?: readonly string[]
}

interface Read {
  readonly method: 'GET'
  readonly shows: readonly Subject[]
  readonly changes?: undefined
  readonly audit?: undefined
}

interface Write {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly audit: AuditRule
  readonly changes: readonly Subject[]
  readonly shows?: undefined
}

export const defaultBodyBytes = 64 * 1024

interface Call {
  readonly path: `/${string}`
  readonly access: Access
  /** What a role limited to zones may do with it (decision 47). Absent: such a role is refused. */
  readonly limitedRole?: 'zones' | 'everything'
  /** Per caller; default: the limit of all calls together. */
  readonly callsPerMinute?: number
  /** The call is made once per piece of a large response. It is counted apart, with ten times the limit. */
  readonly inPieces?: true
  readonly summary: string
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  /** Default: `defaultBodyBytes`. A larger body is refused before it is stored (413). */
  readonly maxBodyBytes?: number
  /** How many values and keys its largest valid body has; default: computed from its schema (`findMostValues`). */
  readonly maxValues?: number
  readonly upload?: Upload
  readonly response?: z.ZodMiniType
  /**
   * The parts of a record that people edit, where two may do so at once. A response has their `ETag`; a write whose `If-Match` has another
   * one is refused (412).
   */
  readonly etag?: z.ZodMiniObject
  /**
   * The schema of an item of the streamed array: where no page is asked for, or where there are none (decision 9). Without pages `response`
   * is the same array.
   */
  readonly whole?: z.ZodMiniType
  readonly download?: Download
  readonly events?: true
}

export type Endpoint = Call & (Read | Write)

/* @__NO_SIDE_EFFECTS__ */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Declared<Schema> = Schema extends z.ZodMiniObject ? z.output<Schema> : Record<never, never>

export type ParamsOf<E extends Endpoint> = Omit<Record<Names<E['path']>, string>, keyof Declared<E['params']>> & Declared<E['params']>
export type QueryOf<E extends Endpoint> = Declared<E['query']>
export type FieldsOf<E extends Endpoint> = E['upload'] extends { fields: z.ZodMiniObject }
  ? z.output<E['upload']['fields']>
  : Record<never, never>
export type ResponseOf<E extends Endpoint> = E['response'] extends z.ZodMiniType ? z.output<E['response']> : undefined
export type ReplyOf<E extends Endpoint> = E['response'] extends z.ZodMiniType ? z.input<E['response']> : undefined

export type WholeOf<E extends Endpoint> = E['whole'] extends z.ZodMiniType ? z.input<E['whole']> : never

export type ArgumentsOf<E extends Endpoint> = ([Names<E['path']>] extends [never] ? unknown : { params: ParamsOf<E> }) &
  (E['query'] extends z.ZodMiniObject ? { query?: Partial<QueryOf<E>> } : unknown) &
  (E['body'] extends z.ZodMiniType ? { body: z.input<E['body']> } : unknown) &
  (E extends Write & { etag: z.ZodMiniObject } ? { basedOn?: z.input<E['etag']> } : unknown) &
  (E['upload'] extends Upload ? { file: File; fields?: Partial<FieldsOf<E>> } : unknown)
