/** The name of a library entry's version, wherever a configuration has a name (NAM-03). */
export const versionName = (name: string, version: number): string => `${name}, version ${version}`
