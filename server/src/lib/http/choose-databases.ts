import { type Endpoint, isOfPerson } from '@lectern/contract/http/endpoint.ts'
import { organizationHeader } from '@lectern/contract/http/request.ts'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { type ExportPool, limitStatements, ofOrganization, ofOwner } from '../database/organization.ts'
import { type Caller, isStaff, type Person } from './caller.ts'
import { isRead } from './gate.ts'
import type { Services } from './serve.ts'

// `own` sees the organization of the call, `crossing` all (decision 51).
export interface Databases {
  own: Database
  crossing: Database
  exportPool: pg.Pool
  crossingExportPool: pg.Pool
}

export interface ChosenDatabases {
  // Null where the call is about several organizations, or none.
  organizationId: number | null
  /** The organization that pays for the call (FAI-02); null where the caller pays alone. */
  payer: number | null
  /** Whether the call uses the connections that see several organizations. */
  isCrossing: boolean
  // The organization under which its reply is stored; 0 for none.
  repliesOf: number
  db: Database
  lists: Database | null
  exportPool: ExportPool
}

// Calls with a bound of time: what people read, and what they ask with a body, such as a dry run (FAI-06). `isRead` leaves out what is sent
// while its client reads.
const isBounded = (endpoint: Endpoint): boolean =>
  isRead(endpoint) || (endpoint.changes?.length === 0 && typeof endpoint.access === 'object' && !endpoint.upload)

// Chooses what a call sees: the rows of its organization, of all, or only those of no organization.
export function chooseDatabases(
  { own, crossing, exportPool, crossingExportPool }: Databases,
  { lists, settings }: Pick<Services, 'lists' | 'settings'>,
  endpoint: Endpoint,
  isCrossing: boolean,
  request: FastifyRequest,
): ChosenDatabases {
  const { access } = endpoint
  const deadline = isBounded(endpoint) ? performance.now() + settings.readTimeout * 1_000 : undefined
  const isOfStaff = isOfPerson(access) ? isStaff(request.caller as Person) : typeof access === 'object' && 'provider' in access
  const organizationId = request.organization?.id ?? findOrganization(request.caller)
  const several = { organizationId: null, payer: isOfStaff ? null : (organizationId ?? null), repliesOf: 0, lists: null }
  if (isCrossing || isOfStaff)
    return {
      ...several,
      isCrossing: true,
      repliesOf: findNamed(request) ?? 0,
      db: limitStatements(crossing, deadline),
      exportPool: { pool: crossingExportPool, organizationId: null },
    }
  const owner = { organizationId, address: findAddress(endpoint, request.caller) }
  if (organizationId === undefined)
    return { ...several, isCrossing: false, db: ofOwner(own, owner, deadline), exportPool: { pool: exportPool, organizationId: null } }
  return {
    organizationId,
    payer: organizationId,
    isCrossing: false,
    repliesOf: organizationId,
    db: ofOwner(own, owner, deadline),
    lists: lists && ofOrganization(lists, organizationId, deadline),
    exportPool: { pool: exportPool, organizationId },
  }
}

// Only a verified address: another one may belong to another person.
const findAddress = ({ access }: Endpoint, caller: Caller): string | undefined =>
  isOfPerson(access) && caller && 'userId' in caller && caller.emailVerified ? caller.email : undefined

// The organization that a crossing call names. Where it names none, the active one may be another when the call is repeated, as after an
// invitation was used.
const findNamed = ({ organization, headers, caller }: FastifyRequest): number | undefined =>
  organization?.id ?? (headers[organizationHeader] === undefined ? undefined : findOrganization(caller))

function findOrganization(caller: Caller): number | undefined {
  if (caller === null) return undefined
  return 'userId' in caller ? caller.organizations[0]?.id : caller.organizationId
}
