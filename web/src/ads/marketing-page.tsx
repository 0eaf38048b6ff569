import type { Ad } from '@lectern/contract/ads.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { Table } from '../ui/table/table.tsx'
import { adColumns } from './ad-columns.tsx'
import { AdForm } from './ad-form.tsx'

/** `/admin/marketing`: the vendor's staff manage the ads. `?edit=` shows the form in the list's place: for an ad by its id, or `new`. */
export default function MarketingPage() {
  useDocumentTitle('Marketing')
  const [address] = useSearchParams()
  const edited = address.get('edit')
  const { data, isError, isFetching, refetch } = useQuery(q('listAds', {}))

  return (
    <>
      {edited !== null && <BackStrip to={paths.marketing()} label="All ads" />}
      <Page>
        <PageHead
          title="Marketing"
          intro="Ads that customers see beside their products."
          actions={
            edited === null && (
              <ButtonLink to="?edit=new" variant="primary" icon={Plus}>
                New ad
              </ButtonLink>
            )
          }
        />
        {data ? (
          edited === null ? (
            <AdTable ads={data} />
          ) : (
            <Editor key={edited} edited={edited} ads={data} />
          )
        ) : (
          <Panel flush aria-label="Ads">
            {isError ? (
              <ErrorPanel message="Error loading ads" onRetry={refetch} retrying={isFetching} />
            ) : (
              <p className="p-4" role="status">
                Loading...
              </p>
            )}
          </Panel>
        )}
      </Page>
    </>
  )
}

function AdTable({ ads }: { ads: Ad[] }) {
  return (
    <Panel flush aria-label="Ads">
      <Table
        label="Ad table"
        columns={adColumns}
        rows={ads}
        rowId={(ad) => String(ad.adsid)}
        empty={
          <EmptyState
            action={
              <ButtonLink to="?edit=new" variant="link">
                Create the first one
              </ButtonLink>
            }
          >
            No ads yet.
          </EmptyState>
        }
      />
    </Panel>
  )
}

function Editor({ edited, ads }: { edited: string; ads: readonly Ad[] }) {
  const found = ads.find(({ adsid }) => String(adsid) === edited)
  // Once found it stays: what somebody types here must outlast an ad that is deleted meanwhile.
  const [ad, setAd] = useState(found)
  if (found && !ad) setAd(found)
  if (edited === 'new') return <AdForm />
  if (ad) return <AdForm ad={ad} />
  return (
    <Panel flush aria-label="Ad not found">
      <EmptyState
        action={
          <ButtonLink to={paths.marketing()} variant="link">
            All ads
          </ButtonLink>
        }
      >
        There is no such ad. It may have been deleted.
      </EmptyState>
    </Panel>
  )
}
