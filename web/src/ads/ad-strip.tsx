import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { q } from '../lib/api/query.ts'
import { useSettings } from '../lib/settings.ts'
import { AdCard } from './ad-card.tsx'
import { getStanding } from './ad-standing.ts'

/** The vendor's ads that are shown now, in a row of their own. Nothing when there are none or they do not load. */
export function AdStrip() {
  const id = useId()
  const { providerName } = useSettings()
  const { data = [] } = useQuery(q('listAds', {}))
  // Staff are sent every ad.
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
