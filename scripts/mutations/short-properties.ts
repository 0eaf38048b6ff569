import fc from 'fast-check'

// A property looks at a mutant for as long as most need, and searches no smaller counterexample.
fc.configureGlobal({ interruptAfterTimeLimit: 500, endOnFailure: true })
