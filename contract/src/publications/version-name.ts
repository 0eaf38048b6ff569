/** How a version of a library entry is called, wherever a configuration has a name (NAM-03). */
export const versionName = (name: string, version: number): string => `${name}, version ${version}`
