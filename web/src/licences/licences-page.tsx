import { Plus } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { LicenceForm } from './licence-form.tsx'
import { type LicenceList, readList, writeList } from './licence-list.ts'
import { LicenceTable } from './licence-table.tsx'

/** `/licences`: the organization's licences. `?edit=new` shows the form in the list's place; else the address holds what the list shows. */
export default function LicencesPage() {
  useDocumentTitle('Licences')
  const organizationId = useOrganization()
  const [address, setAddress] = useSearchParams()
  const isNew = address.get('edit') === 'new'
  const list = useMemo(() => readList(address), [address])
  const show = useCallback(
    (next: LicenceList, { replace = false } = {}) => setAddress(writeList(next), { replace, preventScrollReset: true }),
    [setAddress],
  )

  return (
    <>
      {isNew && <BackStrip to={paths.licences()} label="All licences" />}
      <Page>
        <PageHead
          title="Licences"
          intro="A licence number, or its signed file, enrols a host PC in a zone of your organization."
          actions={
            !isNew && (
              <ButtonLink to="?edit=new" variant="primary" icon={Plus}>
                New licence
              </ButtonLink>
            )
          }
        />
        {isNew ? (
          <LicenceForm organizationId={organizationId} />
        ) : (
          <Panel flush aria-label="Licences">
            <LicenceTable organizationId={organizationId} list={list} onList={show} />
          </Panel>
        )}
      </Page>
    </>
  )
}
