import type { EndpointName } from '@lectern/contract/endpoints.ts'

// Endpoints that read or write rows of more than one organization, each with the reason (decision 51). They use a role and connections of
// their own; all others see the organization of their call. `crossing-statements.ts` of the tests lists the statements.
export const crossingEndpoints: Partial<Record<EndpointName, string>> = {
  getCurrentUser: 'A person sees the name of each of their organizations, and their role there.',
  updateCurrentUser: 'It returns what getCurrentUser does.',
  setActiveOrganization: 'It returns what getCurrentUser does.',
  registerOrganization: 'Its organization is made by it.',
  joinGroup: 'An invitation may lead into another organization than that of the call.',
}

// Further work across organizations. Endpoints of the vendor's staff, and their calls without an organization in the path, are in
// `choose-databases.ts`: they find a record by its number in any organization, or sum over all.
const crossingWork = {
  authentication: 'A person, a host PC or a licence number is known before its organization is.',
  securityEvents: 'What happens to an account is in the log of each organization of its person.',
  recoveries: 'Who lost their passkeys asks in each organization that requires one, before anybody is signed in.',
  sweep: 'What time has made of rows is swept, and counts are folded, for all organizations at once.',
  commands: 'The demo and the commands of the operator name their organization themselves.',
} as const

export type CrossingWork = keyof typeof crossingWork
