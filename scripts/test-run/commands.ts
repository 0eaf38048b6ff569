/** How `npm run check:commands` starts a command of package.json in miniature. */
export interface Miniature {
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** For a command that goes on until a signal, which it gets once it has printed this. */
  until?: RegExp
  /** What it must print; absent: only its exit code counts. */
  prints?: RegExp
  /** What it prints before it ends with 1 because something is missing that it needs, such as a program or a token. */
  needs?: RegExp
  /** `portal`: it runs beside the portal of `npm start`, on its data. */
  beside?: 'portal'
}

/** Loads everything that the command loads, and makes its databases, but chooses none of its tests. */
const nothing = ['-t', 'no such title'] as const

/**
 * Every command of package.json except `check:commands` itself; a test compares them. The portal's own are in a row, so that they share
 * one.
 */
export const miniatures: ReadonlyMap<string, Miniature> = new Map<string, Miniature>([
  ['start', { until: /http:\/\/localhost:\d+/ }],
  ['accounts', { beside: 'portal', prints: /@/ }],
  ['licence', { beside: 'portal', args: ['Northfield Regional Health'], prints: /[0-9A-Z]{4}/ }],
  ['backup', { beside: 'portal', args: ['FILE'], prints: /has \d+ tables/ }],
  ['restore', { args: ['FILE'], prints: /Restored \d+ tables/ }],
  // Tokens are taken from a browser by hand. With a wrong one it ends at its first call.
  ['compare-replies', { beside: 'portal', args: ['URL', 'REPLIES'], env: { TOKENS: 'none' }, needs: /refuses the token of person 0/ }],
  ['dev', { until: /http:\/\/localhost:\d+/ }],
  ['test', { args: ['--project', 'unit', 'scripts/test-run/test-counts'], prints: /passed, 0 failed/ }],
  ['bench', { args: ['nothing'] }],
  ['check:agent', { args: nothing }],
  ['check:browsers', { args: nothing, needs: /IS NOT CHECKED/ }],
  ['check:controls', { args: nothing }],
  ['check:faults', { env: { KILLS_SERVER: '1', KILLS_POSTGRES: '1', WORKERS: '2' } }],
  ['check:fleet', { env: { MINUTES: '0.2', ORGANIZATIONS: '2', KILLS_SERVER: '1', KILLS_POSTGRES: '0' } }],
  ['check:fuzz', { args: ['100', '1'] }],
  ['check:large-fleet', { args: nothing }],
  ['check:lighthouse', { args: nothing }],
  ['check:mutations', { args: ['--rules', 'agent/src/backoff.ts'] }],
  ['check:overload', { args: nothing }],
  ['check:package', { args: nothing }],
  ['check:phases', { env: { HOSTS: '4', READERS: '20', PROCESSES: '2', SHARE: '40', KILLS: '1', WATCH: '1' } }],
  ['check:print', { args: nothing, needs: /This check needs/ }],
  ['check:roll-back', { env: { HOSTS: '4', PROCESSES: '2' }, prints: /0 run something else than before; 0 were written/ }],
  ['check:rolling', { env: { RESTARTS: '1', RATE: '5' } }],
  ['check:row-security', { args: nothing }],
  ['check:screens', { args: nothing }],
  ['check:time-zones', { args: nothing }],
  ['check:types', {}],
  ['lint', {}],
  ['format', {}],
  ['house', { prints: /Files and lines of each noun/ }],
  ['boundaries', { args: ['-t', 'allows what'], prints: /passed, 0 failed/ }],
  ['unused', {}],
  ['package:agent', { args: ['--tools'], prints: /^lectern-agent \d/m, needs: /is missing: install/ }],
  ['picture', { args: nothing }],
  ['database-types', {}],
])
