/** All addresses of the web app (spec §2), by the name of the screen. */
export const patterns = {
  products: '/product',
  product: '/product/id/:productId/details',
  data: '/data',
  profile: '/profile',
  group: '/group',
  people: '/people',
  invitations: '/people/invitations',
  roles: '/people/roles',
  signIn: '/people/sign-in',
  licences: '/licences',
  licence: '/licences/:id',
  readers: '/readers',
  cases: '/support',
  newCase: '/support/new',
  case: '/support/:caseId',
  deviceManagement: '/codedm',
  installationInstructions: '/codedm/installation-instructions',
  zones: '/codedm/zones',
  devices: '/codedm/device-dashboard',
  device: '/codedm/devices/:serialNumber',
  applyConfig: '/codedm/apply-config',
  configSuccess: '/codedm/config-success',
  manageFirmware: '/codedm/manage-firmware',
  rollouts: '/codedm/rollouts',
  rollout: '/codedm/rollouts/:id',
  calendar: '/codedm/calendar',
  publishingSettings: '/codedm/publishing-settings',
  createConfiguration: '/codedm/create-configuration',
  builder: '/codedm/create-configuration/:device',
  printSave: '/codedm/create-configuration/:device/success',
  readConfiguration: '/codedm/read-configuration',
  setUpReader: '/codedm/set-up-reader',
  library: '/codedm/configuration-library',
  auditLog: '/codedm/audit-log',
  activityStream: '/codedm/activity-stream',
  analytics: '/codedm/analytics',
  organizations: '/admin/organizations',
  groupDetails: '/admin/organizations/:organizationId/groups/id/:groupId/details',
  organizationAuditLog: '/admin/organizations/:organizationId/audit-log',
  vendorAuditLog: '/admin/audit-log',
  marketing: '/admin/marketing',
  releases: '/admin/firmware',
  catalogue: '/admin/products',
  register: '/register',
  join: '/join/:groupId',
} as const

export type ScreenName = keyof typeof patterns

type ParametersOf<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? Name
    : never

type Query = URLSearchParams | Record<string, string> | undefined

type PathTo<Pattern extends string> = [ParametersOf<Pattern>] extends [never]
  ? (query?: Query) => string
  : (parameters: Record<ParametersOf<Pattern>, string | number>, query?: Query) => string

function makePath(pattern: string, parameters: Record<string, string | number>, query: Query): string {
  // A dot would make the last part look like a file, so it is encoded.
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? '').replaceAll('.', '%2E'))
  const search = String(new URLSearchParams(query))
  return search === '' ? path : `${path}?${search}`
}

const toScreens = Object.fromEntries(
  Object.entries(patterns).map(([name, pattern]) => [
    name,
    pattern.includes(':')
      ? (parameters: Record<string, string | number>, query?: Query) => makePath(pattern, parameters, query)
      : (query?: Query) => makePath(pattern, {}, query),
  ]),
) as unknown as { [Name in ScreenName]: PathTo<(typeof patterns)[Name]> }

/** The address of a screen: `paths.zones()`, `paths.rollout({ id })`, each with an optional query. `home` has no screen and leads on. */
export const paths = { ...toScreens, home: () => '/' }
