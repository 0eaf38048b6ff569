import fc from 'fast-check'

// No smaller counterexample is looked for: a mutation only has to turn its test red.
fc.configureGlobal({ endOnFailure: true })
