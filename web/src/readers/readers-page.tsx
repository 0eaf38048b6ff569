import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { NewReader } from './reader-form.tsx'
import { type ReaderList, readList, writeList } from './reader-list.ts'
import { ReaderTable } from './reader-table.tsx'

/** `/readers`: the readers that the organization has registered, whether a host PC reports them or not. The address holds what the list shows. */
export default function ReadersPage() {
  useDocumentTitle('Readers')
  const organizationId = useOrganization()
  const { open } = useDialog()
  const [address, setAddress] = useSearchParams()
  const list = useMemo(() => readList(address), [address])
  const show = useCallback(
    (next: ReaderList, { replace = false } = {}) => setAddress(writeList(next), { replace, preventScrollReset: true }),
    [setAddress],
  )
  const register = () => open<void>((close) => <NewReader organizationId={organizationId} close={close} />)

  return (
    <Page>
      <PageHead
        title="Readers"
        intro="Your register of readers: which there are, which are lost, and when each was last active. Online means within 72 hours."
        actions={
          <Button variant="primary" icon={Plus} onClick={register}>
            Register reader
          </Button>
        }
      />
      <Panel flush aria-label="Readers">
        <ReaderTable
          organizationId={organizationId}
          list={list}
          onList={show}
          register={
            <Button variant="link" onClick={register}>
              Register the first one
            </Button>
          }
        />
      </Panel>
    </Page>
  )
}
