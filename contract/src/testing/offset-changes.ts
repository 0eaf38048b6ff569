const minute = 60_000
const hour = 60 * minute
const [from, to] = [Date.UTC(2026, 0), Date.UTC(2036, 0)]

/** When and by how much a zone's offset from UTC changes, in milliseconds. */
export interface Change {
  zone: string
  instant: number
  how: string
}

/** The changes of a zone within ten years, to the minute. */
function listChangesOfZone(zone: string): Change[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const offset = (instant: number) => format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')!.value
  const changes: Change[] = []
  let known = offset(from)
  for (let instant = from; instant < to; instant += 24 * hour) {
    const now = offset(instant)
    if (now === known) continue
    let [before, after] = [instant - 24 * hour, instant]
    while (after - before > minute) {
      const middle = before + Math.floor((after - before) / 2 / minute) * minute
      if (offset(middle) === known) before = middle
      else after = middle
    }
    changes.push({ zone, instant: after, how: `${known} ${now} ${after}` })
    known = now
  }
  return changes
}

/**
 * The changes of every zone, where `LECTERN_EVERY_ZONE` is set; else of every tenth. A change that several zones share is listed once, as
 * their clocks are equal around it.
 */
export function listOffsetChanges(): { all: Change[]; checked: Change[] } {
  const isWhole = process.env.LECTERN_EVERY_ZONE !== undefined
  const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => isWhole || index % 10 === 0)
  const all = zones.flatMap(listChangesOfZone)
  return { all, checked: isWhole ? all : [...new Map(all.map((change) => [change.how, change])).values()] }
}
