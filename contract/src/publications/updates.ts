/** What a count of outcomes counts: a reader that gets configuration and firmware has two updates. `kinds`: of the contents. */
export const nounOfUpdates = (kinds: Iterable<string>): 'reader' | 'update' => (new Set(kinds).size > 1 ? 'update' : 'reader')
