import { formatNames } from '@lectern/contract/text/names.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useNow } from '../../lib/now.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { type ConfigZone, getZone, type WizardState } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'
import { describeWrongClocks } from './wrong-clocks.ts'

const namedZones = 3

/** Says which host PCs of the zones do not do what is published when it is due: their clock is wrong, or nothing is handed out to them. */
export function HostNotices({ state, summary }: { state: WizardState; summary: ZoneSummary | undefined }) {
  const now = useNow()
  if (!summary) return null
  const wrongClocks = describeWrongClocks(state, summary, now)
  const copied = summary.onTwoPcs.reduce((sum, { hosts }) => sum + hosts, 0)
  return (
    <>
      {copied > 0 && (
        <Notice kind="warn" className="m-4">
          {counted(copied, 'host PC')} {copied === 1 ? 'runs' : 'run'} on two PCs. Nothing is handed out to {copied === 1 ? 'it' : 'them'}{' '}
          until each of the PCs is enrolled anew. <Where zones={summary.onTwoPcs} zone={getZone(state)} />
        </Notice>
      )}
      {wrongClocks && (
        <Notice kind="warn" className="m-4">
          {wrongClocks} <Where zones={summary.wrongClocks} zone={getZone(state)} />
        </Notice>
      )}
    </>
  )
}

/** Says where these host PCs are shown. */
function Where({ zones, zone }: { zones: readonly { zoneId: string }[]; zone: ConfigZone }) {
  const ids = new Set(zones.map(({ zoneId }) => zoneId))
  const names = (zone.many?.zones ?? [zone]).filter(({ id }) => ids.has(id)).map(({ name }) => name)
  return <>See Host PCs of {formatNames(names, namedZones)} under Zones.</>
}
