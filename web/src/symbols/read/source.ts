/** The commands of one barcode, and where it was found. */
export interface Part {
  name: string
  commands: readonly string[]
}

/** What a source has given so far. */
export interface Found {
  /** In the order in which they are scanned. */
  parts: readonly Part[]
  /** What could not be read, in sentences. */
  problems: readonly string[]
  isReading?: boolean
}

export const nothing: Found = { parts: [], problems: [] }

export type SourceProps = { onFound: (found: Found) => void }

/** Barcodes of one origin, by number where there are several. */
export const named = (name: string, parts: readonly (readonly string[])[]): Part[] =>
  parts.map((commands, index) => ({ name: parts.length > 1 ? `${name}, barcode ${index + 1}` : name, commands }))
