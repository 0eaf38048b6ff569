import type { Permission } from '@lectern/contract/http/permissions.ts'

export interface Person {
  userId: string
  email: string
  emailVerified: boolean
  permissions: ReadonlySet<string>
  /** Ids, oldest membership first; the first is the active organization (spec §6). */
  organizations: readonly string[]
}

export interface Host {
  hostId: string
  organizationId: string
  zoneId: string
  name: string
}

export interface Licence {
  licenceId: string
  organizationId: string
}

export type Caller = Person | Host | Licence | null

/** The first three throw a Problem 401 for an unknown bearer credential. */
export interface Authentication {
  person(token: string): Promise<Person>
  host(credential: string): Promise<Host>
  licence(number: string): Promise<Licence>
  organizationExists(id: string): Promise<boolean>
}

/** Staff see every organization (spec §6). */
export const isStaff = (person: Person): boolean => person.permissions.has('global:access:organizations')

export const findMissingPermission = (person: Person, needed: readonly Permission[]): Permission | undefined =>
  needed.find((permission) => !person.permissions.has(permission))
