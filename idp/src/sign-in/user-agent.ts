// In this order, as each browser also names those after it.
const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const find = (names: readonly [RegExp, string][], header: string): string | undefined => names.find(([sign]) => sign.test(header))?.[1]

/** For people to compare: "Firefox on Windows". Nothing is decided by it, as callers can send what they like. */
export function describeBrowser(header: string | undefined): string {
  const browser = find(browsers, header ?? '') ?? 'an unknown browser'
  const system = find(systems, header ?? '')
  return system ? `${browser} on ${system}` : browser
}
