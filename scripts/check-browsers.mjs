// npm run check:browsers: every route and the main journeys in Firefox and in WebKit. It fails where this machine lacks one of them.
import { spawnSync } from 'node:child_process'
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

const browsers = {
  firefox: { programs: ['firefox-esr'], packages: 'firefox-esr' },
  webkit: { programs: ['WebKitWebDriver', 'Xvfb'], packages: 'webkit2gtk-driver xvfb' },
}

await exitWith(async () => {
  const missing = Object.entries(browsers).filter(([name, { programs, packages }]) => {
    const absent = programs.filter((program) => spawnSync(program, ['-help'], { stdio: 'ignore' }).error)
    if (absent.length > 0)
      console.log(
        `\n*** ${name.toUpperCase()} IS NOT CHECKED: there is no ${absent.join(' and no ')}. On Debian: apt-get install ${packages} ***\n`,
      )
    return absent.length > 0
  })
  if (missing.length > 0) return 1
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium(), LECTERN_BROWSERS: Object.keys(browsers).join(',') }
  return launch(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.checks.config.ts', 'e2e/browsers', ...process.argv.slice(2)],
    env,
  )
})
