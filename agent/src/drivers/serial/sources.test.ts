import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../testing/folder.ts'
import { readDialectFile, shippedDialect } from './dialect-file.ts'
import { isReaderPort, makeDialects } from './driver.ts'
import { usualTiming } from './timing.ts'
import { listOtherInterfaces } from './usb-devices.ts'

describe('[SER-01] what is sent', () => {
  const dialects = makeDialects(shippedDialect, usualTiming)

  test('has a source and evidence, command by command', () => {
    expect(dialects.map(({ name, can, commands }) => [name, [...can], commands.length])).toEqual([
      ['commands', ['commands'], 7],
      ['packets', ['file'], 15],
    ])
    for (const { sends, source, evidence } of dialects.flatMap(({ commands }) => commands)) {
      expect([sends, /D036890|D014465|C005066|V002450|catalogue/.test(source)]).toEqual([sends, true])
      expect(['published', 'secondary', 'inferred']).toContain(evidence)
    }
  })

  test('is none of the stand-ins of earlier versions', () => {
    const sent = JSON.stringify(dialects.map(({ commands }) => commands))
    for (const standIn of ['LXQUX', 'LXPMGBA', 'LXJSGSC', 'LXFTX', '\\u0018']) expect(sent).not.toContain(standIn)
  })
})

describe('[SER-01] a dialect file', () => {
  const file = (text: string) => {
    const path = join(newFolder(), 'dialect.json')
    writeFileSync(path, text)
    return path
  }
  const { commands, ...rest } = shippedDialect

  test('takes the place of the built-in table', async () => {
    const battery = { sends: 'PMBAGLV', meaning: 'Asks for the battery', source: 'D027153 p. 58', evidence: 'operator' as const }
    const own = { ...rest, answer: { before: '\x06', after: '\r', refusal: '\x15' }, commands: { ...commands, battery } }
    expect(await readDialectFile(file(JSON.stringify(own)))).toEqual(own)
  })

  test.for([
    ['no JSON', '{', /cannot be used: .*JSON/],
    ['a field too many', JSON.stringify({ ...rest, commands, more: 1 }), /cannot be used: the whole: /],
    [
      'no source',
      JSON.stringify({ ...rest, commands: { ...commands, model: { ...commands.model, source: '' } } }),
      /: commands\.model\.source: must not be empty\.$/,
    ],
    [
      'evidence that is none',
      JSON.stringify({ ...rest, commands: { ...commands, model: { ...commands.model, evidence: 'unknown' } } }),
      /: commands\.model\.evidence: must not be unknown\.$/,
    ],
    [
      'a command that is none',
      JSON.stringify({ ...rest, commands: { ...commands, model: { ...commands.model, sends: 'A\x03B' } } }),
      /: commands\.model\.sends: must be a command, such as RDRRGMD\.$/,
    ],
    ['too many bytes', ' '.repeat(70_000), /it has 70000 bytes, and at most 65536 are read\.$/],
  ] as const)('with %s is refused with a sentence', async ([, text, problem]) => {
    await expect(readDialectFile(file(text))).rejects.toThrow(problem)
    await expect(readDialectFile(file(text))).rejects.toMatchObject({ reason: 'usage' })
  })

  test('that is missing is refused with a sentence', async () => {
    await expect(readDialectFile('/no/such/file.json')).rejects.toThrow('The dialect file /no/such/file.json cannot be used: ENOENT')
  })
})

describe('[SER-02] without --port', () => {
  test.for([
    [{ path: '/dev/ttyACM0', vendorId: '11fa', productId: '0215' }, true],
    [{ path: 'COM5', vendorId: '11FA', productId: '0204' }, true],
    // A reader, or a modem, that waits for firmware.
    [{ path: '/dev/ttyACM0', vendorId: '11fa', productId: '0207' }, false],
    [{ path: '/dev/ttyUSB0', vendorId: '0403', productId: '6001' }, false],
    [{ path: '/dev/ttyS0' }, false],
  ] as const)('%j is opened: %s', ([port, isOpened]) => {
    expect(isReaderPort(port)).toBe(isOpened)
  })

  test('readers that are no serial ports are named from the list of USB devices, with what makes them one', async () => {
    const folder = newFolder()
    const device = (name: string, files: Record<string, string>) => {
      mkdirSync(join(folder, name))
      for (const [of, text] of Object.entries(files)) writeFileSync(join(folder, name, of), `${text}\n`)
    }
    device('1-1', { idVendor: '11fa', idProduct: '0200', product: `Code Reader\x1b[31m ${'x'.repeat(100)}` })
    device('1-2', { idVendor: '11fa', idProduct: '0215', product: 'A serial one' })
    device('1-3', { idVendor: '046d', idProduct: '0200', product: 'A keyboard of another vendor' })
    device('2-1', { idVendor: '11FA', idProduct: '0202' })
    device('usb1', {})
    const found = await listOtherInterfaces(folder)
    expect(found.map(({ path }) => path)).toEqual(['USB 1-1', 'USB 2-1'])
    expect(found[0]!.says).toMatch(
      /^The reader "Code Reader\[31m x+" types as a keyboard, so it takes no commands\. Scan the setting M20226 \(CMMOSCMUC\)/,
    )
    expect(found[0]!.says.length).toBeLessThan(400)
    expect(found[1]!.says).toMatch(/^The reader is in HID mode, /)
    expect(await listOtherInterfaces(join(folder, 'none'))).toEqual([])
  })
})
