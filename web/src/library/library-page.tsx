import './library.css'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { CompareConfigurations, type Pair } from './compare-configurations.tsx'
import { LibraryList } from './library-list.tsx'
import { useLibrary } from './use-library.ts'

/** `/codedm/configuration-library` (spec §2): what the organization has saved. The page's address holds what is compared. */
export default function LibraryPage() {
  useDocumentTitle('Configuration Library')
  const { list, remove } = useLibrary()
  const catalogue = useQuery(q('getCatalogue', {}))
  const [address, setAddress] = useSearchParams()
  const pair = address.has('compare') ? { a: address.get('a'), b: address.get('b') } : null
  const compare = ({ a, b }: Pair) => {
    const chosen = Object.entries({ a, b }).filter((entry): entry is [string, string] => entry[1] !== null)
    setAddress([['compare', ''], ...chosen], { replace: pair !== null, preventScrollReset: pair !== null })
  }
  const failed = [list, catalogue].find(({ isError }) => isError)

  return (
    <Page>
      <PageHead
        title="Configuration Library"
        intro="Access Saved Configurations. Open a row to view its barcode, print it or reuse it."
        actions={
          <ButtonLink variant="primary" icon={Plus} to={paths.createConfiguration()}>
            New configuration
          </ButtonLink>
        }
      />
      <div className="grid gap-4">
        {pair && list.data && catalogue.data && (
          <CompareConfigurations
            configurations={list.data}
            catalogue={catalogue.data}
            pair={pair}
            onPair={compare}
            onClose={() => setAddress({}, { replace: true, preventScrollReset: true })}
          />
        )}
        <Panel flush aria-label="Library">
          {list.data && catalogue.data ? (
            list.data.length === 0 ? (
              <EmptyState action={<Link to={paths.createConfiguration()}>Make a new one</Link>}>No saved configurations.</EmptyState>
            ) : (
              <LibraryList
                configurations={list.data}
                catalogue={catalogue.data}
                onDelete={remove}
                onCompare={(a) => compare({ a, b: null })}
              />
            )
          ) : failed ? (
            <ErrorPanel
              message="Error loading the saved configurations"
              detail={failed.error?.message}
              onRetry={() => void failed.refetch()}
              retrying={failed.isFetching}
            />
          ) : (
            <p className="p-4" role="status">
              Loading...
            </p>
          )}
        </Panel>
      </div>
    </Page>
  )
}
