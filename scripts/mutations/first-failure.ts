import fc from 'fast-check'

// A smaller counterexample is not needed: the mutation only has to turn its test red.
fc.configureGlobal({ endOnFailure: true })
