import './ad-card.css'
import type { Ad } from '@lectern/contract/ads.ts'
import { isSafeAddress } from '@lectern/contract/text/addresses.ts'
import { useState } from 'react'

type AdCardProps = { ad: Pick<Ad, 'title' | 'description' | 'adsImage' | 'adsUrl'> }

/** An ad as customers see it; leads to its address in a tab of its own. */
export function AdCard({ ad: { title, description, adsImage, adsUrl } }: AdCardProps) {
  const [broken, setBroken] = useState<string>()
  const content = (
    <>
      {adsImage && adsImage !== broken && isSafeAddress(adsImage) && (
        <img className="ad-card-picture" src={adsImage} alt="" referrerPolicy="no-referrer" onError={() => setBroken(adsImage)} />
      )}
      <span className="ad-card-text">
        <b>{title}</b>
        {description && <span>{description}</span>}
      </span>
    </>
  )
  if (!isSafeAddress(adsUrl)) return <div className="ad-card">{content}</div>
  return (
    <a className="ad-card" href={adsUrl} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  )
}
