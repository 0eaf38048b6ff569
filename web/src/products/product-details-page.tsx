/** One product (spec §2). */
export default function ProductDetailsPage() {
  return null
}
