export const featureFlags = ['showConfigurationLibrary', 'showActivityStream', 'showDeviceAnalytics', 'showAuditLog'] as const
export type FeatureFlag = (typeof featureFlags)[number]
export type FeatureFlags = Record<FeatureFlag, boolean>

const switchesOn = ['yes', 'true', '1', 'on']
const switchesOff = ['no', 'false', '0', 'off']
const isFlag = (name: string): name is FeatureFlag => (featureFlags as readonly string[]).includes(name)

export class InvalidFeatureFlag extends Error {
  readonly flag: FeatureFlag
  readonly value: string

  constructor(flag: FeatureFlag, value: string) {
    super(`Invalid value for feature flag ${flag}: "${value}"`)
    this.flag = flag
    this.value = value
  }
}

const splitEntry = (entry: string) => entry.split(/=(.*)/s).map((part) => part.trim())

export const withoutFlag = (list: string, { flag, value }: Pick<InvalidFeatureFlag, 'flag' | 'value'>): string =>
  list
    .split(';')
    .filter((entry) => {
      const [name, given] = splitEntry(entry)
      return name !== flag || given !== value
    })
    .join(';')

/**
 * Reads lists such as `showAuditLog;showDeviceAnalytics=off`; later lists win (spec §4). A name alone switches on. An unknown name is
 * passed to `warn`. Throws an `InvalidFeatureFlag` for any other value.
 */
export function parseFeatureFlags(lists: readonly string[], warn: (message: string) => void): FeatureFlags {
  const flags = Object.fromEntries(featureFlags.map((name) => [name, false])) as FeatureFlags
  const entries = lists.flatMap((list) => list.split(';')).map((entry) => entry.trim())
  for (const entry of entries.filter((text) => text !== '')) {
    const [name = '', value] = splitEntry(entry)
    const on = value === undefined || switchesOn.includes(value.toLowerCase())
    if (!isFlag(name)) warn(`Unknown feature flag "${name}"`)
    else if (!on && !switchesOff.includes(value.toLowerCase())) throw new InvalidFeatureFlag(name, value)
    else flags[name] = on
  }
  return flags
}
