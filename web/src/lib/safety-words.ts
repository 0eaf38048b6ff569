import type { Gate, Phase } from '@lectern/contract/publications/phases.ts'
import { counted } from '@lectern/contract/text/numbers.ts'

export const describeLimit = (percent: number | null): string =>
  percent === null
    ? 'No zone halts by itself, however many readers fail.'
    : `A zone halts by itself when more than ${percent}% of its readers fail.`

export const describeStopTime = (stopTime: string | null): string =>
  stopTime === null
    ? 'Readers may start at any time after the update time.'
    : `From ${stopTime} on no further reader starts until the next update time.`

export const formatPart = ({ share, zones }: { share?: number | undefined; zones?: number | undefined }): string =>
  share !== undefined ? `${share}% of the readers` : zones !== undefined ? counted(zones, 'chosen zone') : 'All other readers'

const formatSoak = (minutes: number): string => {
  if (minutes === 0) return 'When they are done'
  const hours = minutes / 60
  return `${Number.isInteger(hours) ? counted(hours, 'hour') : counted(minutes, 'minute')} after they are done`
}

export const describeGate = ({ soakMinutes, gate }: { soakMinutes: number; gate: Gate }): string =>
  gate === 'by hand'
    ? `${formatSoak(soakMinutes)}, you can begin the next phase.`
    : `${formatSoak(soakMinutes)}, the next phase begins if at most ${gate.maxOfflinePercent}% are offline. When more than ${gate.maxFailedPercent}% have failed, the whole rollout halts at once.`

export const describePhase = (phase: Phase): string =>
  `${formatPart({ share: phase.share, zones: phase.zones?.length })}. ${describeGate(phase)}`
