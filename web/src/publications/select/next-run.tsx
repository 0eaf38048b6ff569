import { counted } from '@lectern/contract/text/numbers.ts'
import { useEffect, useState } from 'react'
import { formatRun, nextRuns } from './update-run.ts'
import type { ZoneSummary } from './zone-summary.ts'

interface NextRunProps {
  id: string
  summary: ZoneSummary | undefined
  hasZone: boolean
  updateTime: string
}

export function NextRun({ id, summary, hasZone, updateTime }: NextRunProps) {
  const now = useNow()
  return (
    <div id={id} className="next-run">
      {formatRuns(summary, hasZone, updateTime, now).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

function formatRuns(summary: ZoneSummary | undefined, hasZone: boolean, updateTime: string, now: Date): string[] {
  if (updateTime === '') return ['Set a time of day, such as 02:00.']
  if (!hasZone) return ['Choose a zone to see when its readers update.']
  if (!summary) return []
  if (summary.hosts === 0) return ['This zone has no host PC yet. Nothing updates until one is installed.']
  const viewer = Intl.DateTimeFormat().resolvedOptions().timeZone
  const runs = nextRuns(summary.timeZones, updateTime, now)
  const texts = runs.map((run) => formatRun(run, updateTime, now, viewer))
  return runs.length > 1 ? [`${counted(summary.hosts, 'host PC')} in ${runs.length} time zones:`, ...texts] : texts
}

/** Updates at every full minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), 60_000 - (now.getTime() % 60_000))
    return () => clearTimeout(timer)
  }, [now])
  return now
}
