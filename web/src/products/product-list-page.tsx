/** The products of the person's group (spec §2). */
export default function ProductListPage() {
  return null
}
