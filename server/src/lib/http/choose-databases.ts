import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { type ExportPool, limitStatements, ofOrganization } from '../database/organization.ts'
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
  db: Database
  lists: Database | null
  exportPool: ExportPool
}

// What a call sees: the rows of its organization, those of all, or none that has an organization.
export function chooseDatabases(
  { own, crossing, exportPool, crossingExportPool }: Databases,
  { lists, settings }: Pick<Services, 'lists' | 'settings'>,
  endpoint: Endpoint,
  isCrossing: boolean,
  request: FastifyRequest,
): ChosenDatabases {
  const { access } = endpoint
  const seconds = isRead(endpoint) ? settings.readTimeout : undefined
  const isOfStaff = typeof access === 'object' ? 'provider' in access : access === 'self' && isStaff(request.caller as Person)
  const several = { organizationId: null, lists: null }
  if (isCrossing || isOfStaff)
    return { ...several, db: limitStatements(crossing, seconds), exportPool: { pool: crossingExportPool, organizationId: null } }
  const organizationId = request.organization?.id ?? findOrganization(request.caller)
  if (organizationId === undefined)
    return { ...several, db: limitStatements(own, seconds), exportPool: { pool: exportPool, organizationId: null } }
  return {
    organizationId,
    db: ofOrganization(own, organizationId, seconds),
    lists: lists && ofOrganization(lists, organizationId, seconds),
    exportPool: { pool: exportPool, organizationId },
  }
}

function findOrganization(caller: Caller): number | undefined {
  if (caller === null) return undefined
  return 'userId' in caller ? caller.organizations[0]?.id : caller.organizationId
}
