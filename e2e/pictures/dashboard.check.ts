import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { manager, startLoneStack } from '../support/processes/stack.ts'

test("the README's picture is taken", async () => {
  const stack = await startLoneStack({ hasFleet: true })
  try {
    const page = await stack.page(manager, '/codedm/device-dashboard', { timezoneId: 'America/Los_Angeles' })
    // The zones' own agents have reported.
    const seen = () => stack.sql("select from host where last_seen_at > now() - interval '1 minute' limit 10")
    await expect.poll(seen, { timeout: 60_000 }).toHaveLength(10)
    await page.reload()
    await page.locator('tbody tr').nth(9).waitFor()
    await page.locator('main .skeleton').waitFor({ state: 'detached' })
    await page.screenshot({ path: fileURLToPath(new URL('../../docs/dashboard.png', import.meta.url)) })
  } finally {
    await stack.stop()
  }
})
