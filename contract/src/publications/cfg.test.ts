import { expect, test } from 'vitest'
import { updateModel, updateModels } from '../devices/device-models.ts'
import { cfgProblem, closingTag, isClosedCfg, scanBarcodeSegments, withLeadingBracket } from './cfg.ts'

test('[CFG-10] a leading "<" is put before a text that lacks it, and not before nothing', () => {
  expect(withLeadingBracket('cfg><a/></cfg>')).toBe('<cfg><a/></cfg>')
  expect(withLeadingBracket('<cfg/>')).toBe('<cfg/>')
  expect(withLeadingBracket('')).toBe('')
})

test.for([
  ['<cfg>', '</cfg>'],
  ['<?xml version="1.0"?>\n<!-- a --><code:settings a="1">', '</code:settings>'],
  ['<', null],
  ['', null],
  ['text', null],
])('the closing tag of %j is %j', ([text, tag]) => expect(closingTag(text as string)).toBe(tag))

test('a CFG is closed when it ends with the closing tag of its first element, whatever blanks follow', () => {
  expect(isClosedCfg('<cfg><a></a></cfg>')).toBe(true)
  expect(isClosedCfg('<cfg></cfg>\r\n ')).toBe(true)
  expect(isClosedCfg('<cfg><a></a>')).toBe(false)
  expect(isClosedCfg('<cfg></cfg><b>')).toBe(false)
  expect(isClosedCfg('<cfg/>')).toBe(false)
  expect(isClosedCfg('null')).toBe(false)
})

test.for<[string, RegExp | null]>([
  ['<cfg>1</cfg>', null],
  ['', /^The configuration is empty/],
  [' \n', /^The configuration is empty/],
  ['cfg></cfg>', /does not start with a tag/],
  ['text <cfg></cfg>', /does not start with a tag/],
  ['< cfg', /does not start with a tag/],
  ['<cfg>', /is not closed: it must end with <\/cfg>\.$/],
  [
    '<cfg>1</cfg>\r\n<cfg>1</cfg>',
    /has more than one element: after <\/cfg> it begins again\. It may have been scanned twice\. Scan it once\.$/,
  ],
  ['<cfg>1</cfg><net>2</net>', /has more than one element/],
  ['<cfg>1</cfg><net>2</net></cfg>', /has more than one element/],
  ['<html><body>sign in</body></html>', /^This is a web page/],
  ['<!DOCTYPE html><html></html>', /^This is a web page/],
  ['<html5>1</html5>', null],
  ['<cfg>1</cfg> x', /has text after <\/cfg>/],
  ['<cfg><cfg>1</cfg></cfg>', null],
  ['<cfg><cfg/>1</cfg>', null],
  ['<cfg><cfg2>1</cfg2></cfg>', null],
  ['<a.b>1</a.b>', null],
  // The first scan broke off, and the second is whole.
  ['<cfg>1<cfg>1</cfg>', /is not closed/],
  ['<cfg>\0</cfg>', /no text/],
  ['<cfg>\udc00</cfg>', /no text/],
  [`<c>${'x'.repeat(1_000_000 - 7)}</c>`, null],
  [`<c>${'x'.repeat(1_000_000 - 6)}</c>`, /longer than 1000000 characters/],
])('what is wrong with %.20j', ([text, words]) => {
  const problem = cfgProblem(text)
  if (words === null) expect(problem).toBeNull()
  else expect(problem).toMatch(words)
})

test('[INP-03] a text with more than one root is not closed, nor is a broken scan with a whole one behind it', () => {
  expect(['<a>1</a><a>1</a>', '<a>1</a>\n<b>2</b>', '<a>1<a>1</a>'].map(isClosedCfg)).toEqual([false, false, false])
})

test.each([
  [';cfg:1;-cfg:', 'a US keyboard', 'a German one, or one with the same signs, such as Italian or Spanish'],
  ['<;cfg:1;-cfg:', 'a US keyboard', 'a German one, or one with the same signs, such as Italian or Spanish'],
  ['.cfg/1.!cfg/', 'a US keyboard', 'a French one'],
  ['<?cfg/', 'a US keyboard', 'a French one'],
  ['БсапЮ1Б.сапЮ', 'a US keyboard', 'a Russian one'],
  ['\\cfg|1\\&cfg|', 'a German or French keyboard', 'a US or UK one'],
])('[INP-03] of %j the message names the keyboard layouts', (text, reader, pc) => {
  expect(cfgProblem(text)).toBe(
    `This text was typed for another keyboard: the reader types as for ${reader}, and the PC takes it as ${pc}. Set the same keyboard layout in both, and scan again.`,
  )
})

test('[CFG-09] a scan barcode has 2 segments for CR2700, 5 for A271/2 and 3 for every other model', () => {
  expect(Object.fromEntries(updateModels.map((model) => [model, scanBarcodeSegments(model)]))).toEqual({
    CR1100: 3,
    CR2700: 2,
    'A271/2': 5,
    CR1500: 3,
    CR5200: 3,
    V1300: 3,
    V4500: 3,
  })
})

test('[WIZ-04 WIZ-05] seven models, and the words for any other', () => {
  expect([...updateModels]).toEqual(['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500'])
  expect(updateModel('A271/2')).toBe('A271/2')
  for (const name of ['CR950', '', 'cr1100', 'toString']) expect(() => updateModel(name)).toThrow(`Invalid device: ${name}`)
})
