import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Panel } from '../ui/layout/panel.tsx'

type OptionsPendingProps = {
  label: string
  catalogue: { error: Error | null; refetch: () => unknown; isFetching: boolean }
}

export function OptionsPending({ label, catalogue: { error, refetch, isFetching } }: OptionsPendingProps) {
  return (
    <Panel flush aria-label={label}>
      {error ? (
        <ErrorPanel message="Error loading the options" detail={error.message} onRetry={refetch} retrying={isFetching} />
      ) : (
        <p className="p-4" role="status">
          Loading...
        </p>
      )}
    </Panel>
  )
}
