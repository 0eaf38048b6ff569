/** Numbers by value, the rest as text: 4.10.0 is after 4.9.2. */
export const versionOrder = (version: string): string =>
  version.toLowerCase().replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(12, '0'))
