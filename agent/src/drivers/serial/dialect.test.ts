import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, decodeAnswers, decodeQuestion, Envelopes, encodeAnswers, encodeQuestion, newToken } from './dialect.ts'

const latin1 = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 60 })
const answer: fc.Arbitrary<Answer> = fc.oneof(
  latin1.map((value) => ({ value })),
  latin1.map((refusal) => ({ refusal })),
)
/** What may come between envelopes: anything, and often what looks like the beginning of one. */
const noise = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .constantFrom('\x01', '\x01Y\x1d', '\x01Y\x1d\x02CFG', '\x01Y\x1d\x02\x03\x04', '(01)04012345678901\r')
    .map((text) => Buffer.from(text, 'latin1')),
)

const envelopesIn = (bytes: Uint8Array): Uint8Array[] => {
  const envelopes = new Envelopes()
  return [...bytes].map((byte) => envelopes.take(byte)).filter((found) => found instanceof Uint8Array)
}

test('every answer is found between whatever else comes, in order, and says what was said', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ before: noise, answers: fc.array(answer, { maxLength: 5 }) })), noise, (said, after) => {
      const sent = said.map(({ before, answers }) => ({ before, answers, token: newToken() }))
      const stream = Buffer.concat([...sent.flatMap(({ before, answers, token }) => [before, encodeAnswers(token, answers)]), after])
      const found = envelopesIn(stream)
      const read = sent.map(({ token }) => found.map((envelope) => decodeAnswers(envelope, token)).filter((answers) => answers !== null))
      expect(read).toEqual(sent.map(({ answers }) => [answers]))
    }),
  )
})

test('an answer or a question with a damaged byte is none', () => {
  const commands = ['RDRRGMD', 'CFG', 'LXFTXRUabc']
  const token = newToken()
  const whole = [encodeQuestion(token, commands), encodeAnswers(token, [{ value: 'CR2700' }, { refusal: 'No.' }])] as const
  expect(decodeQuestion(whole[0])).toEqual({ token, commands })
  fc.assert(
    fc.property(fc.constantFrom(...whole), fc.nat(), fc.integer({ min: 1, max: 255 }), (envelope, at, change) => {
      const damaged = envelope.map((byte, index) => (index === at % envelope.length ? byte ^ change : byte))
      for (const found of envelopesIn(damaged)) expect([decodeQuestion(found), decodeAnswers(found, token)]).toEqual([null, null])
    }),
    { numRuns: 1000 },
  )
})

test('a question that comes back as an echo, and the answer to another one, are no answer', () => {
  const token = newToken()
  expect(decodeAnswers(encodeQuestion(token, ['RDRRGMD']), token)).toBeNull()
  expect(decodeAnswers(encodeAnswers('00000000', [{ value: 'CR2700' }]), token)).toBeNull()
})
