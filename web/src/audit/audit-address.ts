import type { AuditFilter } from '@lectern/contract/audit/audit.ts'
import { CalendarDate } from '@lectern/contract/text/text.ts'

/** Periods to choose from: everything, so many days up to today, or days of one's own. */
export const periods = ['all', '1', '7', '30', '365', 'days'] as const
export type Period = (typeof periods)[number]

/** What the audit log shows; all of it stands in the page's address. What is empty does not filter. */
export interface AuditView {
  text: string
  type: string
  person: string
  zone: string
  device: string
  period: Period
  /** First and last day of the period `days`, as `2026-01-31`. */
  from: string
  to: string
}

/** Everything, newest first. */
export const wholeLog: AuditView = { text: '', type: '', person: '', zone: '', device: '', period: 'all', from: '', to: '' }

const names = {
  text: 'search',
  type: 'type',
  person: 'person',
  zone: 'zone',
  device: 'reader',
  period: 'period',
  from: 'from',
  to: 'to',
} satisfies Record<keyof AuditView, string>

/** As many characters as the server takes. */
export const longest = { text: 200, type: 100, person: 400, zone: 400, device: 200 } as const

/** Reads the view from an address; what makes no sense there counts as not said. */
export function readView(address: URLSearchParams): AuditView {
  const text = (name: keyof typeof longest) => (address.get(names[name]) ?? '').slice(0, longest[name]).toWellFormed().replaceAll('\0', '')
  const day = (name: 'from' | 'to') => {
    const parsed = CalendarDate.safeParse(address.get(names[name]))
    return parsed.success ? parsed.data : ''
  }
  const period = periods.find((name) => name === address.get(names.period)) ?? 'all'
  const [from, to] = period === 'days' ? [day('from'), day('to')] : ['', '']
  return { text: text('text'), type: text('type'), person: text('person'), zone: text('zone'), device: text('device'), period, from, to }
}

/** The address of a view; what is as at first is left out. */
export function writeView(view: AuditView): URLSearchParams {
  const said = (Object.keys(names) as (keyof AuditView)[]).filter((part) => view[part] !== wholeLog[part])
  return new URLSearchParams(said.map((part) => [names[part], view[part]]))
}

/** Whether it shows less than everything. */
export const isFiltered = (view: AuditView): boolean => [...writeView(view)].length > 0

/** Midnight where the viewer is, so many days after the day of `date`. */
const midnight = (date: Date, days: number): string => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).toISOString()

/** The server's filter for a view, whose days are the viewer's. */
export function toFilter({ text, type, person, zone, device, period, from, to }: AuditView, now = new Date()): AuditFilter {
  const first = period === 'days' ? from && midnight(new Date(`${from}T00:00`), 0) : period !== 'all' && midnight(now, 1 - Number(period))
  const end = period === 'days' && to && midnight(new Date(`${to}T00:00`), 1)
  return {
    ...(text.trim() !== '' && { textFilter: text.trim() }),
    ...(type !== '' && { changeType: type }),
    ...(person !== '' && { person }),
    ...(zone !== '' && { zone }),
    ...(device.trim() !== '' && { device: device.trim() }),
    ...(first && { from: first }),
    ...(end && { to: end }),
  }
}
