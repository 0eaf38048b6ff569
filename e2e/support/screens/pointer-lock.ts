import type { Page } from 'playwright-core'

/**
 * Replaces the page's pointer lock by one that is granted and released at once, without a screen. The lock of a headless browser floods the
 * page with mouse moves as long as it is held.
 */
export async function emulatePointerLock(page: Page): Promise<void> {
  await page.evaluate(() => {
    let holder: Element | null = null
    const change = async (next: Element | null) => {
      await null
      if (holder === next) return
      holder = next
      document.dispatchEvent(new Event('pointerlockchange'))
    }
    Object.defineProperty(document, 'pointerLockElement', { get: () => holder })
    document.exitPointerLock = () => void change(null)
    Element.prototype.requestPointerLock = function () {
      return change(this)
    }
  })
}
