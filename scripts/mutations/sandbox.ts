import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { copyCheckout } from '../copy-checkout.ts'

export interface Run {
  /** The state of each test, by its file and name (`toTestKey`). */
  states: Map<string, string>
  /** Why a file did not run to its end. */
  error: string | undefined
}

/** A test file inside the project, and the full names of those of its tests that are run. */
export type Chosen = readonly [testFile: string, names: readonly string[]]

export const toTestKey = (testFile: string, name: string): string => `${testFile} > ${name}`

/** A copy of the checkout whose files are broken while their tests run. */
export class Sandbox {
  readonly folder: string
  readonly #options: { bail: number }
  #vitest!: Vitest

  private constructor(folder: string, options: { bail: number }) {
    this.folder = folder
    this.#options = options
  }

  /** Copies the checkout at `root` to `folder`, which becomes the current folder. `bail`: tests end after so many failures; 0: never. */
  static async open(root: string, folder: string, options = { bail: 0 }): Promise<Sandbox> {
    copyCheckout(root, folder)
    process.chdir(folder)
    const sandbox = new Sandbox(folder, options)
    await sandbox.#start()
    return sandbox
  }

  async #start(): Promise<void> {
    this.#vitest = await createVitest('test', {
      root: this.folder,
      watch: false,
      reporters: [],
      maxWorkers: 1,
      retry: 0,
      bail: this.#options.bail,
      project: ['unit', 'server'],
    })
    await this.#vitest.standalone()
    for (const { config } of this.#vitest.projects) config.setupFiles.push(join(this.folder, 'scripts/mutations/first-failure.ts'))
  }

  close(): Promise<void> {
    return this.#vitest.close()
  }

  /** Changes a file for as long as `work` goes on. */
  async withChange<T>(file: string, change: (whole: string) => string, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, file)
    const whole = readFileSync(path, 'utf8')
    try {
      await this.#write(path, change(whole))
      return await work()
    } finally {
      await this.#write(path, whole)
    }
  }

  async #write(path: string, text: string): Promise<void> {
    writeFileSync(path, text)
    // The database that tests copy is made when the first of them runs.
    if (path.includes('/migrations/')) {
      await this.#vitest.close()
      await this.#start()
    } else this.#vitest.invalidateFile(path)
  }

  async runTests(chosen: readonly Chosen[]): Promise<Run> {
    const specifications = chosen.map(([testFile, names]) =>
      this.#vitest
        .getProjectByName(testFile.startsWith('server/') ? 'server' : 'unit')
        .createSpecification(join(this.folder, testFile), { testNames: [...names] }),
    )
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications)
    // Vitest also returns the results of earlier runs.
    const own = new Map(chosen.map(([testFile]) => [join(this.folder, testFile), testFile]))
    const modules = testModules.filter(({ moduleId }) => own.has(moduleId))
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => [toTestKey(own.get(module.moduleId)!, test.fullName), test.result().state] as const),
    )
    return { states: new Map(states), error: findError(modules, unhandledErrors) }
  }
}

function findError(modules: readonly TestModule[], unhandled: readonly unknown[]): string | undefined {
  const [error] = [...modules.flatMap((module) => module.errors()), ...unhandled]
  return error === undefined ? undefined : `the tests do not run: ${(error as Error).message}`
}
