// npm run check:browsers: every route and the main journeys in Firefox and in WebKit, as far as this machine has them.
import { spawnSync } from 'node:child_process'
import { exitWith, launch } from './launch.mjs'
import { ensureChromium, ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

const browsers = {
  firefox: { programs: ['firefox-esr'], packages: 'firefox-esr' },
  webkit: { programs: ['WebKitWebDriver', 'Xvfb'], packages: 'webkit2gtk-driver xvfb' },
}

await exitWith(async () => {
  const there = Object.keys(browsers).filter((name) => {
    const missing = browsers[name].programs.filter((program) => spawnSync(program, ['-help'], { stdio: 'ignore' }).error)
    if (missing.length > 0)
      console.log(
        `\n*** ${name.toUpperCase()} IS NOT CHECKED: there is no ${missing.join(' and no ')}. On Debian: apt-get install ${browsers[name].packages} ***\n`,
      )
    return missing.length === 0
  })
  if (there.length === 0) return 0
  const node = ensureInstalled()
  ensureWebApp(node)
  const env = { ...process.env, CHROMIUM_PATH: ensureChromium(), LECTERN_BROWSERS: there.join(',') }
  return launch(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.checks.config.ts', 'e2e/browsers', ...process.argv.slice(2)],
    env,
  )
})
