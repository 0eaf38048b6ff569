import { readFileSync, realpathSync } from 'node:fs'
import { TimeZone } from '@lectern/contract/publications/update-time.ts'
import { Stop } from './stop.ts'

const isNamed = (zone: string | undefined): zone is string =>
  zone !== undefined && zone !== 'Etc/Unknown' && TimeZone.safeParse(zone).success

/**
 * The time zone of this PC. Node has no name for one that `TZ` gives as a file; the system's link names it then. Throws `Stop` where
 * nothing does, as a wrong zone would update readers at the wrong time.
 */
export function hostTimeZone(environment: string | undefined = process.env.TZ, systemLink = '/etc/localtime'): string {
  const named = (environment ?? '').replace(/^:/, '')
  const zone = named === '' || named === 'localtime' || named.startsWith('/') ? findZone(named, environment, systemLink) : named
  if (isNamed(zone)) return zone
  throw new Stop(
    'usage',
    'The time zone of this PC has no name that is known. Give it with --time-zone, such as --time-zone Europe/Berlin.',
  )
}

function findZone(named: string, environment: string | undefined, systemLink: string): string | undefined {
  const known = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (environment === undefined && isNamed(known)) return known
  return readLink(named.startsWith('/') ? named : systemLink) ?? readName('/etc/timezone')
}

/** Node keeps the time zone of its start and looks again only after `TZ` changes, also from nothing. */
export function refreshTimeZone(): void {
  if (process.env.TZ === undefined) delete process.env.TZ
}

/** For `/usr/share/zoneinfo/Europe/Berlin`: Europe/Berlin. */
function readLink(path: string): string | undefined {
  try {
    return /\/zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(realpathSync(path))?.[1]
  } catch {
    return undefined
  }
}

function readName(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
