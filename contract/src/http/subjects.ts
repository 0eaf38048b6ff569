/** A write makes the reads of its subjects stale. It leaves out a subject whose new state its response has. */
export const subjects = [
  'ads',
  'audit',
  'cases',
  'desk',
  'devices',
  'groups',
  'legacy-configs',
  'library',
  'licences',
  'organizations',
  'people',
  'products',
  'readers',
  'registration',
  'releases',
  'rollouts',
  'schedule',
  'zones',
] as const
export type Subject = (typeof subjects)[number]
