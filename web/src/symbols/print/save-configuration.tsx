import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { configurationNameLength } from '@lectern/contract/library.ts'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useMutation } from '../../lib/api/query.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button/button.tsx'
import type { Close } from '../../ui/dialog/dialog.tsx'
import { DialogPanel } from '../../ui/dialog/dialog-panel.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/input/input.tsx'

type SaveConfigurationProps = {
  organization: { id: string; name: string }
  device: BuilderDevice
  commands: readonly string[]
  content: string
  close: Close<void>
}

export function SaveConfiguration({ organization, device, commands, content, close }: SaveConfigurationProps) {
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const toast = useToast()
  const navigate = useNavigate()
  const save = useMutation('saveConfiguration', { errorInPlace: true })
  const trimmed = name.trim()

  async function submit() {
    if (save.isPending || trimmed === '') return
    input.current?.focus()
    try {
      const params = { organizationId: organization.id, deviceName: device, name: trimmed }
      await save.mutateAsync({ params, body: [...commands] })
      const action = { label: 'Open the library', press: () => void navigate(paths.library()) }
      toast({ title: 'Configuration saved', detail: trimmed, action })
      close()
    } catch (error) {
      setRefusal((error as Error).message)
    }
  }

  return (
    <DialogPanel
      title="Save configuration"
      saving={save.isPending}
      onSubmit={submit}
      actions={
        <>
          <Button variant="ghost" disabled={save.isPending} onClick={() => close()}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={trimmed === ''} busy={save.isPending} busyLabel="Saving">
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>Everyone in {organization.name} can see and print it from the Configuration Library.</p>
        <Field label="Name" error={refusal} hint={`For ${device}, ${content}`}>
          <Input
            ref={input}
            value={name}
            maxLength={configurationNameLength}
            autoComplete="off"
            readOnly={save.isPending}
            onChange={(event) => {
              setName(event.target.value)
              setRefusal(undefined)
            }}
          />
        </Field>
      </div>
    </DialogPanel>
  )
}
