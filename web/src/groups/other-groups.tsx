import type { Group } from '@lectern/contract/groups.ts'
import { Plus } from 'lucide-react'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { AddGroup } from './add-group.tsx'
import { ChangeOver } from './change-over.tsx'

/** The organization's other groups: somebody may change over to one, or add one. */
export function OtherGroups({ own, groups }: { own: Group; groups: readonly Group[] }) {
  const { open } = useDialog()
  return (
    <Panel
      flush
      title="Other groups"
      foot={
        <Button icon={Plus} onClick={() => open<void>((close) => <AddGroup close={close} />)}>
          Add a group
        </Button>
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
                <span className="text-13 text-ink-2">{group.users.length === 1 ? '1 member' : `${group.users.length} members`}</span>
              </span>
              <Button
                small
                aria-label={`Join this group: ${group.name}`}
                onClick={() => open<boolean>((close) => <ChangeOver from={own} to={group} close={close} />)}
              >
                Join this group
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
