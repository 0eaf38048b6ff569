import type { Ad } from '@lectern/contract/ads.ts'
import { isSafeAddress } from '@lectern/contract/text/safe-address.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { q } from '../lib/api/query.ts'
import { useSettings } from '../lib/settings.ts'
import { getStanding } from './ad-standing.ts'

interface AdCardProps {
  ad: Pick<Ad, 'title' | 'description' | 'adsImage' | 'adsUrl'>
}

const card = 'grid grid-cols-[minmax(0,1fr)] overflow-hidden rounded-md border border-rule bg-surface text-ink no-underline'

export function AdCard({ ad: { title, description, adsImage, adsUrl } }: AdCardProps) {
  const [broken, setBroken] = useState<string>()
  const content = (
    <>
      {adsImage && adsImage !== broken && isSafeAddress(adsImage) && (
        <img
          className="block h-30 w-full border-b border-rule bg-paper object-contain"
          src={adsImage}
          alt=""
          referrerPolicy="no-referrer"
          onError={() => setBroken(adsImage)}
        />
      )}
      <span className="grid gap-0.5 px-4 py-3.5 wrap-anywhere">
        <b className="font-semibold">{title}</b>
        {description && <span className="text-13 whitespace-pre-line text-ink-2">{description}</span>}
      </span>
    </>
  )
  if (!isSafeAddress(adsUrl)) return <div className={card}>{content}</div>
  return (
    <a className={`${card} hover:bg-surface-2 hover:text-ink`} href={adsUrl} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  )
}

/** Shows the vendor's present ads in a row; nothing where there are none or they do not load. */
export function AdStrip() {
  const id = useId()
  const { providerName } = useSettings()
  const { data = [] } = useQuery(q('listAds', {}))
  // Staff get all ads, also those that are not shown now.
  const shown = data.filter((ad) => getStanding(ad) === 'shown')
  if (shown.length === 0) return null
  return (
    <aside aria-labelledby={id}>
      <h2 className="heading-3 mb-2.5" id={id}>
        From {providerName}
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] items-start gap-4">
        {shown.map((ad) => (
          <li key={ad.adsid}>
            <AdCard ad={ad} />
          </li>
        ))}
      </ul>
    </aside>
  )
}
