import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Chosen, type Desk, findStep, newDesk, type Step, step, toCsv } from './desk-state.ts'
import { noBurst } from './typing.ts'

const chosen: Chosen = { name: 'Ward', device: 'CR2700', commands: ['SYAZTCSEN1'], id: 'a', version: 2 }
const at = '2026-11-20T08:30:00.000Z'
const typed = (text: string, id = 'id', slow = false) =>
  ({
    type: 'typed',
    burst: { ...noBurst, text, keys: text.length, slowGaps: slow ? text.length : 0 },
    made: { id, at, browser: 'Firefox' },
  }) as const
const next = { type: 'next' } as const
const one = { ...newDesk, chosen, parts: 1 }
const of = (desk: Desk, ...events: (Parameters<typeof step>[1] | string)[]) =>
  events.reduce<Desk>((now, event) => step(now, typeof event === 'string' ? typed(event) : event), desk)
const whole = (serial: string, id: string) => ['CR2700', serial, '4.9.2', next, 'Beep: 3', typed(serial, id)] as const

test('[DSK-02] asks for the model, the serial number, the firmware, the configuration, its text, and the serial number again', () => {
  const seen: Step[] = []
  let desk: Desk = newDesk
  for (const event of [
    'CR2700',
    '27P0418853',
    '4.9.2',
    { type: 'choose', chosen } as const,
    { type: 'drawn', parts: 1 } as const,
    next,
    'Beep: 3',
    '27P0418853',
  ]) {
    seen.push(findStep(desk))
    desk = of(desk, event)
  }
  expect(seen).toEqual(['model', 'serialNumber', 'firmware', 'choose', 'settings', 'settings', 'text', 'again'])
  const { commands, ...configuration } = chosen
  expect(desk.unsent).toEqual([
    {
      id: 'id',
      serialNumber: '27P0418853',
      configuration,
      commands,
      typed: 'Beep: 3',
      typedSlowly: false,
      typedAt: at,
      browser: 'Firefox',
      identity: { model: 'CR2700', firmware: '4.9.2' },
    },
  ])
  expect(desk.rows).toEqual([{ id: 'id', serialNumber: '27P0418853', result: 'done', at }])
  expect(desk.outcome).toEqual({ kind: 'done', serialNumber: '27P0418853' })
  // The next one begins, with the same configuration.
  expect([findStep(desk), desk.chosen]).toEqual(['model', chosen])
})

test('[DSK-02] another reader between identity and configuration leaves no record', () => {
  const desk = of(one, 'CR2700', '27P0418853', '4.9.2', next, 'Beep: 3', '27P0418854')
  expect([desk.unsent, desk.rows, findStep(desk)]).toEqual([[], [], 'again'])
  expect(desk.outcome).toMatchObject({
    kind: 'refused',
    problem: expect.stringMatching(/^Another reader has the serial number 27P0418854/),
  })
  expect(of(desk, '27P0418853').unsent).toHaveLength(1)
})

test('[DSK-02] a record says so where any of it was typed slowly', () => {
  const desk = of(one, 'CR2700', typed('27P0418853', 'id', true), '4.9.2', next, 'Beep: 3', '27P0418853')
  expect(desk.unsent[0]?.typedSlowly).toBe(true)
})

test('[DSK-01] a serial number of no known form is one only when a person says so', () => {
  const desk = of(newDesk, 'CR2700', 'SN 27P04')
  expect([findStep(desk), desk.reader.unsure]).toEqual(['sure', 'SN 27P04'])
  // Whoever is not sure scans again, or says no.
  expect(of(desk, 'SN 27P05').reader).toMatchObject({ serialNumber: null, unsure: 'SN 27P05' })
  expect(of(desk, '27P0418853').reader).toMatchObject({ serialNumber: { text: '27P0418853', isKnown: true }, unsure: null })
  expect(of(desk, 'CR2700')).toMatchObject({ reader: { unsure: 'SN 27P04' }, outcome: { kind: 'refused' } })
  expect(of(desk, next).reader.serialNumber?.text).toBe('SN 27P04')
  expect(findStep(of(desk, { type: 'sure', isSerial: false }))).toBe('serialNumber')
})

test('[DSK-02] every symbol of a configuration is scanned, also after the page was loaded again', () => {
  const read = of(newDesk, 'CR2700', '27P0418853', '4.9.2', { type: 'choose', chosen })
  // Until the symbols are drawn nobody knows how many there are.
  expect(findStep(of(read, next, { type: 'drawn', parts: 1 }))).toBe('settings')
  const first = of(read, { type: 'drawn', parts: 3 }, next)
  const again = step(newDesk, { type: 'restore', desk: JSON.parse(JSON.stringify(first)) })
  expect([first, again, of(again, next), of(again, next, next)].map(findStep)).toEqual(['settings', 'settings', 'settings', 'text'])
  // The next reader, and another configuration, begin with the first one.
  expect(findStep(of(again, next, next, { type: 'choose', chosen: { ...chosen, version: 1 } }))).toBe('settings')
})

test('[DSK-04] a configuration for another model than the reader’s is refused, and the next reader begins', () => {
  const begun = of(newDesk, 'CR1100', '27P0418853')
  const other = of(begun, { type: 'choose', chosen })
  expect([findStep(other), other.chosen, other.reader.serialNumber]).toEqual(['model', chosen, null])
  expect(other.outcome).toEqual({
    kind: 'refused',
    problem: 'This reader is a CR1100, and the configuration is for the CR2700. Take another reader, or choose another configuration.',
  })
  expect(of(begun, { type: 'choose', chosen: { ...chosen, device: 'CR1100' } }).outcome).toBeNull()
  expect(of(newDesk, 'Model 7', '27P0418853', { type: 'choose', chosen }).outcome).toBeNull()
})

test('[DSK-03] Enter alone goes on where a symbol has no answer, and nowhere else', () => {
  const begun = of(one, next)
  expect(findStep(begun)).toBe('serialNumber')
  expect(of(begun, next)).toEqual(begun)
  expect(findStep(of(begun, '27P0418853', next))).toBe('settings')
  expect(of(one, next, '27P0418853', next, next, 'Beep: 3', '27P0418853').unsent[0]?.identity).toEqual({
    model: '',
    firmware: '',
  })
})

test('[DSK-04] the last scan that comes once more begins no next reader', () => {
  const done = of(one, ...whole('27P0418853', 'id'))
  expect(of(done, '27P0418853\n')).toEqual(done)
})

test('[DSK-03] of any stack each record is there once, until the server has it', () => {
  const serials = fc.uniqueArray(fc.stringMatching(/^[0-9A-Z]{9}[0-9]$/), { minLength: 1, maxLength: 20 })
  const disturbance = fc.constantFrom('x', '\n\n', '<cfg>', '1.2', { type: 'broken' } as const)
  fc.assert(
    fc.property(serials, fc.array(disturbance, { maxLength: 6 }), (stack, disturbances) => {
      let desk: Desk = one
      for (const serial of stack) {
        desk = of(desk, ...whole(serial, serial))
        // At the model's symbol these are no model, and are shown as they came.
        for (const one of disturbances) desk = of(desk, one)
        desk = of(desk, { type: 'beginAgain' })
      }
      expect(desk.unsent.map(({ serialNumber }) => serialNumber)).toEqual(stack)
      expect(desk.rows.map(({ serialNumber }) => serialNumber)).toEqual(stack)
      for (const serial of stack) desk = of(desk, { type: 'stored', id: serial }, { type: 'stored', id: serial })
      expect([desk.unsent.length, desk.rows.length]).toEqual([0, stack.length])
    }),
  )
})

test('[DSK-03] what the server does not take stays, and says why', () => {
  const done = of(one, ...whole('27P0418853', 'id'))
  const failed = of(done, { type: 'notStored', id: 'id', failure: 'An organization may have at most 2.' })
  expect(failed.unsent).toHaveLength(1)
  expect(failed.rows[0]?.failure).toBe('An organization may have at most 2.')
  // The list is emptied of what is stored alone.
  expect(of(failed, { type: 'empty' }).rows).toHaveLength(1)
  expect(of(failed, { type: 'tryAgain' }).rows[0]).not.toHaveProperty('failure')
  expect(of(failed, { type: 'stored', id: 'id' }, { type: 'empty' }).rows).toEqual([])
})

test('[DSK-03] the list is exported as CSV, with nothing that a spreadsheet runs', () => {
  const made = { id: 'b', at, browser: '' }
  const desk = of(one, ...whole('27P0418853', 'a'), { type: 'stored', id: 'a' }, ...whole('27P0418854', 'c'))
  const ended = of(desk, next, '=1+1', next, { type: 'end', result: 'failed', made }, { type: 'end', result: 'skipped', made })
  expect(toCsv(ended)).toBe(
    [
      '\ufeffSerial Number,Result,At,Stored',
      `27P0418853,done,${at},Yes`,
      `27P0418854,done,${at},No`,
      `'=1+1,failed,${at},`,
      `,skipped,${at},`,
      '',
    ].join('\r\n'),
  )
})
