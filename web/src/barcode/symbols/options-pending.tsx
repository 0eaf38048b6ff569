import { type Query, QueryStates } from '../../ui/feedback/query-states.tsx'
import { Panel } from '../../ui/layout/panel.tsx'

export const OptionsPending = ({ label, catalogue }: { label: string; catalogue: Query<unknown> }) => (
  <Panel flush aria-label={label}>
    <QueryStates query={catalogue} failed="Error loading the options">
      {() => null}
    </QueryStates>
  </Panel>
)
