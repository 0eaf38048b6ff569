import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The name of the focused element: its label or its text. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement | null
    const labelledBy = focused
      ?.getAttribute('aria-labelledby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' ')
    const labels = [...(focused?.labels ?? [])].map((label) => label.textContent).join(' ')
    return focused?.getAttribute('aria-label') ?? (labelledBy || labels || focused?.textContent || '').trim()
  })

/** Presses Tab until the element of that name has the focus, and checks that the focus is visible. Returns how often. */
export async function tabTo(page: Page, name: string | RegExp): Promise<number> {
  for (let presses = 1; presses <= 120; presses++) {
    await page.keyboard.press('Tab')
    const focused = await focusedName(page)
    if (typeof name === 'string' ? focused === name : name.test(focused)) {
      const outlines = await page.evaluate(() => {
        const around: string[] = []
        // The label around a hidden input draws its outline.
        for (let at = document.activeElement; at && around.length < 4; at = at.parentElement) around.push(getComputedStyle(at).outlineStyle)
        return around
      })
      expect(outlines, `the focus on "${focused}" must show`).toContain('solid')
      return presses
    }
  }
  throw new Error(`Tab reaches nothing called ${name}`)
}
