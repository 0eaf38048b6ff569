import type { Group } from '@lectern/contract/groups.ts'
import { useMutation } from '../lib/api/query.ts'
import { Confirm } from '../ui/dialog/confirm.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

/** The question before somebody leaves their group for another one of the organization. */
export function ChangeOver({ from, to, close }: { from: Group; to: Group; close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('joinGroup', { errorInPlace: true })

  async function join() {
    await mutateAsync({ params: { id: to.gid }, body: {} })
    toast({ title: 'Group joined', detail: to.name })
  }

  return (
    <Confirm title={`Join ${to.name}`} yes="Join" busyLabel="Joining" close={close} onYes={join}>
      You leave {from.name} and see the products of {to.name} instead.
      {to.products.length === 0 && ' It has none yet: you choose them next.'}
    </Confirm>
  )
}
