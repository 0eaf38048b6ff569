import type { ProductInput } from '@lectern/contract/products.ts'
import type { Page } from 'playwright-core'
import { manager, type Prepare, startStack } from '../processes/stack.ts'
import { stackForFile } from './stack-for-file.ts'

export const staff = 'staff@quietzone.example'

/** A product with everything left out that may be. */
export const plainProduct = (title: string, rest: Partial<ProductInput> = {}): ProductInput => ({
  title,
  short: `Short text of ${title}`,
  description: `Description of ${title}`,
  productType: 'Hardware',
  productImage: null,
  faq: [],
  documents: [],
  isDiscontinued: false,
  isConfigurable: false,
  ...rest,
})

/** Starts the product for a test file. */
export async function productScreen() {
  const { stack, pages } = await stackForFile(startStack())
  return {
    stack,
    open: (path: string, account = manager, prepare?: Prepare): Promise<Page> => pages.open(path, account, prepare),
    /** Makes these the products of the account's group; answers its id. */
    async choose(account: string, productIds: number[]): Promise<number> {
      const api = await stack.api(account)
      const { group } = await api('getCurrentUser', {})
      await api('setGroupProducts', { params: { id: group!.gid }, body: { productIds } })
      return group!.gid
    },
  }
}

/** The titles under a heading of the list, in their order. */
export const titlesUnder = (page: Page, heading: string) =>
  page.getByRole('region', { name: heading }).locator('.product-card-title').allInnerTexts()

export const editor = (page: Page) => page.getByRole('dialog', { name: 'Edit Product List' })

/** Opens the editor and waits for its checkboxes. */
export async function edit(page: Page) {
  await page.getByRole('button', { name: 'Edit Product List' }).click()
  await editor(page).getByRole('checkbox').first().waitFor()
  return editor(page)
}
