import type { Mutation } from './by-hand.ts'

const testFile = 'server/src/access.test.ts'

/** Who may do what. */
export const authorization: readonly Mutation[] = [
  {
    file: 'contract/src/graphs.ts',
    text: "provider('global:access:analytics')",
    replacement: "'self'",
    testFile,
    test: 'getGlobalDevicesByTime > [PER-17] refuses a member without global:access:analytics',
  },
  {
    file: 'contract/src/publications/publications.ts',
    text: "/cfg`,\n    access: organization('manage:cfg'),",
    replacement: '/cfg`,\n    access: organization(),',
    testFile,
    test: 'publishCfg > [PER-10] refuses a member without manage:cfg',
  },
  {
    file: 'contract/src/zones.ts',
    text: "/location/{location}`,\n    access: organization('manage:firmware'),\n    changes: ['zones'],\n    audit: 'ZoneCreate',",
    replacement: "/location/{location}`,\n    access: organization(),\n    changes: ['zones'],\n    audit: 'ZoneCreate',",
    testFile,
    test: 'createZone > [PER-12] refuses a member without manage:firmware',
  },
  {
    file: 'contract/src/devices/devices.ts',
    text: "organization(),\n    shows: ['devices'],\n    summary: 'How many readers there are,",
    replacement: "organization('access:device-dashboard'),\n    shows: ['devices'],\n    summary: 'How many readers there are,",
    testFile,
    test: 'getDeviceTotals > [PER-21] lets in a member with no permission',
  },
  {
    file: 'server/src/lib/http/router.ts',
    text: 'person.organizations.includes(organizationId)',
    replacement: 'person.organizations.length > 0',
    testFile,
    test: 'listZones > [PER-20] answers another organization as one that does not exist',
  },
  {
    file: 'server/src/lib/http/router.ts',
    text: 'return authentication.host(token)',
    replacement: 'return authentication.license(token)',
    testFile,
    test: 'checkIn > [PER-18] refuses a licence',
  },
  {
    file: 'server/src/lib/http/caller.ts',
    text: '!person.permissions.has(permission)',
    replacement: 'person.permissions.size === 0',
    testFile,
    test: 'listAllOrganizations > [PER-14] refuses a member without global:access:organizations',
  },
  {
    file: 'server/src/identity/identity.ts',
    text: 'host.revokedAt !== null || ',
    replacement: '',
    testFile: 'server/src/hosts/enrolment.test.ts',
    test: 'every call of a removed host says that it was removed',
  },
  {
    file: 'server/src/identity/tokens.ts',
    text: '{ issuer, audience, algorithms',
    replacement: '{ issuer, algorithms',
    testFile: 'server/src/identity/tokens.test.ts',
    test: '[PER-19] refuses an ID token: it is made for the web app, not for the API',
  },
  {
    file: 'server/src/rollouts/changes.ts',
    text: 'if (missing) throw',
    replacement: 'if (false) throw',
    testFile: 'server/src/rollouts/safety-limit.test.ts',
    test: '[PUB-15] who may not publish what a rollout holds does not set its limit, and a limit is a whole percentage',
  },
]
