import fc from 'fast-check'
import { expect, test } from 'vitest'
import facts from '../testing/reader-commands.json' with { type: 'json' }
import { commandProblem, quoteValue } from './commands.ts'
import { decodePayload, encodePayload, keepLast, payloadCapacity, payloadProblem, splitCommands } from './configuration-payload.ts'

const hostile = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 20 })
const known = fc.constantFrom(...facts.flatMap(({ commands }) => commands).filter((command) => command !== 'CFR'))
const command = fc.oneof(
  known,
  hostile.map((text) => `CDOPSPX${quoteValue(text)}`),
)
const commands = fc.array(command, { minLength: 1, maxLength: 40 })
const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test('the envelope of a configuration barcode', () => {
  expect(encodePayload({ commands: ['SYAZTCSEN1', 'CDOPSSX"/0d"'], reset: false })).toEqual(
    toBytes('\x01Y\x1d\x02SYAZTCSEN1\x03CDOPSSX"/0d"\x03\x04'),
  )
})

test('[BLD-08] a reset comes before all other commands, and once', () => {
  const bytes = toBytes('\x01Y\x1d\x02CFR\x03SYAZTCSEN1\x03\x04')
  expect(encodePayload({ commands: ['SYAZTCSEN1'], reset: true })).toEqual(bytes)
  expect(encodePayload({ commands: ['CFR', 'SYAZTCSEN1'], reset: true })).toEqual(bytes)
  expect(encodePayload({ commands: [], reset: true })).toEqual(toBytes('\x01Y\x1d\x02CFR\x03\x04'))
})

test('whatever is encoded is decoded to the same commands, each once, where it stood last', () => {
  fc.assert(
    fc.property(commands, fc.boolean(), (list, reset) => {
      const decoded = decodePayload(encodePayload({ commands: list, reset }))
      expect(decoded).toEqual({ commands: [...(reset ? ['CFR'] : []), ...keepLast(list)] })
    }),
  )
  expect(keepLast(['a', 'b', 'a'])).toEqual(['b', 'a'])
})

test('[BLD-08] a byte over 7E in a command is sent as two digits, as the builder writes it', () => {
  expect(encodePayload({ commands: ['CDOPSPX"é"'], reset: false })).toEqual(toBytes('\x01Y\x1d\x02CDOPSPX"/e9"\x03\x04'))
})

test('no value adds a command, starts a payload or ends one', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const bytes = encodePayload({ commands: [`CDOPSPX${quoteValue(text)}`, 'CDOPSFO1'], reset: false })
      expect(bytes.filter((byte) => byte < 0x20)).toEqual(Uint8Array.of(1, 0x1d, 2, 3, 3, 4))
      expect(decodePayload(bytes)).toMatchObject({ commands: { length: 2 } })
    }),
    { numRuns: 300 },
  )
})

test.for<[string[], boolean, string]>([
  [[], false, 'There is no command to send.'],
  [['SYAZTCSEN1\x03CFR'], false, '"SYAZTCSEN1\x03CFR" cannot be sent. The command has a control character (03).'],
  [['SYAZTCSEN1', 'CFR', 'SYAZTCSEN0'], false, 'CFR undoes every command before it, so it can only be first.'],
  [['SYAZTCSEN1', 'CFR'], true, 'CFR undoes every command before it, so it can only be first.'],
])('refuses %j', ([list, reset, problem]) => {
  expect(payloadProblem({ commands: list, reset })).toBe(problem)
  expect(() => encodePayload({ commands: list, reset })).toThrow(problem)
})

test('a symbol holds 2953 bytes and not one more', () => {
  const withText = (length: number) => ({ commands: [`CDOPSPX"${'x'.repeat(length)}"`], reset: false })
  const longest = payloadCapacity - 6 - 'CDOPSPX""'.length
  expect(encodePayload(withText(longest))).toHaveLength(payloadCapacity)
  expect(payloadProblem(withText(longest + 1))).toBe('The configuration has 2954 bytes; a symbol holds 2953.')
})

test.for([
  ['', /does not begin like one/],
  ['SYAZTCSEN1', /does not begin like one/],
  ['\x01Y\x1d\x02SYAZTCSEN1\x03', /its end mark is missing/],
  ['\x01Y\x1d\x02\x04', /has no command/],
  ['\x01Y\x1d\x02SYAZTCSEN1\x04', /its last command is cut off/],
  ['\x01Y\x1d\x02SYAZTCSEN1\x03\x03\x04', /is damaged/],
  ['\x01Y\x1d\x02SYAZ\x04SEN1\x03\x04', /is damaged/],
] as const)('%j is no configuration barcode', ([text, problem]) => {
  expect(decodePayload(toBytes(text))).toEqual({ problem: expect.stringMatching(problem) })
})

test('commands of no known grammar are decoded as they stand', () => {
  expect(decodePayload(toBytes('\x01Y\x1d\x02what \xe9\x03CFS\x03\x04'))).toEqual({ commands: ['what é', 'CFS'] })
})

test('any bytes are refused in words or decode to commands that encode to the same bytes', () => {
  const framed = fc.uint8Array().map((body) => Uint8Array.of(1, 0x59, 0x1d, 2, ...body, 3, 4))
  const ofCommands = fc.uniqueArray(command, { minLength: 1 }).map((list) => toBytes(`\x01Y\x1d\x02${list.join('\x03')}\x03\x04`))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), framed, ofCommands), (bytes) => {
      const decoded = decodePayload(bytes)
      if ('problem' in decoded) expect(decoded.problem).toMatch(/\.$/)
      else if (decoded.commands.every((one) => commandProblem(one) === null && !/[\x80-\xff]/.test(one))) {
        expect(encodePayload({ commands: decoded.commands, reset: false })).toEqual(bytes)
      }
    }),
  )
})

test('a list too long for one symbol is split in its order, no group apart, the reset in the first alone', () => {
  const group = fc.array(command, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 1, maxLength: 30 }),
      fc.boolean(),
      fc.integer({ min: 300, max: 900 }),
      (groups, reset, maxBytes) => {
        const payloads = splitCommands(groups, { reset, maxBytes })
        if ('problem' in payloads) throw new Error(payloads.problem)
        expect(payloads.map((payload) => payload.reset)).toEqual(payloads.map((_, index) => reset && index === 0))
        for (const payload of payloads) expect(encodePayload(payload).length).toBeLessThanOrEqual(maxBytes)
        expect(keepLast(payloads.flatMap((payload) => payload.commands))).toEqual(keepLast(groups.flat()))
        for (const together of groups) {
          expect(payloads.some((payload) => together.every((one) => payload.commands.includes(one)))).toBe(true)
        }
      },
    ),
  )
})

test('a group that no symbol holds is refused in words', () => {
  expect(splitCommands([['CFS'], [`CDOPSPX"${'x'.repeat(3000)}"`, 'CDOPSFO1']], { reset: false })).toEqual({
    problem: '"CDOPSPX"xxxxxxxxxxxx…" needs 3024 bytes; a symbol holds 2953.',
  })
})

test('a symbol is filled to its last byte', () => {
  const symbols = (maxBytes: number) => splitCommands([['CFS'], ['CFG']], { reset: false, maxBytes })
  expect(symbols(13)).toEqual([{ commands: ['CFS', 'CFG'], reset: false }])
  expect(symbols(9)).toEqual([
    { commands: ['CFS'], reset: false },
    { commands: ['CFG'], reset: false },
  ])
  expect(symbols(8)).toEqual({ problem: '"CFS…" needs 9 bytes; a symbol holds 8.' })
})
