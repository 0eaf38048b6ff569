import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus, ScanText } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { CompareConfigurations } from './compare-configurations.tsx'
import { LibraryList } from './library-list.tsx'

export default function LibraryPage() {
  useDocumentTitle('Configuration Library')
  const organizationId = useOrganization()
  const configurations = useQuery(q('listSavedConfigurations', { params: { organizationId } }))
  const catalogue = useQuery(q('getCatalogue', {}))
  const { pair, compare, close } = usePair()
  const deleteWithUndo = useDeleteWithUndo(organizationId)
  const failed = 'Error loading the saved configurations'

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
          <QueryStates query={configurations} failed={failed}>
            {(saved) =>
              saved.length === 0 ? (
                <EmptyState action={<Link to={paths.createConfiguration()}>Make a new one</Link>}>No saved configurations.</EmptyState>
              ) : (
                <QueryStates query={catalogue} failed={failed}>
                  {(loaded) => (
                    <LibraryList
                      configurations={saved}
                      catalogue={loaded}
                      onDelete={deleteWithUndo}
                      onCompare={(a) => compare({ a, b: null })}
                    />
                  )}
                </QueryStates>
              )
            }
          </QueryStates>
        </Panel>
      </div>
    </Page>
  )
}

/** The pair of configurations that the address says to compare; null where it says none. */
function usePair() {
  const [address, setAddress] = useSearchParams()
  const pair = address.has('compare') ? { a: address.get('a'), b: address.get('b') } : null
  return {
    pair,
    compare({ a, b }: NonNullable<typeof pair>) {
      const chosen = Object.entries({ a, b }).filter((entry): entry is [string, string] => entry[1] !== null)
      setAddress([['compare', ''], ...chosen], { replace: pair !== null, preventScrollReset: pair !== null })
    },
    close: () => setAddress({}, { replace: true, preventScrollReset: true }),
  }
}

/** A toast's Undo saves it again; no toast where the builder does not support its device. */
function useDeleteWithUndo(organizationId: string) {
  const showToast = useToast()
  const { mutate: restore } = useMutation('saveConfiguration', { onSuccess: () => showToast({ title: 'Configuration restored' }) })
  const { mutateAsync: remove } = useMutation('deleteSavedConfiguration')
  return async ({ device, name, commands }: SavedConfiguration) => {
    await remove({ params: { organizationId, device, name } })
    const { data: deviceName } = BuilderDevice.safeParse(device)
    const undo = deviceName && (() => restore({ params: { organizationId, deviceName, name }, body: commands }))
    if (undo) showToast({ title: 'Configuration deleted', detail: name, action: { label: 'Undo', press: undo } })
  }
}
