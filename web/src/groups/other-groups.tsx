import type { Group } from '@lectern/contract/groups.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Plus } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Panel } from '../ui/layout/panel.tsx'

export function OtherGroups({ own, groups }: { own: Group; groups: readonly Group[] }) {
  const { open } = useDialog()
  const mayManage = usePermission('manage:people')
  return (
    <Panel
      flush
      title="Other groups"
      foot={
        mayManage && (
          <Button
            icon={Plus}
            onClick={() =>
              open<void>(async (close) => {
                const { AddGroup } = await import('./group-form.tsx')
                return <AddGroup close={close} />
              })
            }
          >
            Add a group
          </Button>
        )
      }
    >
      {groups.length === 0 ? (
        <p className="p-4 text-13 text-ink-2">Your organization has no other group.</p>
      ) : (
        <ul className="divide-y divide-rule">
          {groups.map((group) => (
            <li key={group.gid} className="grid justify-items-start gap-2 px-4 py-3">
              <span>
                <b className="block font-semibold wrap-anywhere">{group.name}</b>
                <span className="text-13 text-ink-2">{counted(group.memberCount ?? 0, 'member')}</span>
              </span>
              {mayManage && (
                <Button
                  small
                  aria-label={`Join this group: ${group.name}`}
                  onClick={() => open<boolean>((close) => <JoinGroup from={own} to={group} close={close} />)}
                >
                  Join this group
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function JoinGroup({ from, to, close }: { from: Group; to: Group; close: Close<boolean> }) {
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
