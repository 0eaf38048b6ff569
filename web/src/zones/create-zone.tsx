import { byteLength } from '@lectern/contract/text/text.ts'
import { NewZone, type Zone, zoneName, zoneNameLimit } from '@lectern/contract/zones.ts'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import { BoundFields } from '../ui/form/bound-form.tsx'
import { FormShell } from '../ui/form/form-shell.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { findNameProblem } from './new-zone-name.ts'
import { shortenName } from './zone-row.ts'

interface CreateZoneProps {
  organizationId: string
  zones: readonly Zone[]
  onCreated: (zone: Zone) => void
}

/** The form below the list. A long name is shortened, and the field is cleared after success (spec §5). */
export function CreateZone({ organizationId, zones, onCreated }: CreateZoneProps) {
  const toast = useToast()
  const create = useMutation('createZone', { errorInPlace: true })
  const limit = zoneNameLimit(organizationId)
  const schema = useMemo(() => NewZone((name) => findNameProblem(name, organizationId, zones)), [organizationId, zones])
  const bound = useContractForm({
    schema,
    values: { name: '' },
    mode: 'onSubmit',
    failureAt: 'name',
    draft: 'zone',
    save: ({ name }) => create.mutateAsync({ params: { organizationId, location: zoneName(name, organizationId) } }),
    onSaved(zone, { name }) {
      bound.form.reset()
      const isShortened = byteLength(name.trim()) > limit
      toast({ title: 'Zone created', detail: isShortened ? `Its name was shortened to ${limit} bytes.` : shortenName(zone.name) })
      onCreated(zone)
    },
  })
  const submitFromName: typeof bound.submit = (event) => {
    bound.form.setFocus('name')
    return bound.submit(event)
  }
  const bytes = byteLength(bound.form.watch('name').trim())

  return (
    <Panel aria-label="Create a zone">
      <FormShell
        bound={{ ...bound, submit: submitFromName }}
        submit={['Create zone', 'Creating']}
        button={{ icon: Plus, className: 'max-sm:w-full' }}
        leave={null}
      >
        {(submit) => (
          <BoundFields bound={bound}>
            <TextField
              name="name"
              placeholder="Zone name"
              required={false}
              hint={bytes > limit ? `The name is too long and is shortened to ${limit} bytes.` : undefined}
              beside={submit}
            />
          </BoundFields>
        )}
      </FormShell>
    </Panel>
  )
}
