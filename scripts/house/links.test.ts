import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const papers = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true }).map((file) => join('docs', String(file))),
].filter((file) => file.endsWith('.md'))

/** As GitHub makes them. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-')

// A decision tells of its day, and names what was there then.
const current = papers.filter((paper) => !paper.startsWith('docs/decisions/'))

test.each(current)('the files that %s names are there', (paper) => {
  const named = [...read(paper).matchAll(/`((?:agent|bench|contract|docs|e2e|idp|scripts|server|web)\/[\w./@-]+)`/g)].map(
    ([, path = '']) => path,
  )
  // Examples, and what a command makes and git ignores.
  const left = /NNNN|^agent\/dist$/
  expect(named.filter((path) => !left.test(path) && !existsSync(join(root, path)))).toEqual([])
})

test.each(papers)('the links of %s lead somewhere', (paper) => {
  const links = [...read(paper).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^https?:/.test(link))
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? paper : join(dirname(paper), file)
    if (!existsSync(join(root, target))) return true
    const anchors = [...(anchor === undefined ? '' : read(target)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading))
    return anchor !== undefined && !anchors.includes(anchor)
  })
  expect(broken).toEqual([])
})
