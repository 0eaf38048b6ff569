import { counted } from '@lectern/contract/text/numbers.ts'
import { useEffect, useState } from 'react'
import { nextRuns, runText } from './update-run.ts'
import type { ZoneStanding } from './zone-standing.ts'

type NextRunProps = { id: string; standing: ZoneStanding | undefined; hasZone: boolean; updateTime: string }

/** When the readers of a zone will update, in words, always as of now. */
export function NextRun({ id, standing, hasZone, updateTime }: NextRunProps) {
  const now = useNow()
  return (
    <div id={id} className="next-run">
      {runLines(standing, hasZone, updateTime, now).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

function runLines(standing: ZoneStanding | undefined, hasZone: boolean, updateTime: string, now: Date): string[] {
  if (updateTime === '') return ['Set a time of day, such as 02:00.']
  if (!hasZone) return ['Choose a zone to see when its readers update.']
  if (!standing) return []
  if (standing.hosts === 0) return ['This zone has no host PC yet. Nothing updates until one is installed.']
  const viewer = Intl.DateTimeFormat().resolvedOptions().timeZone
  const runs = nextRuns(standing.timeZones, updateTime, now)
  const texts = runs.map((run) => runText(run, updateTime, now, viewer))
  return runs.length > 1 ? [`${counted(standing.hosts, 'host PC')} in ${runs.length} time zones:`, ...texts] : texts
}

/** The present, renewed at every full minute. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), 60_000 - (now.getTime() % 60_000))
    return () => clearTimeout(timer)
  }, [now])
  return now
}
