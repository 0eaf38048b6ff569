/** The connection string of another database of the same cluster. */
export function databaseUrl(clusterUrl: string, database: string): string {
  return clusterUrl.replace(/@\/\w+\?/, `@/${database}?`)
}
