import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { Notice } from '../ui/feedback/notice.tsx'

/**
 * Says once, beside counts of readers, that some are simulated (AGT-04). Where all are, the banner says so.
 * @param organizationId null for all organizations
 */
export function SimulatedNotice({ organizationId }: { organizationId: string | null }) {
  const isGlobal = organizationId === null
  const ofAll = useQuery({ ...q('getSimulatedReaders', {}), enabled: isGlobal }).data
  const own = useQuery({ ...q('getDeviceTotals', { params: { organizationId: organizationId ?? '' } }), enabled: !isGlobal }).data
  const count = (isGlobal ? ofAll : own)?.simulated
  if (!count || count === own?.allDevices) return null
  const isOne = count === 1
  return (
    <Notice className="mb-4">
      <b>
        {counted(count, 'reader')} {isOne ? 'is' : 'are'} simulated:
      </b>{' '}
      {isOne ? 'it does not exist and is' : 'they do not exist and are'} counted like real readers.
    </Notice>
  )
}
