import type { DryRunCounts } from '@lectern/contract/publications/dry-run.ts'
import type { Preview, PreviewPart } from '@lectern/contract/publications/preview.ts'
import { counted } from '@lectern/contract/text/numbers.ts'

export interface DryRunRow {
  id: string
  isOfAll: boolean
  zone: string
  part: string
  counts: DryRunCounts
}

const formatPart = ({ model, kind }: Pick<PreviewPart, 'model' | 'kind'>) => `${model} ${kind}`

/** Returns a row for each part in each zone. Where there are several zones, the first rows are for all of them together. */
function listRows({ parts, zones, totalCount }: Preview): DryRunRow[] {
  const toRow = (id: string, zone: string) => (part: Pick<PreviewPart, 'model' | 'kind' | 'counts'>) => ({
    id: `${id} ${formatPart(part)}`,
    isOfAll: id === 'all',
    zone,
    part: formatPart(part),
    counts: part.counts,
  })
  const all = totalCount > 1 ? parts.map(toRow('all', `All ${counted(totalCount, 'zone')}`)) : []
  return [...all, ...zones.flatMap((zone) => zone.parts.map(toRow(zone.id, zone.name)))]
}

// Where there are more rows, zones are folded, as on a phone each row is a card.
const shownRows = 20

export const withRows = (preview: Preview) => {
  const { totalCount, zones, parts } = preview
  return { ...preview, rows: listRows(preview), isLong: totalCount > 1 && zones.length * parts.length > shownRows }
}
