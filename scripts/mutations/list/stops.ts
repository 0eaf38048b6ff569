import { type Mutation, of } from './mutation.ts'

/** How a server stops, and what a killed one leaves. */
export const stops: readonly Mutation[] = [
  ...of('server/src/lib/stop.test.ts', [
    {
      file: 'server/src/lib/http/http.ts',
      text: '    return503OnClosing: false,\n',
      replacement: '',
      test: '[FLT-03] a request that arrives during a stop on an open connection is answered, on its last',
    },
    {
      file: 'server/src/lib/stop.ts',
      text: 'quiet < quietTurns',
      replacement: 'false',
      test: '[FLT-03] requests that were sent on new connections when a stop begins are answered',
    },
    {
      file: 'server/src/lib/stop.ts',
      text: 'finishWithinMs = 20_000',
      replacement: 'finishWithinMs = 10_000',
      test: '[FLT-03] what is under way at a stop has 20 seconds, a connection without a request one',
    },
    {
      file: 'server/src/lib/stop.ts',
      text: 'stopped || delay === 0',
      replacement: 'true',
      test: '[FLT-03] a server that stops is not ready first, and serves as before until its proxy has seen that',
    },
    {
      file: 'server/src/system/routes.ts',
      text: 'if (stopping.aborted)',
      replacement: 'if (false)',
      test: '[FLT-03] a server that stops is not ready first, and serves as before until its proxy has seen that',
    },
    {
      file: 'server/src/lib/event-hub.ts',
      text: '      if (isClosed) subscriber.end()\n',
      replacement: '',
      test: '[FLT-03] a stream that is opened while streams are ended is ended too',
    },
  ]),
  ...of('server/src/contents/contents.test.ts', [
    {
      file: 'server/src/contents/contents.ts',
      text: '    await contents.removeAbandoned()\n',
      replacement: '',
      test: '[FLT-01] what a killed server had half received is removed by the others; an upload that goes on stays',
    },
  ]),
]
