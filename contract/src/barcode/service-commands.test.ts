import { expect, test } from 'vitest'
import { findServiceCommand } from './service-commands.ts'
import { unplacedSettings } from './unplaced-settings.ts'

test.for<[string, string]>([
  ['CFS', 'Save all settings'],
  ['CFG', 'Report the configuration'],
  ['RDRRGMD', 'Report about the reader, as in the guide'],
])('[EVI-05] %s is "%s", which does no harm', ([command, name]) => {
  expect(findServiceCommand(command)).toMatchObject({ name, danger: null })
})

test.for<[string, string, string]>([
  ['JSCMXES"evil.js"', 'Run a script', 'It runs a program on the reader.'],
  ['RDFSXFN"x.js"', 'Write a file', 'It writes a file to the reader, such as a program or firmware.'],
  ['RDFSXFM2', 'Write a file', 'It writes a file to the reader, such as a program or firmware.'],
  ['RDFD', 'Write a file', 'It writes a file to the reader, such as a program or firmware.'],
  ['BTRDXCC', 'Clear the pairing of the reader', 'The reader loses its charging base or host, and must be paired again.'],
  ['BTBRXCM[BTBRXDC1]', 'Clear the pairing of the charging base', 'The reader loses its charging base or host, and must be paired again.'],
  ['BTBRXCM[RDFSXFN"x.js"]', 'Write a file', 'It writes a file to the reader, such as a program or firmware.'],
  ['RDCMXRB1', 'Restart the reader', 'The reader restarts, and what follows may be lost.'],
  ['BTBRXCM[CFR]', 'Reset the charging base', 'It restores factory settings.'],
])('[EVI-05] %s is "%s", with a warning', ([command, name, danger]) => {
  expect(findServiceCommand(command)).toMatchObject({ name, danger })
})

test('[EVI-05] every published command that is no option has a name', () => {
  const commands = unplacedSettings.flatMap((setting) => setting.commands).filter((command) => command !== 'CFR')
  expect(commands.filter((command) => findServiceCommand(command) === null)).toEqual([])
})

test.for(['ZZZZSAB1', 'SYAZTCSEN1', 'hello', ''])('%j is no service command', (command) => {
  expect(findServiceCommand(command)).toBeNull()
})
