import { offlineHours } from '@lectern/contract/devices/devices.ts'
import type { Reader } from '@lectern/contract/readers.ts'

/** Whether a reader was active within the last 72 hours, as the list's `online` means it. */
export const isOnline = ({ lastActivityDate }: Pick<Reader, 'lastActivityDate'>, now: Date): boolean =>
  lastActivityDate !== null && now.getTime() - Date.parse(lastActivityDate) <= offlineHours * 3_600_000
