import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take most of a minute. They begin first, so that none runs alone at the end. */
const long = /\/(crawl|devices-page|agent|registration|shell-offline|agent-crash)\.e2e\.ts$|\/archive\/archive\.test\.ts$/

/** What fails fastest comes first. A worker that changes its project begins anew. */
const projects = ['server', 'unit', 'e2e']

/**
 * Project by project, each in Vitest's own order, which it remembers from earlier runs (a fresh clone has none); long files come before
 * all.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    const ordered = [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return ordered.sort((one, other) => place(one) - place(other))
  }
}
