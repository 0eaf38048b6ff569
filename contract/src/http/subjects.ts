/** A write makes the reads of its subjects stale. A subject whose new state is in the write's response is left out. */
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
