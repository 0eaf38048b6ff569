/** Sorts as versions do: numbers by value, the rest as text, so that 4.10.0 comes after 4.9.2. */
export const versionOrder = (version: string): string =>
  version.toLowerCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(12, '0'))
