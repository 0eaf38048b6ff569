import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** Runs the check where these programs alone are found. */
function check(...programs: string[]): { status: number | null; text: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-browsers-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const program of programs) writeFileSync(join(folder, program), '#!/bin/sh\n', { mode: 0o755 })
  const { status, stdout } = spawnSync(process.execPath, ['scripts/check-browsers.mjs'], { env: { PATH: folder }, encoding: 'utf8' })
  return { status, text: stdout }
}

const firefox = 'FIREFOX IS NOT CHECKED: there is no firefox-esr. On Debian: apt-get install firefox-esr'
const webkit = (absent: string) => `WEBKIT IS NOT CHECKED: there is no ${absent}. On Debian: apt-get install webkit2gtk-driver xvfb`

test('[DSK-04] the check of the browsers fails where one of them is missing, and says how it is had', () => {
  for (const [programs, sentences] of [
    [[], [firefox, webkit('WebKitWebDriver and no Xvfb')]],
    [['firefox-esr'], [webkit('WebKitWebDriver and no Xvfb')]],
    [['firefox-esr', 'WebKitWebDriver'], [webkit('Xvfb')]],
    [['WebKitWebDriver', 'Xvfb'], [firefox]],
  ] as const) {
    const { status, text } = check(...programs)
    expect(status).toBe(1)
    expect(text.match(/\*\*\* (.+?) \*\*\*/g)).toEqual(sentences.map((sentence) => `*** ${sentence} ***`))
  }
})
