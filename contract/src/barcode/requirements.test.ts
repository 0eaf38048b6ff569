import { expect, test } from 'vitest'
import { builtInCatalogue as catalogue } from './built-in-catalogue.ts'
import { type BuilderDevice, listOptions, type SelectionValue } from './catalogue.ts'
import { catalogueFor } from './catalogue-devices.ts'
import { findDefault, findNeed, findUnmet } from './requirements.ts'
import type { Selection } from './selection.ts'

const option = (id: string) => listOptions(catalogue).find((one) => one.id === id)!

test.for<[string, BuilderDevice, string | null]>([
  ['beep-volume', 'CR2700', 'High'],
  ['aztec', 'CR1100', 'On'],
  ['reconnection-beep', 'CR2700', 'Off'],
  ['rs-232-parity', 'CR1500', null],
  ['prefix', 'CR2700', null],
])('[EVI-03] the factory default of %s on a %s is %s', ([id, device, name]) => {
  expect(findDefault(option(id), device)?.name ?? null).toBe(name)
})

test.for<[string, SelectionValue | undefined, string | null]>([
  ['rs-232-baud-rate', undefined, 'Interface: RS-232'],
  ['keyboard-layout', undefined, 'Interface: USB keyboard'],
  ['suffix', undefined, null],
  ['aztec-mirror', undefined, 'Aztec: On'],
  ['aztec', undefined, null],
  ['host-profile', 'rs-232-opos-jpos', null],
  ['age-expiry-check', undefined, 'Age verification: On'],
])('[EVI-03] %s: %s needs %s', ([id, value, need]) => {
  expect(findNeed(catalogueFor(catalogue, id.startsWith('age') ? 'CR5200' : 'CR1500'), option(id), value)).toBe(need)
})

test.for<[BuilderDevice, Selection, boolean, string[]]>([
  [
    'CR1500',
    { 'interface-mode': 'usb-keyboard', 'rs-232-baud-rate': '9600' },
    false,
    ['"RS-232 baud rate: 9600" needs "Interface: RS-232", but "Interface: USB keyboard" is chosen. It has no effect.'],
  ],
  [
    'CR1500',
    { 'interface-mode': 'usb-cdc', suffix: '\x01Y\x1ean//n\x04' },
    false,
    [
      expect.stringMatching(
        /^"Suffix: Enter, USB keyboard" needs "Interface: USB keyboard", but "Interface: .*" is chosen\. It has no effect\.$/,
      ),
    ],
  ],
  [
    'CR2700',
    { 'interface-mode': 'usb-hid-vendor', 'keyboard-layout': 'french-windows' },
    false,
    [expect.stringContaining('needs "Interface: USB keyboard"')],
  ],
  ['CR8200', { 'interface-mode': 'rs-232', 'rs-232-baud-rate': '9600' }, true, []],
  ['CR1500', { 'host-profile': 'rs-232-opos-jpos', 'rs-232-baud-rate': '9600' }, false, []],
  ['CR1500', { 'rs-232-baud-rate': '9600' }, false, []],
  [
    'CR2700',
    { aztec: false, 'aztec-mirror': true },
    false,
    ['"Aztec mirror images: On" needs "Aztec: On", but "Aztec: Off" is chosen. It has no effect.'],
  ],
  ['CR2700', { 'aztec-mirror': true }, true, []],
  // The listing has Code 11 off as the factory default.
  [
    'CR2700',
    { 'code-11-checksum': 'one' },
    true,
    ['"Code 11 check digits: One" needs "Code 11: On", but the reset leaves "Code 11: Off". It has no effect.'],
  ],
  ['CR2700', { 'code-11-checksum': 'one' }, false, []],
])('[EVI-03] what has no effect on a %s with %j, reset %s', ([device, selection, reset, sentences]) => {
  expect(findUnmet(catalogue, device, selection, reset)).toEqual(sentences)
})
