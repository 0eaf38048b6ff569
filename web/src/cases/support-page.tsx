import { type CaseStatus, caseStatuses } from '@lectern/contract/cases/cases.ts'
import { Plus, UserCheck } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import { useNavigation, useSearchParams } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { usePermission } from '../lib/session.ts'
import { useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Select } from '../ui/input/select.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { type CaseView, longestText, readView, writeView } from './case-address.ts'
import { CaseList } from './case-list.tsx'
import { PhoneLink } from './phone-link.tsx'
import { VerifyAddress } from './verify-address.tsx'

const anyStatus = 'any'
const statuses = [{ value: anyStatus, label: 'Any status' }, ...caseStatuses.map((status) => ({ value: status, label: status }))]
const whose = [
  { value: 'everybody', label: 'Everybody’s' },
  { value: 'me', label: 'Mine' },
]

/** `/support`: one's support cases, for the vendor's staff everybody's. The page's address holds what is shown. */
export default function SupportPage() {
  useDocumentTitle('Support')
  const { providerName, supportPhone } = useSettings()
  const { open } = useDialog()
  const isStaff = usePermission('global:access:organizations')
  const [address, setAddress] = useSearchParams()
  const view = useMemo(() => readView(address, isStaff), [address, isStaff])
  const show = useCallback(
    (next: CaseView, { replace = false } = {}) => setAddress(writeView(next, isStaff), { replace, preventScrollReset: true }),
    [setAddress, isStaff],
  )
  const { state } = useNavigation()
  const [typed, type] = useTypedText(view.text, (text) => {
    // Who has chosen a case right after typing is on the way there, and must not be called back.
    if (state !== 'idle') return
    // While a word is typed, the way back leads to the list before it, not to each of its letters.
    show({ ...view, text, page: 0 }, { replace: view.text !== '' && text !== '' })
  })
  const box = useRef<HTMLInputElement>(null)

  return (
    <Page>
      <PageHead
        title="Support"
        intro={
          <>
            Cases at the support desk of {providerName}. For what cannot wait, call <PhoneLink phone={supportPhone} />.
          </>
        }
        actions={
          <>
            {isStaff && (
              <Button icon={UserCheck} onClick={() => void open((close) => <VerifyAddress close={close} />)}>
                Verify an address
              </Button>
            )}
            <ButtonLink to={paths.newCase()} variant="primary" icon={Plus}>
              New case
            </ButtonLink>
          </>
        }
      />
      <Panel flush aria-label="Support cases" className="overflow-hidden">
        <div className="toolbar">
          <SearchInput
            ref={box}
            label="Search cases"
            placeholder={isStaff ? 'Subject, address or case' : 'Subject or case'}
            maxLength={longestText}
            autoComplete="off"
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
          <Select
            label="Status"
            className="sm:w-44"
            options={statuses}
            value={view.status ?? anyStatus}
            onChange={(status) => show({ ...view, status: status === anyStatus ? undefined : (status as CaseStatus), page: 0 })}
          />
          <span className="toolbar-space" />
          {isStaff && (
            <Segment
              label="Whose cases"
              choices={whose}
              value={view.isEverybodys ? 'everybody' : 'me'}
              onChange={(next) => show({ ...view, isEverybodys: next === 'everybody', page: 0 })}
            />
          )}
        </div>
        <CaseList
          view={view}
          onView={show}
          onWhole={() => {
            type('')
            show({ ...view, text: '', status: undefined, page: 0 })
            box.current?.focus()
          }}
        />
      </Panel>
    </Page>
  )
}
