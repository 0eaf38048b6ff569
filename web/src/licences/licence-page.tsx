import type { LicenceDetails } from '@lectern/contract/licences/licences.ts'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { useParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { saveFile } from '../lib/files/save-file.ts'
import { formatCalendarDay, formatMinute } from '../lib/format.ts'
import { useListQuery } from '../lib/list-address.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { AskManagers } from '../people/ask-managers.tsx'
import { Button } from '../ui/button/button.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { LicenceHosts } from './licence-hosts.tsx'
import { getTypeName, useLicenceTypes } from './licence-types.ts'
import { RevokeLicence } from './revoke-licence.tsx'

export default function LicencePage() {
  const { id = '' } = useParams()
  const params = { organizationId: useOrganization(), id }
  const query = useQuery(q('getLicence', { params }))
  const { data: types } = useLicenceTypes(params.organizationId)
  const back = paths.licences(useListQuery())
  useDocumentTitle(query.data?.licenseNumber ?? 'Licence')
  const isMissing = !query.data && query.error instanceof CallError && [400, 404].includes(Number(query.error.status))

  return (
    <>
      <BackStrip to={back} label="All licences" />
      <Page>
        {isMissing ? (
          <LicenceNotFound back={back} />
        ) : (
          <QueryStates query={query} failed="Error loading the licence">
            {(licence) => <Details licence={licence} type={getTypeName(types, licence.licenseId)} />}
          </QueryStates>
        )}
      </Page>
    </>
  )
}

function Details({ licence, type }: { licence: LicenceDetails; type: string }) {
  const { licenseNumber, purchaseOrderNumber, date, serialNumbers, issuedBy, revoked } = licence
  const facts: [string, ReactNode][] = [
    ['Type', type],
    [
      'Purchase order',
      purchaseOrderNumber ? <span className="wrap-anywhere">{purchaseOrderNumber}</span> : <span className="text-ink-3">Not set</span>,
    ],
    ['Date', formatCalendarDay(date.slice(0, 10))],
    ['Issued by', <span className="wrap-anywhere">{issuedBy ?? 'The vendor'}</span>],
  ]
  return (
    <>
      <PageHead
        trail="Licence"
        title={<span className="mono wrap-anywhere">{licenseNumber}</span>}
        actions={<RevokeLicence licence={licence} />}
      />
      {revoked && (
        <Notice kind="warn" className="mb-4">
          Revoked{revoked.by && ` by ${revoked.by}`}, {formatMinute(revoked.at)}. It enrolls no host PC any more.
        </Notice>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-4">
          <Panel title="Licence">
            <DefinitionList left items={facts} />
          </Panel>
          <Panel title={`Serial numbers (${serialNumbers.length})`}>
            {serialNumbers.length === 0 ? (
              <p className="text-ink-2">This licence has no serial numbers.</p>
            ) : (
              <ul className="columns-1 gap-6 sm:columns-2 xl:columns-3">
                {serialNumbers.map((serial) => (
                  <li key={serial} className="mono py-1 wrap-anywhere">
                    <bdi>{serial}</bdi>
                  </li>
                ))}
              </ul>
            )}
          </Panel>
          <LicenceHosts id={licence.id} />
        </div>
        {!revoked && <Enrolling licence={licence} />}
      </div>
    </>
  )
}

// Number and file are only for people who manage licences, as they enroll host PCs.
function Enrolling({ licence }: { licence: LicenceDetails }) {
  const organizationId = useOrganization()
  const canManage = usePermission('manage:licences')
  if (canManage) return <LicenceFile licence={licence} />
  return (
    <Panel title="Enroll a host PC">
      <p>
        Whoever has the licence number{licence.hasFile ? ' or the signed file' : ''} can enroll host PCs, so you see the end of the number
        only. <AskManagers organizationId={organizationId} />
      </p>
    </Panel>
  )
}

function LicenceFile({ licence: { file, licenseNumber } }: { licence: LicenceDetails }) {
  return (
    <Panel
      title="Enroll a host PC"
      foot={
        file && (
          <Button
            variant="primary"
            icon={Download}
            onClick={() => saveFile(new File([`${file.content}\n`], file.name, { type: 'application/octet-stream' }))}
          >
            Download licence file
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        <p>
          {file
            ? 'The file is signed: the host PC checks it offline. Give it to the host PC together with the location file of the zone.'
            : 'This licence was created without a file. Give its number to the host PC together with the location file of the zone.'}
        </p>
        <Command
          words={['lectern-agent enroll Location.ctxdm', `--server ${location.origin}`, `--licence ${file?.name ?? licenseNumber}`]}
        />
        {file && (
          <>
            <p>To show what a file contains and check its signature:</p>
            <Command words={['lectern-agent licence', file.name]} />
          </>
        )}
      </div>
    </Panel>
  )
}

function Command({ words }: { words: readonly string[] }) {
  return (
    <p className="mono rounded-md bg-well p-3 text-13">
      {words.map((word) => (
        <Fragment key={word}>
          <span className="inline-block wrap-anywhere">{word}</span>{' '}
        </Fragment>
      ))}
    </p>
  )
}

function LicenceNotFound({ back }: { back: string }) {
  useDocumentTitle('Licence not found')
  return (
    <NotFound title="Licence not found" to={back} back="All licences">
      Your organization has no such licence. The link may have been cut short.
    </NotFound>
  )
}
