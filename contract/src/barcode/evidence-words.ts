import type { Evidence } from '../devices/evidence.ts'

export const evidenceWords: Record<Evidence, { word: string; sentence: string }> = {
  published: { word: 'Guide', sentence: 'The maker’s published guide has the command.' },
  operator: { word: 'Operator', sentence: 'The command comes from the catalogue file of this installation.' },
  secondary: {
    word: 'Listing',
    sentence: 'A listing of the maker’s settings has the command; the guide does not confirm it for this reader.',
  },
  inferred: { word: 'Inferred', sentence: 'The command is inferred from others. Try it on one reader first.' },
  unknown: { word: 'Unknown', sentence: 'Lectern does not know the command, so the option cannot be chosen.' },
}

/** A warning about options or settings, by their evidence; null where none of it is inferred. */
export function formatInferred(list: readonly Evidence[], noun: 'option' | 'setting'): string | null {
  const count = list.filter((evidence) => evidence === 'inferred').length
  if (count === 0) return null
  const all = list.length === 1 ? `The ${noun} sends` : `All ${list.length} ${noun}s send`
  const which = count === list.length ? all : `${count} of ${list.length} ${noun}s ${count === 1 ? 'sends' : 'send'}`
  return `${which} commands that are inferred, not documented. Try them on one reader first.`
}
