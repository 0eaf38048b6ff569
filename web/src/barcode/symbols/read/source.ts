export interface Part {
  name: string
  commands: readonly string[]
}

export interface Found {
  /** In the order of scanning. */
  parts: readonly Part[]
  problems: readonly string[]
  isReading?: boolean
}

export const nothing: Found = { parts: [], problems: [] }

export interface SourceProps {
  onFound: (found: Found) => void
}

export const toParts = (name: string, parts: readonly (readonly string[])[]): Part[] =>
  parts.map((commands, index) => ({ name: parts.length > 1 ? `${name}, barcode ${index + 1}` : name, commands }))
