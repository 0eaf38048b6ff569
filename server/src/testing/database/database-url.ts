export function databaseUrl(clusterUrl: string, database: string): string {
  return clusterUrl.replace(/@\/\w+\?/, `@/${database}?`)
}
