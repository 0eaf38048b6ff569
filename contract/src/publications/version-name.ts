/** Returns the name of a library entry's version, as it is shown wherever configurations have names (NAM-03). */
export const versionName = (name: string, version: number): string => `${name}, version ${version}`
