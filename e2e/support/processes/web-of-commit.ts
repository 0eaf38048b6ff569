import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds the web app of a commit in an empty folder, with the packages of now. Answers where it lies, undefined where git does not have the commit. */
export function buildWebOf(commit: string, folder: string): string | undefined {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: project }).status === 0
  if (!git('cat-file', '-e', `${commit}^{commit}`)) return undefined
  const archive = join(folder, 'sources.tar')
  git('archive', '--output', archive, commit, 'package.json', 'tsconfig.json', 'contract', 'web')
  execFileSync('tar', ['-xf', archive, '-C', folder])
  const [packages, own] = [join(project, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(own, '@lectern'), { recursive: true })
  symlinkSync(join(folder, 'contract'), join(own, '@lectern/contract'))
  for (const name of readdirSync(packages)) if (!/^[.]|^@lectern$/.test(name)) symlinkSync(join(packages, name), join(own, name))
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.config.ts'], {
    cwd: folder,
    env,
    stdio: 'pipe',
  })
  return join(folder, 'web/dist')
}
