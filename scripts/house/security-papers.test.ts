import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
const papers = ['SECURITY.md', 'docs/security/threat-model.md', 'docs/security/asvs.md']
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The cells of the rows of all tables. */
const rowsOf = (text: string) => [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '))
const filesIn = (text: string) => [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|md|sql))`/g)].map(([, file = '']) => file)

/** How many requirements of levels 1 and 2 each section of ASVS 5.0 has; they come first in their section. */
const sections: Record<string, number> = {
  ...{ '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
}
const states = ['met', 'written', 'untested', 'partly', 'not met', 'not yet', 'does not apply']

test('every requirement of ASVS has one row, and every other chapter a judgement', () => {
  const ids = Object.entries(sections).flatMap(([section, count]) => Array.from({ length: count }, (_, index) => `${section}.${index + 1}`))
  const rows = rowsOf(read('docs/security/asvs.md'))
  expect(rows.map(([id = '']) => id).filter((id) => /^\d+\.\d+\.\d+$/.test(id))).toEqual(ids)
  const chapters = rows.map(([name = '']) => /^V\d+/.exec(name)?.[0]).filter((name) => name !== undefined)
  expect(chapters).toEqual(['V1', 'V3', 'V5', 'V9', 'V11', 'V12', 'V14', 'V15', 'V17'])
})

test('what is met names its test, what is written its document, and everything else its reason', () => {
  const rows = rowsOf(read('docs/security/asvs.md')).filter(([id = '']) => /^\d+\.\d+\.\d+$/.test(id))
  const isProven: Record<string, (where: string) => boolean> = {
    met: (where) => filesIn(where).some((file) => /\.(test|e2e|spec)\.ts$/.test(file)),
    written: (where) => /\]\([\w./#-]+\)/.test(where),
  }
  const wrong = rows.filter(
    ([, asks = '', state = '', where = '', ...more]) =>
      more.length > 0 || asks === '' || !states.includes(state) || !(isProven[state]?.(where) ?? where.length >= 5),
  )
  expect(wrong).toEqual([])
})

test.each(papers)('the files that %s names are there', (paper) => {
  expect(filesIn(read(paper)).filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('each of the ten attacks names its test by its title, but for what is not yet there', () => {
  const attacks = rowsOf(read('docs/security/threat-model.md')).filter(([name = '']) => /^\d+\. /.test(name))
  expect(attacks.map(([name = '']) => Number.parseInt(name, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const unproven = attacks.filter(([, , where = '']) => {
    const [, file, title = ''] = /^`([\w./-]+)`: (.+)$/.exec(where) ?? []
    return where !== 'not yet' && (file === undefined || !read(file).includes(title))
  })
  expect(unproven).toEqual([])
})
