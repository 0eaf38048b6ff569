// npm run house: sizes and comments in figures. They are no limits: read these places, and judge by reading.
import { readSources } from './imports.ts'
import { listNouns } from './nouns.ts'
import { findFullFolders, findLongFiles, findLongFunctions, findSmallFiles, measureComments, measureNoun } from './sizes.ts'

const sources = readSources()
const sections = {
  'Files over 300 lines': findLongFiles(sources).map(([path, lines]) => `${path} ${lines}`),
  'Functions over 60 lines': findLongFunctions(sources).map(({ path, line, lines }) => `${path}:${line} ${lines}`),
  'Files for one reader that could hold them': findSmallFiles(sources).map(({ path, host }) => `${path} → ${host}`),
  'Folders over 25 files': findFullFolders(sources).map(([folder, files]) => `${folder} ${files}`),
  'Files and lines of each noun in all layers': listNouns(sources)
    .map((noun) => ({ noun, ...measureNoun(sources, noun) }))
    .sort((one, other) => other.lines - one.lines)
    .map(({ noun, files, lines }) => `${noun.padEnd(14)} ${String(files).padStart(3)} files ${String(lines).padStart(6)} lines`),
  'Comments per 1,000 production lines': ['contract', 'server', 'web', 'agent', 'idp', 'bench', 'scripts'].map((program) => {
    const { lines, blocks, words } = measureComments(sources, program)
    return `${program.padEnd(9)} ${blocks.toFixed(1).padStart(5)} doc blocks ${words.toFixed().padStart(6)} words  (${lines} lines)`
  }),
}
for (const [title, rows] of Object.entries(sections)) console.log(`${title}: ${rows.length}\n${rows.map((row) => `  ${row}`).join('\n')}\n`)
