import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

test('[AGT-04] run without a driver says which there are, and ends with 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'run', '--state', newFolder()], { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: [
      'Choose how readers are attached:',
      '  --driver serial     readers on serial ports of this PC',
      '  --driver simulated  readers that do not exist, for trying out',
      '',
    ].join('\n'),
  })
})
