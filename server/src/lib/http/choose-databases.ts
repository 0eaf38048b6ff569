import { type Endpoint, isOfPerson } from '@lectern/contract/http/endpoint.ts'
import { organizationHeader } from '@lectern/contract/http/request.ts'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { type ExportPool, limitStatements, ofOrganization, ofOwner } from '../database/organization.ts'
import { type Caller, isStaff, type Person } from './caller.ts'
import { isRead } from './gate.ts'
import type { Services } from './serve.ts'

// `own` sees the organization that it is entered for, `crossing` all (decision 51).
export interface Databases {
  own: Database
  crossing: Database
  exportPool: pg.Pool
  crossingExportPool: pg.Pool
}

export interface ChosenDatabases {
  // Null: of several, or of none.
  organizationId: number | null
  /** The organization that pays for the call (FAI-02); null: the caller alone. */
  payer: number | null
  /** Whether it uses the connections for rows of several. */
  isCrossing: boolean
  // Whose its stored reply is; 0 where it has no organization.
  repliesOf: number
  db: Database
  lists: Database | null
  exportPool: ExportPool
}

// What people read, and what they ask with a body, such as a dry run (FAI-06). `isRead` has what is sent until its client has read it apart.
const isBounded = (endpoint: Endpoint): boolean =>
  isRead(endpoint) || (endpoint.changes?.length === 0 && typeof endpoint.access === 'object' && !endpoint.upload)

// What a call sees: the rows of its organization, those of all, or none that has an organization.
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

// An address that is not verified may belong to another person.
const findAddress = ({ access }: Endpoint, caller: Caller): string | undefined =>
  isOfPerson(access) && caller && 'userId' in caller && caller.emailVerified ? caller.email : undefined

// Of a call that crosses. Where it names none, the one that is active then may be another when it is repeated: that of an invitation that it has used.
const findNamed = ({ organization, headers, caller }: FastifyRequest): number | undefined =>
  organization?.id ?? (headers[organizationHeader] === undefined ? undefined : findOrganization(caller))

function findOrganization(caller: Caller): number | undefined {
  if (caller === null) return undefined
  return 'userId' in caller ? caller.organizations[0]?.id : caller.organizationId
}
