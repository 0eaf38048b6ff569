import type { Permission } from '@lectern/contract/http/permissions.ts'

/** An organization by its number inside and its id outside. */
export interface OrganizationIds {
  id: number
  publicId: string
}

export interface Person {
  userId: string
  email: string
  emailVerified: boolean
  permissions: ReadonlySet<string>
  /** Oldest membership first; the first is the active organization (spec §6). */
  organizations: readonly OrganizationIds[]
}

export interface ZoneIds {
  organizationId: number
  zoneId: number
}

export interface Host extends ZoneIds {
  hostId: number
  publicZoneId: string
  name: string
}

export interface Licence {
  licenceId: string
  organizationId: number
}

export type Caller = Person | Host | Licence | null

/** The first three throw a Problem 401 for an unknown bearer credential, the last a 404 for an organization that the person does not see. */
export interface Authentication {
  person(token: string): Promise<Person>
  host(credential: string): Promise<Host>
  licence(number: string): Promise<Licence>
  organization(person: Person, publicId: string): Promise<OrganizationIds>
}

/** Staff see every organization (spec §6). */
export const isStaff = (person: Person): boolean => person.permissions.has('global:access:organizations')

export type OrganizationScope = readonly number[] | 'all'

/** Where a person finds what has a number of its own; staff everywhere. */
export const findScope = (person: Person): OrganizationScope => (isStaff(person) ? 'all' : person.organizations.map(({ id }) => id))

export const findMissingPermission = (person: Person, needed: readonly Permission[]): Permission | undefined =>
  needed.find((permission) => !person.permissions.has(permission))

// Empty where no one is known.
export const toCallerKey = (caller: Caller): string =>
  caller === null
    ? ''
    : 'userId' in caller
      ? `user ${caller.userId}`
      : 'hostId' in caller
        ? `host ${caller.hostId}`
        : `licence ${caller.licenceId}`
