import type { Page } from 'playwright-core'

/**
 * Puts a pointer lock of the test's own into the page that is showing: granted and released at once, without a screen. That of a
 * headless browser sends the page ever more mouse moves for as long as it is held, until nothing else gets through.
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
