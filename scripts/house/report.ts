// npm run house: what the limits on sizes and comments are held against, in figures.
import { readSources } from './imports.ts'
import { findFullFolders, findLongFunctions, findSmallFiles, measureComments } from './sizes.ts'

const sources = readSources()
const sections = {
  'Functions over 60 lines': findLongFunctions(sources).map(({ path, line, lines }) => `${path}:${line} ${lines}`),
  'Files for one reader that could hold them': findSmallFiles(sources).map(({ path, host }) => `${path} → ${host}`),
  'Folders over 25 files': findFullFolders(sources).map(([folder, files]) => `${folder} ${files}`),
  'Comments per 1,000 production lines': ['contract', 'server', 'web', 'agent', 'idp', 'bench', 'scripts'].map((program) => {
    const { lines, blocks, words } = measureComments(sources, program)
    return `${program.padEnd(9)} ${blocks.toFixed(1).padStart(5)} doc blocks ${words.toFixed().padStart(6)} words  (${lines} lines)`
  }),
}
for (const [title, rows] of Object.entries(sections)) console.log(`${title}: ${rows.length}\n${rows.map((row) => `  ${row}`).join('\n')}\n`)
