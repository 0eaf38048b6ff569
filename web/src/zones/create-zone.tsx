import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { byteLength } from '@lectern/contract/text/text.ts'
import { type Zone, zoneName, zoneNameLimit } from '@lectern/contract/zones.ts'
import { Plus } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { refusedZoneName } from './new-zone-name.ts'
import { shortName } from './zone-row.ts'

type CreateZoneProps = { organizationId: string; zones: readonly Zone[]; onCreated: (zone: Zone) => void }

/**
 * The form below the list. A name that cannot be is refused at the field, here or by the server; a longer one than fits is
 * shortened; the field clears after success (spec §5).
 */
export function CreateZone({ organizationId, zones, onCreated }: CreateZoneProps) {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const toast = useToast()
  const create = useMutation('createZone', { errorInPlace: true })
  const limit = zoneNameLimit(organizationId)
  const bytes = byteLength(text.trim())

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (create.isPending) return
    const reason = refusedZoneName(text, organizationId, zones)
    setRefusal(reason ?? undefined)
    input.current?.focus()
    if (reason) return
    try {
      const zone = await create.mutateAsync({ params: { organizationId, location: zoneName(text, organizationId) } })
      setText('')
      toast({ title: 'Zone created', detail: bytes > limit ? `Its name was shortened to ${limit} bytes.` : shortName(zone.name) })
      onCreated(zone)
    } catch (error) {
      setRefusal((error as Error).message)
    }
  }

  return (
    <Panel aria-label="Create a zone">
      <form noValidate onSubmit={submit}>
        <Field label="Create a zone" error={refusal} hint={`${formatNumber(bytes)} of ${limit} bytes. Longer names are shortened to fit.`}>
          <div className="flex flex-wrap items-center gap-3">
            <Input
              ref={input}
              className="min-w-0 max-w-112 flex-1 max-sm:max-w-none max-sm:basis-full"
              placeholder="Zone name"
              autoComplete="off"
              value={text}
              readOnly={create.isPending}
              onChange={(event) => {
                setText(event.target.value)
                setRefusal(undefined)
              }}
            />
            <Button variant="primary" type="submit" icon={Plus} className="max-sm:w-full" busy={create.isPending} busyLabel="Creating">
              Create zone
            </Button>
          </div>
        </Field>
      </form>
    </Panel>
  )
}
