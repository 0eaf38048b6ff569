import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of minutes. They begin first, so that none runs alone at the end on one of two cores. */
const long = /\/(crawl|agent-crash)\.e2e\.ts$/

/** Vitest's own order, by what it remembers of former runs, which a fresh clone does not have; but the long files before all. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
