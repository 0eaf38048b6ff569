import { createHash } from 'node:crypto'
import { findHostByCredential } from '../hosts/hosts.ts'
import type { Database } from '../lib/database/database.ts'
import type { Authentication } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { findLicence } from '../licences/licences.ts'
import { organizationExists } from '../organizations/organizations.ts'
import { findPerson } from '../users/users.ts'
import type { Issuer } from './tokens.ts'

/** The three kinds of callers: people by access token, hosts by their credential, new hosts by a licence number. */
export function createAuthentication(db: Database, issuer: Issuer): Authentication {
  return {
    async person(token) {
      const claims = await issuer.verify(token)
      return findPerson(db, claims, () => issuer.userInfo(token))
    },
    async host(credential) {
      const host = await findHostByCredential(db, createHash('sha256').update(credential).digest('hex'))
      if (!host) throw new Problem(401, 'This host is not enrolled.')
      if (host.revokedAt !== null || host.zoneId === null) throw new Problem(401, 'This host was removed from its zone. Enrol it again.')
      return { hostId: host.hostId, organizationId: host.organizationId, zoneId: host.zoneId, name: host.name }
    },
    async licence(number) {
      const licence = await findLicence(db, number)
      if (!licence) throw new Problem(401, 'There is no such licence number.')
      return licence
    },
    organizationExists: (id) => organizationExists(db, id),
  }
}
