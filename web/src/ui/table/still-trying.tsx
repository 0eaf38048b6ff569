import './table.css'
import { useDelayed } from '../delay.ts'
import type { Query } from '../feedback/query-states.tsx'
import { useOnline } from '../online.ts'

/** Milliseconds after which rows that were not asked for are marked. */
const soon = 1_000

/** Shown beside rows of another page or filter, and rows that could not be read again so far. */
export function StillTrying({ query }: { query: Pick<Query<unknown>, 'isFetching' | 'isPlaceholderData' | 'failureCount'> }) {
  const { isFetching, isPlaceholderData, failureCount = 0 } = query
  const isOnline = useOnline()
  return (
    <div className="table-trying" role="status">
      {isOnline && (isPlaceholderData || (isFetching && failureCount > 0)) && <Words />}
    </div>
  )
}

const Words = () => useDelayed(soon) && <span>Still trying to load the rows …</span>
