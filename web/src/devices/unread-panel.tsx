import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Panel } from '../ui/layout/panel.tsx'

type UnreadPanelProps = {
  title: string
  /** What is read, as it stands in "Error loading the readers". */
  what: string
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown }
}

/** A panel whose content is still to come, or did not. */
export function UnreadPanel({ title, what, query: { error, isFetching, refetch } }: UnreadPanelProps) {
  return (
    <Panel title={title} flush>
      {error ? (
        <ErrorPanel message={`Error loading the ${what}`} detail={error.message} onRetry={refetch} retrying={isFetching} />
      ) : (
        <p role="status" className="p-4 text-ink-2">
          Loading...
        </p>
      )}
    </Panel>
  )
}
