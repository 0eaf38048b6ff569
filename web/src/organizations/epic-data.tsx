import type { Organization } from '@lectern/contract/organizations.ts'
import { useQueryClient } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'

/** The staff's mark on an organization (spec §3). Takes effect at once. */
export function EpicData({ organization: { id, hasEpicData } }: { organization: Organization }) {
  const toast = useToast()
  const client = useQueryClient()
  const mark = useMutation('markOrganization', {
    onSuccess: (answer) => {
      client.setQueryData(q('getOrganization', { params: { organizationId: id } }).queryKey, answer)
      toast({ title: answer.hasEpicData ? 'Marked as having Epic data' : 'Mark “Epic data” removed' })
    },
  })
  return (
    <Checkbox
      checked={mark.isPending ? mark.variables.body.hasEpicData : hasEpicData}
      aria-disabled={mark.isPending || undefined}
      onChange={(event) => {
        if (!mark.isPending) mark.mutate({ params: { organization: id }, body: { hasEpicData: event.target.checked } })
      }}
    >
      Epic data
    </Checkbox>
  )
}
