import fc from 'fast-check'

// A mutant is looked at by a property for as long as a machine needs for most of it, and no smaller counterexample is looked for.
fc.configureGlobal({ interruptAfterTimeLimit: 500, endOnFailure: true })
