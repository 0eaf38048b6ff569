import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { Notice } from '../ui/feedback/notice.tsx'

/** Says once, where an organization's readers are counted, that some of them do not exist (AGT-04). */
export function SimulatedNotice({ organizationId }: { organizationId: string }) {
  const { data } = useQuery(q('getDeviceTotals', { params: { organizationId } }))
  if (!data?.simulated) return null
  const isOne = data.simulated === 1
  return (
    <Notice className="mb-4">
      <b>
        {counted(data.simulated, 'reader')} {isOne ? 'is' : 'are'} simulated:
      </b>{' '}
      {isOne ? 'it does not exist and is' : 'they do not exist and are'} counted like real readers.
    </Notice>
  )
}
