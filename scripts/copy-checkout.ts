import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Copies the checkout, with what is not committed. Packages are links; the workspaces' links lead to the copy's own. */
export function copyCheckout(root: string, folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of new Set(listed.split('\0'))) if (file && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file))
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** A workspace's link is relative, so a new one leads to the copy's workspace. Caches are not shared. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (name === '@lectern') linkPackages(source, target)
    else if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(source, target)
  }
}
