import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus, ScanText } from 'lucide-react'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useList } from '../lib/list-address.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { type LibraryControl, LibraryList, libraryAddress } from './library-list.tsx'

const CompareConfigurations = lazyPart(
  async () => (await import('./compare-configurations.tsx')).CompareConfigurations,
  <p role="status">Loading...</p>,
)

export default function LibraryPage() {
  useDocumentTitle('Configuration Library')
  const organizationId = useOrganization()
  const configurations = useQuery(q('listSavedConfigurations', { params: { organizationId } }))
  const catalogue = useQuery(q('getCatalogue', {}))
  const list = useList(libraryAddress)
  const { pair, compare, close } = readPair(list)
  const deleteWithUndo = useDeleteWithUndo(organizationId)

  return (
    <Page>
      <PageHead
        title="Configuration Library"
        intro="Access Saved Configurations. Open a row to view its barcode, print it or reuse it."
        actions={
          <>
            <ButtonLink icon={ScanText} to={paths.readConfiguration()}>
              Read a barcode
            </ButtonLink>
            <ButtonLink variant="primary" icon={Plus} to={paths.createConfiguration()}>
              New configuration
            </ButtonLink>
          </>
        }
      />
      <div className="grid gap-4">
        {pair && configurations.data && catalogue.data && (
          <CompareConfigurations
            configurations={configurations.data}
            catalogue={catalogue.data}
            pair={pair}
            onPair={compare}
            onClose={close}
          />
        )}
        <Panel flush aria-label="Library">
          <LibraryList
            query={configurations}
            catalogue={catalogue}
            list={list}
            onDelete={deleteWithUndo}
            onCompare={(a) => compare({ a, b: null })}
          />
        </Panel>
      </div>
    </Page>
  )
}

/** The pair of configurations that the address says to compare; null where it says none. */
function readPair({ state: { compare, a, b }, show }: LibraryControl) {
  const pair = compare === '' ? null : { a: a || null, b: b || null }
  return {
    pair,
    compare: ({ a, b }: NonNullable<typeof pair>) =>
      show({ compare: 'yes', a: a ?? '', b: b ?? '' }, { replace: pair !== null, preventScrollReset: pair !== null }),
    close: () => show({ compare: '', a: '', b: '' }, { replace: true }),
  }
}

/** A toast's Undo saves it again; no toast where the builder does not support its device. */
function useDeleteWithUndo(organizationId: string) {
  const showToast = useToast()
  const { mutate: restore } = useMutation('saveConfiguration', { onSuccess: () => showToast({ title: 'Configuration restored' }) })
  const { mutateAsync: remove } = useMutation('deleteSavedConfiguration')
  return async ({ device, name, commands }: SavedConfiguration) => {
    await remove({ params: { organizationId, device, name } })
    const { BuilderDevice } = await import('@lectern/contract/barcode/catalogue.ts')
    const { data: deviceName } = BuilderDevice.safeParse(device)
    const undo = deviceName && (() => restore({ params: { organizationId, deviceName, name }, body: commands }))
    if (undo) showToast({ title: 'Configuration deleted', detail: name, action: { label: 'Undo', press: undo } })
  }
}
