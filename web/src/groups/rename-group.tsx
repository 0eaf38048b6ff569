import { type Group, groupNameLength } from '@lectern/contract/groups.ts'
import { useRef, useState } from 'react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'

/** Asks for a group's new name, of at least one character (spec §5). */
export function RenameGroup({ group, close }: { group: Group; close: Close<void> }) {
  const [name, setName] = useState(group.name)
  const [refusal, setRefusal] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const toast = useToast()
  const rename = useMutation('renameGroup', {
    errorInPlace: true,
  })

  async function submit() {
    if (rename.isPending) return
    input.current?.focus()
    if (name.trim() === '') return setRefusal('Enter a name for the group.')
    try {
      await rename.mutateAsync({ params: { id: group.gid }, body: { name: name.trim() } })
      toast({ title: 'Group renamed', detail: name.trim() })
      close()
    } catch (error) {
      setRefusal((error as Error).message)
    }
  }

  return (
    <DialogPanel
      title="Rename group"
      saving={rename.isPending}
      onSubmit={submit}
      actions={
        <>
          <Button disabled={rename.isPending} onClick={() => close()}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" busy={rename.isPending} busyLabel="Renaming">
            Rename
          </Button>
        </>
      }
    >
      <Field label="Group name" error={refusal} hint="Its members see the new name at once.">
        <Input
          ref={input}
          value={name}
          maxLength={groupNameLength}
          autoComplete="off"
          readOnly={rename.isPending}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setName(event.target.value)
            setRefusal(undefined)
          }}
        />
      </Field>
    </DialogPanel>
  )
}
