import * as z from 'zod/mini'

export const ContentKind = z.enum(['configuration', 'firmware'])
export type ContentKind = z.infer<typeof ContentKind>

/** How a configuration is stored and applied: as CFG text, a script, or commands. */
export type ConfigurationForm = 'cfg' | 'file' | 'commands'
export type StoredKind = ConfigurationForm | 'firmware'

export const toContentKind = (stored: StoredKind): ContentKind => (stored === 'firmware' ? 'firmware' : 'configuration')
