import { expect, test } from 'vitest'
import { updateModels } from '../devices/device-models.ts'
import { firmwareFileProblem, firmwareFileTypes } from './firmware.ts'

const allTypes = ['.crbfw', '.crvfw', '.ufw', '.js', '']

test('[FRM-12] each model takes the files of its own types, and no others', () => {
  const taken = updateModels.map((device) => [
    device,
    allTypes.filter((type) => firmwareFileProblem(device, { name: `reader-4.12${type}`, size: 1 }) === null),
  ])
  expect(Object.fromEntries(taken)).toEqual({
    CR1100: ['.crvfw'],
    CR2700: ['.crvfw'],
    'A271/2': ['.crbfw'],
    CR1500: ['.crvfw'],
    CR5200: ['.crvfw'],
    V1300: ['.crbfw'],
    V4500: ['.crvfw', '.ufw'],
  })
})

test.each([
  ['Update.CRVFW', null],
  ['更新 4.12 (2).crvfw', null],
  ['.crvfw', 'File type must be .ufw, .crvfw'],
  ['a.ufw.txt', 'File type must be .ufw, .crvfw'],
  ['../a.ufw', 'File type must be .ufw, .crvfw'],
  ['a\nb.ufw', 'File type must be .ufw, .crvfw'],
  [`${'x'.repeat(200)}.ufw`, 'File type must be .ufw, .crvfw'],
])('the name %j: %s', (name, problem) => {
  expect(firmwareFileProblem('V4500', { name, size: 1 })).toBe(problem)
})

test('an empty file is none', () => {
  for (const device of updateModels) {
    const name = `a${firmwareFileTypes[device][0]}`
    expect(firmwareFileProblem(device, { name, size: 0 })).toBe(`The file ${name} is empty.`)
  }
})
