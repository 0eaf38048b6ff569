/**
 * What a read shows and a write changes. A write that succeeds makes every read stale that shows one of its subjects; one whose answer already
 * carries the new state of a subject does not name it.
 */
export const subjects = [
  'ads',
  'audit',
  'cases',
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
  'zones',
] as const
export type Subject = (typeof subjects)[number]
