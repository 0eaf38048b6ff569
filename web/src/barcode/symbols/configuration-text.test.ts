import { quoteValue } from '@lectern/contract/barcode/commands.ts'
import { encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { hostileText } from '@lectern/contract/testing/selections.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCommandText, visible } from './configuration-text.ts'

const payload = (...commands: string[]) => String.fromCharCode(...encodePayload({ commands, reset: false }))
const pair = ['SYAZTCSEN1', 'CMHDSIE2,OM1']

describe('commands in a text', () => {
  test.for([
    ['one a line', 'SYAZTCSEN1\r\nCMHDSIE2,OM1\n'],
    ['separated by semicolons', 'SYAZTCSEN1;CMHDSIE2,OM1;'],
    ['separated by spaces and commas', '  SYAZTCSEN1, CMHDSIE2,OM1 '],
    ['a list in JSON', JSON.stringify(pair)],
    ['an address', `https://portal.example/codedm/create-configuration/CR2700?config=${encodeURIComponent(JSON.stringify(pair))}&show=x`],
    ['the content of a barcode', payload(...pair)],
    ['with a line end of the scanner', `${payload(...pair)}\r\n`],
    ['with pictures of control characters', payload(...pair).replace(/\p{Cc}/gu, visible)],
    ['with names of control characters', '<SOH>Y<GS><STX>SYAZTCSEN1<ETX>CMHDSIE2,OM1<ETX><EOT>'],
  ] as const)('%s', ([, text]) => {
    expect(parseCommandText(text)).toEqual({ parts: [pair] })
  })

  test('several barcodes one after the other are parts', () => {
    expect(parseCommandText(`${payload('SYAZTCSEN1')}\n${payload('CMHDSIE2,OM1')}`)).toEqual({ parts: [['SYAZTCSEN1'], ['CMHDSIE2,OM1']] })
  })

  test('[EVI-05] barcodes whose control characters were lost are parts, in lines and one behind the other', () => {
    const parts = [
      ['CFR', 'SYAZTCSEN1'],
      ['CDOPSPX"a; b"', 'CDOPSFO1'],
    ]
    expect(parseCommandText('YCFRSYAZTCSEN1\r\nYCDOPSPX"a; b"CDOPSFO1\r\n')).toEqual({ parts })
    expect(parseCommandText('YCFRSYAZTCSEN1YCDOPSPX"a; b"CDOPSFO1')).toEqual({ parts })
    expect(parseCommandText('YRDCMXRB1')).toEqual({ parts: [['RDCMXRB1']] })
  })

  test('what stands in quotes is not taken apart', () => {
    expect(parseCommandText('CDOPSPX"a; b ,c";CDOPSFO1')).toEqual({ parts: [['CDOPSPX"a; b ,c"', 'CDOPSFO1']] })
  })

  test('any text in a command comes back, as lines and as the content of a barcode', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (texts) => {
        const commands = [...new Set(texts.map((text) => `CDOPSPX${quoteValue(text)}`))]
        expect(parseCommandText(commands.join('\n'))).toEqual({ parts: [commands] })
        expect(parseCommandText(payload(...commands))).toEqual({ parts: [commands] })
      }),
    )
  })

  test('a blank text is none', () => {
    expect(parseCommandText(' \n')).toBeNull()
  })

  test.for([
    ['a sentence', 'Dear all, please read this.', 'This is no configuration. The command does not begin'],
    ['an address of something else', 'https://portal.example/', 'This is no configuration.'],
    ['a barcode without its end', payload(...pair).slice(0, -1), 'not complete'],
    ['a barcode cut off in a command', payload(...pair).slice(0, 9), 'not complete'],
    ['commands of no known subsystem without control characters', 'YSYAZTCSEN1ZZZZ', 'left out its control characters'],
    ['64 kB of words', 'SYAZTCSEN1 word '.repeat(4_000), 'too long for a configuration: it has 8,000 words'],
    ['64 kB of letters', 'abcd'.repeat(16_000), 'This is no configuration.'],
    ['64 kB of quotes', '"'.repeat(64_000), 'This is no configuration.'],
  ] as const)('refuses %s', ([, text, problem]) => {
    expect(parseCommandText(text)).toEqual({ problem: expect.stringContaining(problem) })
  })

  test('a command that is none is kept among others, to be seen', () => {
    expect(parseCommandText('SYAZTCSEN1 hello')).toEqual({ parts: [['SYAZTCSEN1', 'hello']] })
  })
})
