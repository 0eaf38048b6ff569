export const unwellMarker = 'simulated-reader: not well'

const firstLine = /^simulated firmware (\S+) (\S+)$/m

/** Reads a line `simulated firmware CR2700 4.13.0`. Without it the version is the announced one, or `own-` and the hash. */
export function parseFirmware(
  text: string,
  announced: { version?: string | null; contentHash?: string },
): { model: string | null; version: string | null } {
  const [, model = null, version = null] = firstLine.exec(text) ?? []
  if (text.includes(unwellMarker)) return { model, version: null }
  return { model, version: version ?? announced.version ?? `own-${announced.contentHash?.slice(0, 8)}` }
}

export const simulatedFirmware = (model: string, version: string, rest = ''): string => `simulated firmware ${model} ${version}\n${rest}`
