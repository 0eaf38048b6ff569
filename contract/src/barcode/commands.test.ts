import fc from 'fast-check'
import { expect, test } from 'vitest'
import facts from '../testing/reader-commands.json' with { type: 'json' }
import {
  canonicalCommand,
  commandProblem,
  parseAssignments,
  parseCommand,
  printCommand,
  quoteValue,
  textProblem,
  unquoteValue,
} from './commands.ts'

const latin1 = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) })

test('every command of the 380 published settings is taken apart and put together again', () => {
  expect(facts).toHaveLength(380)
  for (const text of facts.flatMap(({ commands }) => commands)) {
    const command = parseCommand(text)
    expect('problem' in command ? `${text}: ${command.problem}` : printCommand(command)).toBe(text)
  }
})

test.for<[string, string, string, string, [string, string][]]>([
  [
    'SYAZTCSEN1,PO2',
    'SY',
    'AZTC',
    'S',
    [
      ['EN', '1'],
      ['PO', '2'],
    ],
  ],
  ['CDOPSPX"/01Y,"', 'CD', 'OP', 'S', [['PX', '"/01Y,"']]],
  ['LAINSALBelgianFrench_Win', 'LA', 'IN', 'S', [['AL', 'BelgianFrench_Win']]],
  ['CMMORCM', 'CM', 'MO', 'R', [['CM', '']]],
  ['BTRDG', 'BT', 'RD', 'G', []],
  ['BTRDXCC', 'BT', 'RD', 'X', [['CC', '']]],
  ['BTBRXCM[BTCMSCMUV]', 'BT', 'BR', 'X', [['CM', '[BTCMSCMUV]']]],
  ['BTBRXCM[CDOPSPX"]"]', 'BT', 'BR', 'X', [['CM', '[CDOPSPX"]"]']]],
  ['CFR', 'CF', '', 'R', []],
])('%s', ([text, subsystem, object, verb, parameters]) => {
  expect(parseCommand(text)).toEqual({ subsystem, object, verb, parameters: parameters.map(([name, value]) => ({ name, value })) })
})

test.for([
  ['', 'The command is empty.'],
  ['SYAZTCSEN1\x03SYAZTCSEN0', 'The command has a control character (03).'],
  ['CDOPSPX"\x04"', 'The command has a control character (04).'],
  ['CDOPSPX"\x9b"', 'The command has a control character (9b).'],
  ['CDOPSPX"€"', 'The command has "€", which is not in Latin-1.'],
  ['CDOPSPX"a', 'The command has a text without its closing quote.'],
  ['CDOPSPX"/0"', 'The command has a slash in its text that is not followed by two hexadecimal digits.'],
  ['CDOPSPX"a"b"', 'The command has "PX"a"b"" where a parameter and its value should be.'],
  ['SYAZTCSEN1,', 'The command has "EN1," where a parameter and its value should be.'],
  ['SYAZTCSEN1,PO2;', 'The command has "PO2;" where a parameter and its value should be.'],
  ['SYAZTCSE"', 'The command has "E"" where a parameter and its value should be.'],
  ['SYAZTCS"/0"', 'The command has ""/0"" where a parameter and its value should be.'],
  [`SYAZTCSab${'x'.repeat(50)}`, `The command has "ab${'x'.repeat(38)}" where a parameter and its value should be.`],
  ['SYAZTCSE""/x', 'The command has "E""/x" where a parameter and its value should be.'],
  ['CDOPSPX"a"/x', 'The command has "PX"a"/x" where a parameter and its value should be.'],
  ['CDOPSPX"a/0f/0"', 'The command has a slash in its text that is not followed by two hexadecimal digits.'],
  ['CDOPSPX"a/0f"b', 'The command has "PX"a/0f"b" where a parameter and its value should be.'],
  ['RDCMP', 'The command names no parameter.'],
  ['BTRDPCC', 'The command sets CC to nothing.'],
  ['BTRDGCC1', 'The command gives CC a value, which its action does not take.'],
  ['SYAZTCSEN1 ', 'The command has "EN1 " where a parameter and its value should be.'],
  ['SYAZTCSEN', 'The command sets EN to nothing.'],
  ['SYAZTCS', 'The command names no parameter.'],
  ['SYAZTCSEN1,EN0', 'The command names the parameter EN twice.'],
  ['CMMORCM1', 'The command gives CM a value, which its action does not take.'],
  ['BTBRXAA1,CM[CFG]', 'The command has "CM[CFG]" where a parameter and its value should be.'],
  ['BTBRXCM[CFG],AA1', 'The command has "CM[CFG],AA1" where a parameter and its value should be.'],
  ['BTBRSCM[CFG]', 'The command relays another, which takes the action X.'],
  [
    'BTBRXCM[]',
    'The relayed command is wrong: The command does not begin with a subsystem, an object and an action, such as SYAZTCS or CDOPS.',
  ],
  ['BTBRXCM[BTBRXCM[CFR]]', 'The relayed command is wrong: The command relays a command that relays another.'],
  ['CFX', 'The command does not begin with a subsystem, an object and an action, such as SYAZTCS or CDOPS.'],
  ['syaztcsen1', 'The command does not begin with a subsystem, an object and an action, such as SYAZTCS or CDOPS.'],
])('refuses %j', ([text, problem]) => expect(commandProblem(text!)).toBe(problem))

test('any text is refused in words or is printed as it was', () => {
  const part = fc.constantFrom('SY', 'AZTC', 'CD', 'OP', 'S', 'X', 'PX', '"', '/', '/2f', '1', ',', '[', ']', 'CFR', '\x03')
  const text = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.array(part).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      const command = parseCommand(given)
      if ('problem' in command) expect(command.problem).toMatch(/\.$/)
      else expect(printCommand(command)).toBe(given)
    }),
    { numRuns: 400 },
  )
})

test('any Latin-1 text comes back out of its quotes, and stands in one command', () => {
  fc.assert(
    fc.property(latin1, (text) => {
      const quoted = quoteValue(text)
      expect(unquoteValue(quoted)).toBe(text)
      expect(quoted).toMatch(/^"[ !#-.0-~]*(\/[0-9a-f]{2}[ !#-.0-~]*)*"$/)
      expect(parseCommand(`CDOPSPX${quoted}`)).toMatchObject({ parameters: [{ name: 'PX', value: quoted }] })
    }),
    { numRuns: 400 },
  )
})

test('quotes as the published examples do', () => {
  expect(quoteValue('\x01Y\x1ean//n\x04')).toBe('"/01Y/1ean/2f/2fn/04"')
  expect(quoteValue('\r\n')).toBe('"/0d/0a"')
  expect(quoteValue('"é\x7f')).toBe('"/22/e9/7f"')
})

test.for(['€', 'a😀', '\ud800', 'Ā'])('a reader cannot be sent %j', (text) => {
  expect(textProblem(text)).toMatch(/^".+" cannot be sent to a reader\. Use Latin-1 characters only\.$/u)
  expect(() => quoteValue(text)).toThrow('cannot be sent to a reader')
})

test('two ways to write a text are one command', () => {
  expect(canonicalCommand('CDOPSSX"/20/2F"')).toBe('CDOPSSX" /2f"')
  expect(canonicalCommand('no command')).toBe('no command')
  expect(canonicalCommand('CDOPSPX"/20",FO1')).toBe('CDOPSPX" ",FO1')
})

test.for<[string, [string, string | null][]]>([
  [
    'SYAZTCSEN1,PO2',
    [
      ['SYAZTCEN', '1'],
      ['SYAZTCPO', '2'],
    ],
  ],
  ['CMMORCM', [['CMMOCM', null]]],
  ['BTBRXCM[BTCMSCMUV]', [['BTBRCM[BTCMCM]', 'UV']]],
  ['RDCMXRB1', []],
  ['BTRDG', []],
  ['CFR', []],
])('what %s sets', ([text, sets]) => expect([...parseAssignments(text)]).toEqual(sets))
