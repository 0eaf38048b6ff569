import type { Access } from '@lectern/contract/http/endpoint.ts'
import { isProviderWide, type Permission } from '@lectern/contract/http/permissions.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { isOfZones } from '@lectern/contract/people/roles.ts'
import type { ZoneScope } from '../database/zone-scope.ts'
import { notFound } from './problem.ts'

/** An organization by its number inside and its id outside. */
export interface OrganizationIds {
  id: number
  publicId: string
}

/** `permissions`: of the role there. `zones`: those that it is limited to; null: all. */
export interface Membership extends OrganizationIds, Pick<ZoneScope, 'zones'> {
  permissions: readonly string[]
  /** Whether the last activity that is stored is a few minutes old. */
  isQuiet: boolean
  /** Whether it takes calls only from a sign-in with a passkey (SES-05). */
  requiresPasskeys: boolean
}

export interface Person {
  userId: string
  email: string
  emailVerified: boolean
  isByPasskey: boolean
  /** The token's. */
  claims: ReadonlySet<string>
  /** Both in the organization of the call. */
  permissions: ReadonlySet<string>
  zones: ZoneScope['zones']
  /** The organization of the call first, if it is one of theirs, then the oldest membership first (spec §6). */
  organizations: readonly Membership[]
}

/** `preferred`: the number of the organization that is active where a call names none. */
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
  /** As `plannedStart` of the contract reads it. */
  timeZoneHistory: string
  agentVersion: string
}

export interface Licence {
  licenceId: string
  organizationId: number
}

export type Caller = Person | Host | Licence | null

type PersonalAccess = Exclude<Access, 'public' | 'agent' | 'licence'>

/** `isTogether`: by one statement with others that are asked for at the same moment. `tokenAt`: when the token must have been valid, if not now. */
export interface PersonOptions {
  isTogether?: boolean
  tokenAt?: Date
}

/** The first three throw a Problem 401 for an unknown bearer credential, the last a 404 for an organization that the person does not see. */
export interface Authentication {
  person(token: string, options: PersonOptions): Promise<KnownPerson>
  host(credential: string): Promise<Host>
  licence(number: string): Promise<Licence>
  /** In the first of their organizations. */
  recordActivity(person: Person): Promise<void>
  findWhomToAsk(organizationId: number): Promise<string | null>
  organization(person: KnownPerson, publicId: string): Promise<OrganizationIds>
}

/** Staff see every organization (spec §6). */
export const isStaff = ({ claims }: Pick<Person, 'claims'>): boolean => claims.has('global:access:organizations')

/**
 * What a person may do in an organization: what their role there permits, and what the token says of the whole portal (decision 45). Staff have their
 * token's permissions in the organizations of others, and where there is none. A role that is limited to zones permits what is done in zones (decision 47).
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
 * Of a call for a person: the one of theirs that its path names, as the registry's does (spec §5), else the one that its header names, else the one that the
 * person chose, else the first that they joined. Throws a Problem 404 for a header that names none of theirs.
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

/** Where a person finds what has a number of its own: in the organization of the call; staff everywhere. */
export const findScope = (person: Person): OrganizationScope =>
  isStaff(person) ? 'all' : person.organizations.slice(0, 1).map(({ id }) => id)

export const findMissingPermission = (person: Person, needed: readonly Permission[]): Permission | undefined =>
  needed.find((permission) => !person.permissions.has(permission))

/** What the person would need for a call of a person, a member or staff, in words; undefined where they have it. */
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

// Empty where no one is known.
export const toCallerKey = (caller: Caller): string =>
  caller === null
    ? ''
    : 'userId' in caller
      ? `user ${caller.userId}`
      : 'hostId' in caller
        ? `host ${caller.hostId}`
        : `licence ${caller.licenceId}`
