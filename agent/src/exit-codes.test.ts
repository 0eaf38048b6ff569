import { readFileSync } from 'node:fs'
import { exitCodes } from '@lectern/contract/exit-codes.ts'
import { expect, test } from 'vitest'

const protocol = readFileSync(new URL('../../docs/agent-protocol.md', import.meta.url), 'utf8')

test('codes never change, and a supervisor starts the agent again only where it helps', () => {
  expect(Object.entries(exitCodes).map(([reason, { code, again }]) => `${code} ${reason}${again ? ', again' : ''}`)).toEqual([
    '0 ok',
    '1 unexpected, again',
    '2 usage',
    '3 refused',
    '4 notEnrolled',
    '5 alreadyRunning',
    '6 unavailable, again',
    '7 stateFolder',
    '8 otherPc',
    '9 nativePart',
    '20 disk, again',
    '21 service',
  ])
})

test('the protocol explains each code', () => {
  const explained = [...protocol.matchAll(/^\| (\d+) +\| (.+?) +\| (yes|no) +\|$/gm)].map(([, code, , again]) => [Number(code), again])
  expect(explained).toEqual(Object.values(exitCodes).map(({ code, again }) => [code, again ? 'yes' : 'no']))
})
