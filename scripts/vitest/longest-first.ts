import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of most of a minute. They begin first, so that none runs alone at the end. */
const long = /\/(crawl|devices-page|agent|registration|shell-offline|agent-crash)\.e2e\.ts$|\/archive\/archive\.test\.ts$/

/** What fails soonest comes first; and a worker that changes its project begins anew. */
const projects = ['server', 'unit', 'e2e']

/** Project by project, in each Vitest's own order, by what it remembers of former runs, which a fresh clone does not have; but the long files before all. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    const ordered = [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return ordered.sort((one, other) => place(one) - place(other))
  }
}
