import { ErrorPanel } from '../ui/empty-state.tsx'
import { Panel } from '../ui/panel.tsx'

type UnreadPanelProps = { title: string; query: { isError: boolean; isFetching: boolean; refetch: () => unknown } }

/** A panel of a reader's page whose content is still to come, or did not. */
export function UnreadPanel({ title, query: { isError, isFetching, refetch } }: UnreadPanelProps) {
  return (
    <Panel title={title} flush>
      {isError ? (
        <ErrorPanel message={`Error loading the ${title.toLowerCase()}`} onRetry={refetch} retrying={isFetching} />
      ) : (
        <p role="status" className="p-4 text-ink-2">
          Loading...
        </p>
      )}
    </Panel>
  )
}
