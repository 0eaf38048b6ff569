import type { Permission } from '@lectern/contract/http/permissions.ts'

/** A signed-in person, as the verified token and the database say. */
export interface Person {
  userId: string
  email: string
  emailVerified: boolean
  permissions: ReadonlySet<string>
  /** Organizations they belong to, oldest membership first; the first is the active one (spec §6). */
  organizations: readonly string[]
}

/** An enrolled host PC, known by its credential. */
export interface Host {
  hostId: string
  organizationId: string
  zoneId: string
  name: string
}

/** A licence number presented to enroll a host. */
export interface Licence {
  licenceId: string
  organizationId: string
}

export type Caller = Person | Host | Licence | null

/** Finds out who is behind a bearer credential. Each of the three throws a Problem 401 when nobody is. */
export interface Authentication {
  person(token: string): Promise<Person>
  host(credential: string): Promise<Host>
  licence(number: string): Promise<Licence>
  /** Whether there is an organization of this id. */
  organizationExists(id: string): Promise<boolean>
}

/** The vendor's staff see every organization (spec §6). */
export const isStaff = (person: Person): boolean => person.permissions.has('global:access:organizations')

/** The first permission of `needed` that the person lacks, or undefined. */
export const lacking = (person: Person, needed: readonly Permission[]): Permission | undefined =>
  needed.find((permission) => !person.permissions.has(permission))
