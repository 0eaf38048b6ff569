import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { hostileScripts } from '../../testing/hostile-scripts.ts'
import { sandboxProgram } from '../../testing/sandbox-program.ts'
import { checkScript } from './check-script.ts'

const program = await sandboxProgram

const check = (script: string, samples?: string[]) =>
  checkScript(program, { name: 'rules.js', bytes: new TextEncoder().encode(script) }, samples)

describe('[DRY-03] refuses what cannot work', () => {
  test.each([
    ['no JavaScript', 'const a = 1\nfunction (', 'The file rules.js is not valid JavaScript: function name expected, line 2.'],
    [
      'a text alone',
      '"just a string"',
      'The file rules.js sets no handler, so readers would call nothing of it. Set rules_onDecode to a function.',
    ],
    [
      'handlers that are null',
      'rules_onDecode = rules_onDecodes = null',
      'The file rules.js sets no handler, so readers would call nothing of it. Set rules_onDecode to a function.',
    ],
    ['a number', 'rules_onDecode = 5', 'The file rules.js sets rules_onDecode to a number. It must be a function, or null.'],
    [
      'a typing error alone',
      'rules_onDecoded = (d) => d',
      'The file rules.js sets no handler, so readers would call nothing of it. Set rules_onDecode to a function. Readers do not call rules_onDecoded.',
    ],
    [
      'an error before any handler',
      'console.log(1)\nrules_onDecode = (d) => d',
      "The file rules.js stops when it is loaded: 'console' is not defined, line 1.",
    ],
  ])('%s', async (_, script, refusal) => {
    expect(await check(script)).toEqual({ verdict: 'refused', refusal, warnings: [], results: [] })
  })

  test.each([
    ['another type', 'rules.txt', 'a', 'File type must be .js'],
    ['no name', '.js', 'a', 'File type must be .js'],
    ['nothing', 'rules.js', '', 'The file rules.js is empty.'],
    ['a NUL', 'rules.js', 'a\0', 'The file rules.js is not text. If it is a script, save it as UTF-8.'],
    ['more than 5 MB', 'rules.js', 'a'.repeat(5 * 1024 * 1024 + 1), 'The file rules.js is larger than 5.0 MB.'],
  ])('a file with %s', async (_, name, text, refusal) => {
    expect(await checkScript(program, { name, bytes: new TextEncoder().encode(text) })).toMatchObject({ verdict: 'refused', refusal })
  })

  test('[INP-04] a script of another encoding can be published by who accepts that', async () => {
    const windows = new Uint8Array([...new TextEncoder().encode('rules_onDecode = (d) => d // '), 0xfc])
    expect(await checkScript(program, { name: 'rules.js', bytes: windows })).toMatchObject({
      verdict: 'warning',
      refusal: null,
      warnings: ['The file rules.js is in Windows-1252 and goes to the readers as it is. Save it as UTF-8 if they show other characters.'],
    })
  })

  test('[INP-04] bytes that are in no known encoding', async () => {
    expect((await checkScript(program, { name: 'rules.js', bytes: Uint8Array.of(0xff, 0xfe, 0x61) })).refusal).toBe(
      'The file rules.js is not text. If it is a script, save it as UTF-8.',
    )
  })
})

describe('[DRY-03] warns of what may be meant', () => {
  test.each([
    [
      'a name that readers do not call',
      'rules_onDecode = (d) => d\nfunction rules_helper() {}',
      'The file rules.js sets rules_helper, which readers do not call. They call rules_onDecode, rules_onDecodes, rules_onDecodeAttempt, and rules_onConfigure.',
    ],
    [
      'a handler that fails on some scans',
      'rules_onDecode = (d) => {\n  d.data = /PAT-(\\d+)/.exec(d.data)[1]\n  return d\n}',
      'rules_onDecode fails on 8 of 9 sample scans. On "4006381333931": cannot read property of null, line 2.',
    ],
    [
      'a handler that returns nothing',
      'rules_onDecode = (d) => { d.data = d.data.trim() }',
      'rules_onDecode fails on every sample scan. On "4006381333931": It returns undefined, not decode.',
    ],
    [
      'an error after its handler',
      'rules_onDecode = (d) => d\n\nbeep()',
      "The file rules.js stops when it is loaded: 'beep' is not defined, line 3.",
    ],
  ])('%s', async (_, script, warning) => {
    const { verdict, refusal, warnings } = await check(script)
    expect({ verdict, refusal, warnings }).toEqual({ verdict: 'warning', refusal: null, warnings: [warning] })
  })

  test('but not of such a name in a comment, or inside a function', async () => {
    const { warnings } = await check('// rules_later\nrules_onDecode = (d) => { const rules_local = d; return rules_local }')
    expect(warnings).toEqual([])
  })
})

test.each([
  ['assigned', 'rules_onDecode = (d) => d'],
  ['declared', 'function rules_onDecode(d) { return d }'],
  ['a constant', 'const rules_onDecode = (d) => d'],
  ['assigned in strict code', '"use strict"\nrules_onDecode = (d) => d'],
])('[DRY-03] a handler may be %s', async (_, script) => {
  expect((await check(script)).verdict).toBe('ready')
})

test('[DRY-04] says what each sample becomes, and what it takes', async () => {
  const script =
    'let count = 0\nrules_onDecode = (d) => {\n  if (d.data === "bad") throw new Error("no good")\n  d.data = ++count + d.data.trim()\n  return d\n}'
  const { verdict, results } = await check(script, [' one ', 'bad', 'two\u001d'])
  expect(verdict).toBe('warning')
  expect(results).toEqual([
    { input: ' one ', output: '1one', problem: null, steps: expect.any(Number) },
    { input: 'bad', output: null, problem: 'no good, line 3.', steps: expect.any(Number) },
    { input: 'two\u001d', output: '2two\u001d', problem: null, steps: expect.any(Number) },
  ])
  for (const { steps } of results) expect(steps).toBeGreaterThan(500)
})

test('[DRY-04] a script that changes nothing leaves every scan as it is, and takes the same steps each time', async () => {
  const data = fc.string({ unit: 'binary', maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 5 }), async (samples) => {
      const first = await check('rules_onDecode = (d) => d', samples)
      expect(first.results.map(({ output }) => output)).toEqual(samples)
      expect(await check('rules_onDecode = (d) => d', samples)).toEqual(first)
    }),
    { numRuns: 15 },
  )
})

test('[DRY-03] twice the work is twice the steps', async () => {
  const steps = async (rounds: number) =>
    (await check(`rules_onDecode = (d) => { for (let i = 0; i < ${rounds}; i++); return d }`, ['A'])).results[0]!.steps
  const none = await steps(0)
  const [some, twice] = [(await steps(10_000)) - none, (await steps(20_000)) - none]
  expect(some).toBeGreaterThan(50_000)
  expect(twice / some).toBeCloseTo(2, 3)
})

test('[DRY-03] the verdict does not depend on the clock, the time zone and the language of the machine', async () => {
  const script = 'rules_onDecode = (d) => ({ data: [new Date(2026, 6, 1).getTimezoneOffset(), new Date(), Math.random()].join() })'
  const here = await check(script, ['A'])
  vi.stubEnv('TZ', 'America/Chicago')
  vi.stubEnv('LANG', 'de_DE.UTF-8')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(new Date(2026, 6, 1).getTimezoneOffset()).toBe(300)
  expect(await check(script, ['A'])).toEqual(here)
  expect(here.results[0]?.output).toMatch(/^0,Thu Jan 01 2026 12:00:00 GMT\+0000,0\.\d+$/)
})

test.each(hostileScripts)('[DRY-03] hostile: $name', async ({ script, verdict, words }) => {
  const { refusal, warnings, results, ...rest } = await check(script)
  expect([rest.verdict, [refusal, ...warnings, results[0]?.output].join(' ')]).toEqual([verdict, expect.stringContaining(words)])
})
