import fc from 'fast-check'
import { expect, test } from 'vitest'
import facts from '../testing/reader-commands.json' with { type: 'json' }
import { selections } from '../testing/selections.ts'
import { builtInCatalogue as catalogue } from './built-in-catalogue.ts'
import { builderDevices } from './catalogue.ts'
import { encodePayload } from './configuration-payload.ts'
import { splitRunTogether } from './lost-controls.ts'
import { buildCommands } from './selection.ts'
import { readSelection } from './selection-reading.ts'

/** What a scanner types that leaves out control characters. */
const typed = (commands: string[], reset = false) => String.fromCharCode(...encodePayload({ commands, reset })).replace(/\p{Cc}/gu, '')

test('[EVI-05] each of the 380 published settings is read without its control characters, with a reset first and without', () => {
  expect(facts).toHaveLength(380)
  for (const { commands } of facts) {
    const own = commands.filter((command) => command !== 'CFR')
    expect(splitRunTogether(typed(commands))).toEqual([commands])
    expect(splitRunTogether(typed(own, true))).toEqual([['CFR', ...own]])
  }
})

test.for(builderDevices)('[EVI-05] what the builder writes for a %s is the same settings without control characters', (device) => {
  fc.assert(
    fc.property(selections(catalogue, device), fc.boolean(), (selection, reset) => {
      const parts = splitRunTogether(typed(buildCommands(catalogue, device, selection), reset))
      expect(parts).toHaveLength(1)
      expect(readSelection(catalogue, device, parts![0]!)).toEqual({ reset, selection, unknown: [], overridden: [] })
    }),
    { numRuns: 80 },
  )
})

test.for<[string, string[][]]>([
  ['YCFRSYAZTCSEN1SYDATMSEN1', [['CFR', 'SYAZTCSEN1', 'SYDATMSEN1']]],
  ['SYAZTCSEN1CMHDSIE2,OM1', [['SYAZTCSEN1', 'CMHDSIE2,OM1']]],
  ['YCMMOSCMUKYSYAZTCSEN1', [['CMMOSCMUK'], ['SYAZTCSEN1']]],
  ['YBTBRXCM[BTCMPRD1]BTBRXCM[CFG]', [['BTBRXCM[BTCMPRD1]', 'BTBRXCM[CFG]']]],
  ['YJSCMXES"evil.js"RDCMXRB1', [['JSCMXES"evil.js"', 'RDCMXRB1']]],
])('%s is %j', ([text, parts]) => {
  expect(splitRunTogether(text)).toEqual(parts)
})

test.for(['', 'Y', 'YES', 'Your order of 3 readers', 'YSYAZTCSEN', 'YSYAZTCSEN1ZZ', 'YCDOPSPX"open'])(
  '%s is no text of commands',
  (text) => {
    expect(splitRunTogether(text)).toBeNull()
  },
)
