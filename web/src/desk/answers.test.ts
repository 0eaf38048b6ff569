import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareAnswer, type Expectation, findLayout, judge, layoutText, type Question } from './answers.ts'
import { type Burst, noBurst } from './typing.ts'

const burst = (text: string, { slow = false } = {}): Burst => {
  const gaps = Math.max(0, text.length - 1)
  return { ...noBurst, text, keys: text.length, slowGaps: slow ? gaps : 0, gaps: gaps * (slow ? 300 : 5) }
}
const ask = (question: Question, parts: Partial<Expectation> = {}): Expectation => ({
  question,
  serialNumber: null,
  device: null,
  ...parts,
})
const answer = (question: Question, text: string, parts: Partial<Expectation> & { slow?: boolean } = {}) =>
  judge(burst(text, parts), ask(question, parts))
const problemOf = (...args: Parameters<typeof answer>) => {
  const verdict = answer(...args)
  return verdict.kind === 'refused' ? verdict.problem : verdict.kind
}

const serial = fc.stringMatching(/^[0-9A-Z]{9}[0-9]$/)
const ends = fc.constantFrom('', '\n', '\r', '\t', ' \n', '\n\n')

describe('identity', () => {
  test.each([
    ['model', 'CR2700'],
    ['firmware', '4.9.2'],
  ] as const)('[DSK-01] the %s is recognized by its form, with and without a closing Enter', (question, text) => {
    for (const end of ['', '\n', '\t', '\r\n', ' '])
      expect(answer(question, `${text}${end}`)).toEqual({ kind: 'taken', text, isKnown: true, isSlow: false })
  })

  test('[DSK-01] a serial number is ten digits and capital letters; anything else is asked about as it came', () => {
    fc.assert(
      fc.property(serial, ends, (text, end) => {
        expect(answer('serialNumber', text + end)).toMatchObject({ kind: 'taken', text, isKnown: true })
      }),
    )
    for (const text of ['SN 27P0418853', '27P04', '27p0418853', 'ABCDEFGHIJ'])
      expect(answer('serialNumber', text)).toEqual({ kind: 'unsure', text })
  })

  test('[DSK-01] what is of no known form is shown as it came', () => {
    expect(answer('model', 'Model: CR2700')).toMatchObject({ kind: 'taken', text: 'Model: CR2700', isKnown: false })
    expect(answer('firmware', 'Rel. 4')).toMatchObject({ kind: 'taken', text: 'Rel. 4', isKnown: false })
  })

  test('[DSK-04] a scan that comes twice is one, with or without Enter between', () => {
    fc.assert(
      fc.property(serial, ends, ends, (text, between, end) => {
        expect(answer('serialNumber', text + between + text + end)).toMatchObject({ kind: 'taken', text })
      }),
    )
    expect(answer('model', 'CR2700\nCR2700\n')).toMatchObject({ text: 'CR2700' })
    // A text that repeats itself and is of no known form stays as it came.
    expect(answer('firmware', 'abab')).toMatchObject({ text: 'abab' })
  })

  test('[DSK-04] of two readers at once nothing is taken', () => {
    expect(problemOf('serialNumber', '27P0418853\n27P0418854\n')).toBe(
      'Two different texts came at once. Let only one reader type at this PC, and scan again.',
    )
    fc.assert(
      fc.property(serial, serial, (one, other) => {
        fc.pre(one !== other)
        const mixed = [...one].map((character, index) => character + other[index]).join('')
        expect(answer('serialNumber', mixed).kind).not.toBe('taken')
      }),
    )
  })

  test('[DSK-04] the answer to another symbol is refused, with what to do', () => {
    expect(problemOf('serialNumber', 'CR2700')).toBe(
      'The reader typed its model, not the serial number. Scan the symbol that is shown here.',
    )
    expect(problemOf('model', '27P0418853')).toBe('The reader typed its serial number, not the model. Scan the symbol that is shown here.')
    expect(problemOf('model', '<cfg>1</cfg>')).toBe('The reader typed a configuration, not the model. Scan the symbol that is shown here.')
  })

  test('[DSK-04] a reader of another model than the configuration is refused', () => {
    expect(problemOf('model', 'CR1100\n', { device: 'CR2700' })).toBe(
      'This reader is a CR1100, and the configuration is for the CR2700. Take another reader, or choose another configuration.',
    )
    expect(problemOf('model', 'V4500')).toBe('A V4500 takes no configuration by barcode. Take another reader.')
    expect(answer('model', 'CR2700', { device: 'CR2700' }).kind).toBe('taken')
  })

  test.each([
    ['US', 'French', 'éèPà\'&__("', 'CRéèàà'],
    ['French', 'US', '@&P)$!**%#', 'CR@&))'],
    ['French', 'German', '"/P=$!((%§', 'CR"/=='],
  ])('[DSK-04] digits of a %s reader that came as signs at a %s PC say so', (_reader, _pc, serialNumber, model) => {
    const problem =
      'Signs came in place of digits: the reader and this PC have different keyboard layouts. Check the keyboard layout, and scan again.'
    expect(problemOf('serialNumber', `${serialNumber}\n`)).toBe(problem)
    expect(problemOf('again', serialNumber, { serialNumber: '27P0418853' })).toBe(problem)
    expect(problemOf('model', model)).toBe(problem)
  })

  test('[DSK-04] a sign or two, or signs beside digits, are shown as they came', () => {
    for (const text of ['(no model)', 'Rel. #4 (a)!', 'a-b_c']) expect(answer('firmware', text)).toMatchObject({ kind: 'taken', text })
  })

  test('[DSK-01] a serial number that the registry would refuse is none', () => {
    const problem = 'A serial number has one line of at most 64 characters that can be seen. Scan the symbol that is shown here.'
    for (const text of ['x'.repeat(65), 'SN\x1b27', 'SN\u202e27', '..']) expect(problemOf('serialNumber', text)).toBe(problem)
    expect(answer('serialNumber', 'x'.repeat(64)).kind).toBe('unsure')
  })

  test('[DSK-04] a single key is a person’s, and a dead key is a sign that is missing', () => {
    for (const question of ['model', 'serialNumber', 'firmware', 'text', 'again'] as const) {
      const single = judge(burst('x'), ask(question, { serialNumber: '27P0418853' }))
      expect(single.kind).toBe('refused')
      expect(judge({ ...burst('27P0418853'), deadKeys: [3] }, ask(question, { serialNumber: '27P0418853' }))).toEqual({
        kind: 'refused',
        problem:
          'A key came that types no sign by itself, such as ^ of a French keyboard, so a sign is missing. Nothing of it is kept. Set the reader and this PC to a US keyboard, and scan again.',
      })
    }
    expect(problemOf('firmware', 'x')).toBe('A single key came, as a person presses it. Scan the symbol that is shown here.')
  })
})

describe('the configuration', () => {
  test('[DSK-04] what a person may have typed is judged by its form first', () => {
    expect(answer('serialNumber', '27P0418853', { slow: true })).toMatchObject({ kind: 'taken', isSlow: true })
    expect(answer('text', '<cfg>1</cfg>', { slow: true })).toMatchObject({ kind: 'taken', isSlow: true, isKnown: true })
    expect(answer('text', 'SYAZTCSEN1\nSYQRCOSEN0', { slow: true })).toMatchObject({ kind: 'taken', isSlow: true })
    for (const question of ['model', 'serialNumber', 'firmware', 'text'] as const)
      expect(problemOf(question, 'hello there', { slow: true })).toMatch(/^This came as slowly as a person types, and is no known form of /)
  })

  test('[DSK-02] of no known form is kept as it came, with all its lines', () => {
    const text = 'Beep: 3\nSuffix: /?\x1b[K'
    expect(answer('text', `\n${text}\n`, { serialNumber: '27P0418853' })).toEqual({
      kind: 'taken',
      text,
      isKnown: false,
      isSlow: false,
    })
  })

  test('[DSK-04] half of one is not kept', () => {
    expect(problemOf('text', '<cfg><a>1</a>')).toBe('The text stopped before </cfg>. Nothing of it is kept. Scan the symbol again.')
    expect(problemOf('text', '\x01Y\x1d\x02CFR\x03')).toBe(
      'The text stopped before its end mark. Nothing of it is kept. Scan the symbol again.',
    )
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 21 }), (length) => {
        expect(answer('text', '<cfg><a>12345</a></cfg>'.slice(0, length)).kind).toBe('refused')
      }),
    )
  })

  test('[DSK-04] that comes twice is one', () => {
    expect(answer('text', '<cfg>1</cfg>\n<cfg>1</cfg>\n')).toMatchObject({ text: '<cfg>1</cfg>' })
  })

  test('[DSK-04] the serial number or the model is none', () => {
    for (const text of ['27P0418853', 'CR2700'])
      expect(problemOf('text', text, { serialNumber: '27P0418853' })).toBe(
        'The reader typed who it is, not its configuration. Scan the symbol that is shown here.',
      )
  })

  test('[DSK-02] of more than 64 kB is refused', () => {
    expect(judge({ ...burst('x'), isTooLong: true }, ask('text'))).toMatchObject({
      kind: 'refused',
      problem: expect.stringMatching(/^The reader typed more than 64 kB/),
    })
  })

  test('[DSK-01] blanks alone are no answer', () => {
    for (const text of ['\n\n', ' \t']) expect(problemOf('text', text)).toBe('Only blanks or Enter came. Scan the symbol again.')
  })
})

describe('the serial number again', () => {
  test('[DSK-02] must be the same as before, whatever its form', () => {
    fc.assert(
      fc.property(fc.oneof(serial, fc.constant('SN 27P04')), ends, (text, end) => {
        expect(answer('again', text + end, { serialNumber: text })).toMatchObject({ kind: 'taken', text })
      }),
    )
    expect(answer('again', 'SN 27P04', { serialNumber: 'SN 27P04', slow: true })).toMatchObject({ kind: 'taken', isSlow: true })
  })

  test('[DSK-02] of another reader is refused, and keeps nothing', () => {
    expect(problemOf('again', '27P0418854\n', { serialNumber: '27P0418853' })).toBe(
      'Another reader has the serial number 27P0418854; the configuration was asked of 27P0418853. Nothing is kept. Scan with the reader 27P0418853, or begin again.',
    )
    fc.assert(
      fc.property(serial, fc.string(), (before, text) => {
        if (text.trim() !== before && text.trim() !== before + before)
          expect(answer('again', text, { serialNumber: before }).kind).toBe('refused')
      }),
    )
  })

  test('[DSK-04] that broke off asks for the whole', () => {
    for (const half of ['27P04', '18853'])
      expect(problemOf('again', half, { serialNumber: '27P0418853' })).toBe('Only half of the serial number came. Scan the symbol again.')
  })
})

describe('what the reader typed beside what it was sent', () => {
  test('[DSK-02] is compared where it is a list of commands', () => {
    const sent = ['CFR', 'SYAZTCSEN1', 'SYQRCOSEN0,PO2']
    expect(compareAnswer(sent, 'SYQRCOSEN0,PO2\nSYAZTCSEN1\nCDOPSFO1')).toEqual([])
    expect(compareAnswer(sent, '\x01Y\x1d\x02SYAZTCSEN0\x03SYQRCOSEN0\x03\x04')).toEqual([
      { name: 'SYAZTCEN', sent: '1', typed: '0' },
      { name: 'SYQRCOPO', sent: '2', typed: undefined },
    ])
  })

  test('[DSK-02] is not compared where its form is not published', () => {
    for (const text of ['<cfg>1</cfg>', 'Beep: 3', '']) expect(compareAnswer(['SYAZTCSEN1'], text)).toBeNull()
  })
})

describe('the keyboard layout', () => {
  /** `◌` stands for a dead key. */
  const find = (typed: string) => {
    const parts = typed.split('◌')
    const deadKeys = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('').length)
    return findLayout({ text: parts.join(''), deadKeys })
  }

  test('[DSK-04] that is the same changes nothing', () => {
    for (const end of ['', '\n', '\t', ' \n']) expect(find(layoutText + end)).toEqual({ changed: [], advice: null })
  })

  test.each([
    ['US', 'German', `ayqwzmß?-_öÖ,.;:◌◌(§äÄ)=ü+Ü*'#"/!0123456789AYQWZM`, 'y', 'z'],
    ['US', 'French', `qwazy,)°!§mM;:./=+83ù%90◌$◌£µ*271à&é"'(-è_çQWAZY?`, '0', 'à'],
    ['German', 'US', `ayqwzm/?&_<>,.\\|)]}\\|@*(8970\\-q^!0123456789AYQWZM`, '-', '/'],
    ['German', 'French', `qyazw,!§7°./;:<>0$£*µ289\\^◌@<]a61à&é"'(-è_çQYAZW?`, 'y', 'w'],
    ['French', 'US', `qwazy;68>M,.m<\\|=+\\3435-5-4=6801/)!@#$%^&*(QWAZY:`, 'm', ';'],
    ['French', 'German', `qwayzö68:M,.m;<>◌◌#³435ß5\\4◌6[}1-=!"§$%&/()QWAYZÖ`, '=', 'dead key'],
  ])('[DSK-04] of a %s reader at a %s PC says which characters change, and how to set it', (reader, pc, typed, one, other) => {
    const { changed, advice } = find(`${typed}\n`)
    expect(changed).toContainEqual({ sent: one, typed: other })
    expect(changed).toHaveLength([...typed].filter((character, index) => character !== layoutText[index]).length)
    expect(advice).toBe(
      `The reader types as for a ${reader} keyboard, and this PC takes it as a ${pc} one. Set the same layout in both: in the reader with the option “Keyboard layout” of the builder, in the PC in its keyboard settings.`,
    )
  })

  test('[DSK-04] of which characters are missing is another one', () => {
    expect(find(layoutText.slice(1)).changed).toEqual([])
    expect(find(layoutText.slice(1)).advice).toMatch(/^The reader and this PC have different keyboard layouts\./)
    expect(find(`${layoutText}x`).advice).not.toBeNull()
  })
})
