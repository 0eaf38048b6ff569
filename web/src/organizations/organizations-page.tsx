import { counted } from '@lectern/contract/text/numbers.ts'
import './organizations.css'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSettings } from '../lib/settings.ts'
import { SearchInput } from '../ui/input/search-input.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { type Directory, longestText, readDirectory, writeDirectory } from './directory.ts'
import { OrganizationLedger } from './organization-ledger.tsx'

/** `/admin/organizations` (spec §2): all organizations with their groups, for the vendor's staff. The page's address holds what is shown. */
export default function OrganizationsPage() {
  const { providerName } = useSettings()
  const title = `All ${providerName} Customer Groups`
  useDocumentTitle(title)
  const [address, setAddress] = useSearchParams()
  const directory = useMemo(() => readDirectory(address), [address])
  const show = useCallback(
    (next: Directory, { replace = false } = {}) => setAddress(writeDirectory(next), { replace, preventScrollReset: true }),
    [setAddress],
  )
  const { text } = directory
  const [typed, type] = useTypedText(text, (next) =>
    // While a word is typed, the way back leads to the list before it, not to each of its letters.
    show({ ...directory, text: next, page: 0 }, { replace: text !== '' && next !== '' }),
  )

  const box = useRef<HTMLInputElement>(null)

  return (
    <Page>
      <PageHead
        title={title}
        intro={<DirectoryTotals />}
        actions={
          <SearchInput
            ref={box}
            className="organization-search"
            label="Search by organization"
            placeholder="Search by organization"
            maxLength={longestText}
            autoComplete="off"
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
        }
      />
      <Panel flush aria-label="Organizations" className="overflow-hidden">
        <OrganizationLedger
          directory={directory}
          onDirectory={show}
          onClearSearch={() => {
            type('', { now: true })
            box.current?.focus()
          }}
        />
      </Panel>
    </Page>
  )
}

function DirectoryTotals() {
  const { data, isError } = useQuery(q('getDirectoryTotals', {}))
  if (isError) return 'How many there are could not be loaded.'
  if (!data) return <span title="loading...">...</span>
  const { organizations, groups, members } = data
  return `${counted(organizations, 'organization')}, ${counted(groups, 'group')}, ${counted(members, 'member')}.`
}
