import type { LibraryDetail } from '@lectern/contract/library.ts'
import { useQuery } from '@tanstack/react-query'
import { FilePlus, Plus, ScanText } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useList } from '../lib/list-address.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { lazyExtra } from '../ui/lazy.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { type LibraryControl, LibraryList, libraryAddress } from './library-list.tsx'

const CompareConfigurations = lazyPart(
  async () => (await import('./compare-configurations.tsx')).CompareConfigurations,
  <p role="status">Loading...</p>,
)

// Most libraries have none, so the page does not wait for this.
const DeletedEntries = lazyExtra(async () => (await import('./deleted-entries.tsx')).DeletedEntries)

const NewEntry = lazyPart(async () => (await import('./entry-form.tsx')).NewEntry)

export default function LibraryPage() {
  useDocumentTitle('Configuration Library')
  const organizationId = useOrganization()
  const configurations = useQuery(q('listLibrary', { params: { organizationId } }))
  const catalogue = useQuery(q('getCatalogue', {}))
  const list = useList(libraryAddress)
  const found = useFound(organizationId, list.state.search)
  const { open } = useDialog()
  const { pair, compare, close } = readPair(list)
  const deleteWithUndo = useDeleteWithUndo(organizationId)

  return (
    <Page>
      <PageHead
        title="Configuration Library"
        intro="Access Saved Configurations. View one to publish it to zones, print its barcode or reuse it."
        actions={
          <>
            <ButtonLink icon={ScanText} to={paths.readConfiguration()}>
              Read a barcode
            </ButtonLink>
            <Button icon={FilePlus} onClick={() => open((close) => <NewEntry organizationId={organizationId} close={close} />)}>
              Save a text
            </Button>
            <ButtonLink variant="primary" icon={Plus} to={paths.createConfiguration()}>
              New configuration
            </ButtonLink>
          </>
        }
      />
      <div className="grid gap-4">
        {pair && configurations.data && catalogue.data && (
          <CompareConfigurations entries={configurations.data} catalogue={catalogue.data} pair={pair} onPair={compare} onClose={close} />
        )}
        <Panel flush aria-label="Library">
          <LibraryList
            query={configurations}
            catalogue={catalogue}
            list={list}
            found={found}
            onDelete={deleteWithUndo}
            onCompare={(a, b) => compare({ a, b: b ?? null })}
          />
        </Panel>
        <DeletedEntries organizationId={organizationId} />
      </div>
    </Page>
  )
}

/** The two configurations that the address compares; null where it compares none. */
function readPair({ state: { compare, a, b }, show }: LibraryControl) {
  const pair = compare === '' ? null : { a: a || null, b: b || null }
  return {
    pair,
    compare: ({ a, b }: NonNullable<typeof pair>) =>
      show({ compare: 'yes', a: a ?? '', b: b ?? '' }, { replace: pair !== null, preventScrollReset: pair !== null }),
    close: () => show({ compare: '', a: '', b: '' }, { replace: true }),
  }
}

/** Undefined without a search, and until the response has come. */
function useFound(organizationId: string, search: string): ReadonlySet<string> | undefined {
  const textFilter = useDeferredValue(search.trim())
  const { data } = useQuery({ ...q('listLibrary', { params: { organizationId }, query: { textFilter } }), enabled: textFilter !== '' })
  return useMemo(() => (textFilter !== '' && data ? new Set(data.map(({ id }) => id)) : undefined), [textFilter, data])
}

/** Deletes; Undo in the toast restores. */
function useDeleteWithUndo(organizationId: string) {
  const showToast = useToast()
  const { mutate: restore } = useMutation('restoreLibraryEntry', { onSuccess: () => showToast({ title: 'Configuration restored' }) })
  const { mutateAsync: remove } = useMutation('deleteLibraryEntry')
  return async ({ id, name }: LibraryDetail) => {
    const params = { organizationId, id }
    await remove({ params })
    showToast({ title: 'Configuration deleted', detail: name, action: { label: 'Undo', press: () => restore({ params }) } })
  }
}
