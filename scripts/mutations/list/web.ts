import { type Mutation, of } from './mutation.ts'

/** How the web app calls the server. */
export const web: readonly Mutation[] = of('web/src/lib/api/fetch.test.ts', [
  {
    file: 'web/src/lib/api/fetch.ts',
    text: 'options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout)',
    replacement: 'AbortSignal.timeout(options.timeout ?? 10_000)',
    test: 'no usable answer > [FET-04] without a timeout no time limit ends a call',
  },
])
