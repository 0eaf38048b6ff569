export interface Check {
  /** What it tests fully and `npm test -- --all` in part or not at all. */
  has: string
  /** When it is run and its figures are given, in words that the command's name follows. */
  when: string
}

const ofAnIssue = 'Before an issue is resolved that touches'

/** What `npm test -- --all` leaves out, by the command that has it. CONTRIBUTING has this list; a test compares them. */
export const checks: Readonly<Record<string, Check>> = {
  'check:agent': { has: '504 crashes of the agent; `--all` has some', when: `${ofAnIssue} the agent` },
  'check:browsers': { has: 'the journeys in Firefox and WebKit; it fails where one of them is missing', when: `${ofAnIssue} screens` },
  'check:controls': { has: 'every control of every route as every account; `--all` presses one of twelve', when: `${ofAnIssue} screens` },
  'check:faults': {
    has: 'server and PostgreSQL killed 400 times under writes that are looked up afterwards',
    when: `${ofAnIssue} check-ins, events or the database`,
  },
  'check:fleet': {
    has: 'server and PostgreSQL killed under a fleet at work, and every kept figure counted again',
    when: `${ofAnIssue} check-ins or rollouts`,
  },
  'check:fuzz': { has: '200,000 random requests; `--all` sends 2,000', when: `${ofAnIssue} the contract` },
  'check:large-fleet': { has: 'the screens with 40,000 readers, and keys with 5,000 zones', when: `${ofAnIssue} lists` },
  'check:lighthouse': { has: 'Lighthouse, loading on a slow line, and a sort of 100 rows', when: `${ofAnIssue} what a page loads` },
  'check:mutations': { has: 'whether tests can fail', when: `${ofAnIssue} a rule, a refusal or SQL` },
  'check:overload': { has: 'more requests than a server bears', when: `${ofAnIssue} limits` },
  'check:package': { has: 'the packaged agent, built twice and tried, also through a proxy', when: `${ofAnIssue} the agent` },
  'check:phases': { has: 'phases and gates of a rollout to 40,000 simulated readers', when: `${ofAnIssue} rollouts` },
  'check:print': { has: '300 random sheets, printed and read; `--all` has some', when: `${ofAnIssue} barcodes` },
  'check:roll-back': {
    has: '7,000 simulated readers rolled back half-way, read from their own logs; `--all` has 28',
    when: `${ofAnIssue} rollouts`,
  },
  'check:rolling': { has: 'two servers restarted in turn behind a proxy under load', when: `${ofAnIssue} start, stop or migrations` },
  'check:row-security': {
    has: 'every statement without its condition on the organization; `--all` has those of four calls',
    when: `${ofAnIssue} SQL`,
  },
  'check:screens': { has: 'every route at every width and mode; `--all` has four routes', when: `${ofAnIssue} screens` },
  'check:time-zones': {
    has: 'update times and windows around every change of every time zone in ten years; `--all` has a sample',
    when: `${ofAnIssue} times`,
  },
}
