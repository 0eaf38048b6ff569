import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { UpdateModelName } from '@lectern/contract/devices/device-models.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useContext, useState } from 'react'
import { useNavigate } from 'react-router'
import { ActiveOrganizationContext } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { usePermission } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button/button.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'

interface PublishToZonesProps {
  device: BuilderDevice
  commands: readonly string[]
  /** Says how much the commands set, for the form that names them. */
  content: string
  refusal: string | null
}

/** Shows nothing for a user who may not publish, and for a reader without publications. */
export function PublishToZones(props: PublishToZonesProps) {
  const organizationId = useContext(ActiveOrganizationContext)
  const mayPublish = usePermission('manage:cfg') && UpdateModelName.safeParse(props.device).success
  return organizationId !== null && mayPublish ? <PublishButton {...props} organizationId={organizationId} /> : null
}

interface Version {
  id: string
  version: number
}

function PublishButton({ device, commands, content, refusal, organizationId }: PublishToZonesProps & { organizationId: string }) {
  const { open } = useDialog()
  const navigate = useNavigate()
  const client = useQueryClient()
  const params = { organizationId }
  const [isBusy, setBusy] = useState(false)
  const publish = ({ id, version }: Version) => void navigate(paths.applyConfig({ configuration: id, version: String(version) }))
  async function press() {
    setBusy(true)
    // If the library cannot be read, saving shows why.
    const saved = await findSaved(client, params, { device, commands }).catch(() => undefined)
    setBusy(false)
    if (saved) return publish(saved)
    await open<void>(async (close) => {
      const { name } = await client.fetchQuery(q('getOrganization', { params }))
      const organization = { id: organizationId, name: name || organizationId }
      const { SaveConfiguration } = await import('../symbols/print/save-configuration.tsx')
      return (
        <SaveConfiguration
          organization={organization}
          device={device}
          commands={commands}
          content={content}
          close={close}
          onSaved={publish}
        />
      )
    })
  }
  return (
    <Button icon={Send} busy={isBusy} busyLabel="Loading" disabledReason={refusal ?? undefined} onClick={() => void press()}>
      Publish to zones
    </Button>
  )
}

interface Choice {
  device: string
  commands: readonly string[]
}

/** Finds the library entry whose newest version has these commands for the device. */
async function findSaved(client: QueryClient, params: { organizationId: string }, choice: Choice): Promise<Version | undefined> {
  const [saved, library] = await Promise.all([
    client.fetchQuery(q('listSavedConfigurations', { params })),
    client.fetchQuery(q('listLibrary', { params })),
  ])
  const same = saved.find(
    ({ device, commands }) => device === choice.device && JSON.stringify(commands) === JSON.stringify(choice.commands),
  )
  return same && library.find(({ device, kind, name }) => device === choice.device && kind === 'commands' && name === same.name)
}
