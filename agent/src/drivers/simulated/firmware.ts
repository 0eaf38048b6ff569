/** A firmware that holds this text leaves a simulated reader without a version it could report. */
export const unwellMarker = 'simulated-reader: not well'

const firstLine = /^simulated firmware (\S+) (\S+)$/m

/**
 * What a simulated reader finds in a firmware: the model and version of a line `simulated firmware CR2700 4.13.0`. Without that line it
 * takes the version that it is told, and calls a file of the customer's own by its hash.
 */
export function firmwareIn(
  text: string,
  told: { version?: string | null; contentHash?: string },
): { model: string | null; version: string | null } {
  const [, model = null, version = null] = firstLine.exec(text) ?? []
  if (text.includes(unwellMarker)) return { model, version: null }
  return { model, version: version ?? told.version ?? `own-${told.contentHash?.slice(0, 8)}` }
}

/** A firmware file for simulated readers. */
export const simulatedFirmware = (model: string, version: string, rest = ''): string => `simulated firmware ${model} ${version}\n${rest}`
