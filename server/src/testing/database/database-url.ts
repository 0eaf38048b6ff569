export function databaseUrl(clusterUrl: string, database: string): string {
  return clusterUrl.replace(/(@[^/]*\/)\w+/, `$1${database}`)
}
