import type { EndpointName } from '@lectern/contract/endpoints.ts'

// All that reads or writes rows of more than one organization, with the reason (decision 51). It has a role and connections of its own; everything
// else sees the organization of its call. `crossing-statements.ts` of the tests lists the statements.
export const crossingEndpoints: Partial<Record<EndpointName, string>> = {
  getCurrentUser: 'A person sees the name of each of their organizations, and their role there.',
  updateCurrentUser: 'It returns what getCurrentUser does.',
  setActiveOrganization: 'It returns what getCurrentUser does.',
  registerOrganization: 'Its organization is made by it.',
  joinGroup: 'An invitation may lead into another organization than that of the call.',
}

// Beside these the endpoints of the vendor's staff, and their calls without an organization in the path: they find what has a number of its own in
// every organization, and see what all have in sum (`choose-databases.ts`).
const crossingWork = {
  authentication: 'A person, a host PC or a licence number is known before its organization is.',
  securityEvents: 'What happens to an account is in the log of each organization of its person.',
  sweep: 'What time has made of rows is swept, and counts are folded, for all organizations at once.',
  commands: 'The demo and the commands of the operator name their organization themselves.',
} as const

export type CrossingWork = keyof typeof crossingWork
