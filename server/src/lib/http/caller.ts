import type { Access } from '@lectern/contract/http/endpoint.ts'
import { isProviderWide, type Permission } from '@lectern/contract/http/permissions.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { isOfZones } from '@lectern/contract/people/roles.ts'
import type { ZoneScope } from '../database/zone-scope.ts'
import { notFound } from './problem.ts'

/** An organization's internal number and its public id. */
export interface OrganizationIds {
  id: number
  publicId: string
}

/** `permissions`: of the person's role there. `zones`: those that the role is limited to; null: all. */
export interface Membership extends OrganizationIds, Pick<ZoneScope, 'zones'> {
  permissions: readonly string[]
  /** Whether the stored time of the last activity is some minutes old. */
  isQuiet: boolean
  /** Whether calls must come from a sign-in with a passkey (SES-05). */
  requiresPasskeys: boolean
}

export interface Person {
  userId: string
  email: string
  emailVerified: boolean
  isByPasskey: boolean
  /** Provider-wide permissions, from the token. */
  claims: ReadonlySet<string>
  /** `permissions` and `zones` are of the organization of the call. */
  permissions: ReadonlySet<string>
  zones: ZoneScope['zones']
  /** First the organization of the call, where it is one of theirs; then by the time of joining (spec §6). */
  organizations: readonly Membership[]
}

/** A person before a call's organization is known. `preferred`: the number of the organization for calls that name none. */
export type KnownPerson = Omit<Person, 'permissions' | 'zones'> & { preferred: number | null }

export interface ZoneIds {
  organizationId: number
  zoneId: number
}

export interface Host extends ZoneIds {
  hostId: number
  publicZoneId: string
  name: string
  timeZone: string
  /** In the form that the contract's `plannedStart` takes. */
  timeZoneHistory: string
  agentVersion: string
  /** Two PCs check in as this host (AGT-08). */
  onTwoPcs: boolean
}

export interface Licence {
  licenceId: string
  organizationId: number
}

export type Caller = Person | Host | Licence | null

type PersonalAccess = Exclude<Access, 'public' | 'agent' | 'licence'>

/**
 * `isTogether`: looked up in one statement with others that are asked for at the same time. `tokenAt`: when the token must have been valid;
 * absent: now.
 */
export interface PersonOptions {
  isTogether?: boolean
  tokenAt?: Date
}

/**
 * The first three throw a Problem 401 for an unknown credential; the last throws a 404 for an organization that the person does not see.
 */
export interface Authentication {
  person(token: string, options: PersonOptions): Promise<KnownPerson>
  host(credential: string): Promise<Host>
  licence(number: string): Promise<Licence>
  /** Recorded in the first of their organizations. */
  recordActivity(person: Person): Promise<void>
  findWhomToAsk(organizationId: number): Promise<string | null>
  organization(person: KnownPerson, publicId: string): Promise<OrganizationIds>
}

/** Staff see every organization (spec §6). */
export const isStaff = ({ claims }: Pick<Person, 'claims'>): boolean => claims.has('global:access:organizations')

/**
 * What a person may do in an organization: what their role there permits, and what the token grants for the whole portal (decision 45).
 * Staff have their token's permissions where they have no role. A role limited to zones permits only what is done in zones (decision 47).
 */
export function enterOrganization({ preferred, ...person }: KnownPerson, organizationId: number | undefined): Person {
  const own = person.organizations.find(({ id }) => id === organizationId)
  const others = person.organizations.filter((one) => one !== own)
  const claimed = [...person.claims].filter((permission) => isStaff(person) || isProviderWide(permission))
  const zones = own?.zones ?? null
  const usable = own?.permissions.filter((permission) => zones === null || isOfZones(permission))
  const permissions = usable ? [...usable, ...claimed.filter(isProviderWide)] : claimed
  return { ...person, permissions: new Set(permissions), zones, organizations: own ? [own, ...others] : person.organizations }
}

/**
 * The organization of a person's call: the one of theirs that its path names, as the registry's does (spec §5), else the one of its header,
 * else the one that the person chose, else the first that they joined. Throws a Problem 404 for a header that names none of theirs.
 */
export function findActiveOrganization(
  { organizations, preferred }: KnownPerson,
  inPath: string | undefined,
  named: string | undefined,
): number | undefined {
  const worked = organizations.find(({ publicId }) => publicId === inPath)
  if (worked) return worked.id
  if (named === undefined) return (organizations.find(({ id }) => id === preferred) ?? organizations[0])?.id
  const own = organizations.find(({ publicId }) => publicId === named)
  if (!own) throw notFound()
  return own.id
}

export const needsPasskey = ({ organizations, isByPasskey }: KnownPerson, organizationId: number | undefined): boolean =>
  !isByPasskey && organizations.some(({ id, requiresPasskeys }) => id === organizationId && requiresPasskeys)

export type OrganizationScope = readonly number[] | 'all'

/** Where a person finds records that have a number of their own: in the organization of the call; staff in all. */
export const findScope = (person: Person): OrganizationScope =>
  isStaff(person) ? 'all' : person.organizations.slice(0, 1).map(({ id }) => id)

export const findMissingPermission = (person: Person, needed: readonly Permission[]): Permission | undefined =>
  needed.find((permission) => !person.permissions.has(permission))

/** Returns in words what the person lacks for a call of this access; undefined where nothing is missing. */
export function describeMissing(person: Person, access: PersonalAccess): string | undefined {
  if (access === 'self') return undefined
  if ('oneOf' in access) {
    if (access.oneOf.some((permission) => person.permissions.has(permission))) return undefined
    const ofMembers = access.oneOf.filter((permission) => !isProviderWide(permission))
    return `${ofMembers.length === 1 ? 'the permission' : 'one of the permissions'} ${quotePermissions(ofMembers)}`
  }
  const missing = findMissingPermission(person, 'organization' in access ? access.organization : access.provider)
  return missing && `the permission ${quotePermissions([missing])}`
}

// Returns '' for an unknown caller.
export const toCallerKey = (caller: Caller): string =>
  caller === null
    ? ''
    : 'userId' in caller
      ? `user ${caller.userId}`
      : 'hostId' in caller
        ? `host ${caller.hostId}`
        : `licence ${caller.licenceId}`
