import { archive } from './list/archive.ts'
import { attacks } from './list/attacks.ts'
import { audit } from './list/audit.ts'
import { authorization } from './list/authorization.ts'
import { devices } from './list/devices.ts'
import { fleet } from './list/fleet.ts'
import { hosts } from './list/hosts.ts'
import { limits } from './list/limits.ts'
import type { Mutation } from './list/mutation.ts'
import { organizations } from './list/organizations.ts'
import { people } from './list/people.ts'
import { publications } from './list/publications.ts'
import { records } from './list/records.ts'
import { reports } from './list/reports.ts'
import { rollouts } from './list/rollouts.ts'
import { sessions } from './list/sessions.ts'
import { stops } from './list/stops.ts'
import { web } from './list/web.ts'

/** All mutations by hand. */
export const mutations: readonly Mutation[] = [
  ...attacks,
  ...authorization,
  ...sessions,
  ...stops,
  ...organizations,
  ...people,
  ...archive,
  ...audit,
  ...records,
  ...devices,
  ...hosts,
  ...limits,
  ...reports,
  ...publications,
  ...rollouts,
  ...fleet,
  ...web,
]
