import { logins } from '../../postgres/logins.ts'

export function databaseUrl(clusterUrl: string, database: string): string {
  return clusterUrl.replace(/(@[^/]*\/)\w+/, `$1${database}`)
}

// The same database for the roles of a server. @param url with the cluster's owner
export function databaseUrls(url: string) {
  const as = (login: string) => url.replace(/(?<=\/\/)lectern(?=[:@])/, login)
  return { server: as(logins.server), crossing: as(logins.crossing), identity: as(logins.identity), owner: url }
}

// The settings of a server on a database. @param url with the cluster's owner
export function databaseSettings(url: string) {
  const { server, crossing, identity, owner } = databaseUrls(url)
  return { DATABASE_URL: server, CROSSING_DATABASE_URL: crossing, IDENTITY_DATABASE_URL: identity, MIGRATION_DATABASE_URL: owner }
}
