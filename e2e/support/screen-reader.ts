import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { virtual } from '@guidepup/virtual-screen-reader'
import type { Page } from 'playwright-core'

const library = await readFile(createRequire(import.meta.url).resolve('@guidepup/virtual-screen-reader/browser.js'), 'utf8')
const modules: Record<string, string> = {
  '/screen-reader/library.js': library,
  '/screen-reader/start.js': `import { virtual } from './library.js'; window.screenReader = virtual`,
}

/**
 * What a screen reader reads from a page's beginning to its end, a line each. What differs between runs is replaced. The page's context
 * needs `bypassCSP`, as the provider's pages allow no script.
 * @param after leaves out everything up to this line
 */
export async function readAloud(page: Page, after = ''): Promise<string> {
  if (await page.evaluate(() => !('screenReader' in window))) {
    await page.route('**/screen-reader/*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: modules[new URL(route.request().url()).pathname] }),
    )
    await page.addScriptTag({ url: '/screen-reader/start.js', type: 'module' })
  }
  const lines = await page.evaluate(async () => {
    const reader = (window as unknown as { screenReader: typeof virtual }).screenReader
    // It would read both, which browsers do not: what is for a page without scripts, and the values of buttons.
    for (const one of document.querySelectorAll('noscript')) one.remove()
    for (const one of document.querySelectorAll('button[value]')) one.removeAttribute('value')
    await reader.start({ container: document.body })
    do await reader.next()
    while ((await reader.lastSpokenPhrase()) !== 'end of document')
    const spoken = await reader.spokenPhraseLog()
    await reader.stop()
    return spoken
  })
  return `${lines
    .slice(lines.indexOf(after) + 1)
    .map(mask)
    .join('\n')}\n`
}

const mask = (line: string): string =>
  line
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(id)')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, '(time)')
    .replace(/\b\d{1,2} [A-Z][a-z]{2} \d{4}/g, '(date)')
    .replace(/UTC[+−]\d\d:\d\d/g, 'UTC(offset)')
    .replace(/\b\d\d:\d\d\b/g, '(time)')
    .replace(/(?<=^time, )\d{4}-.*/, '(time)')
    .replace(/^(::1|(::ffff:)?127\.0\.0\.1)$/, '(address)')
