/** The vendor's staff edit the product catalogue. */
export default function CataloguePage() {
  return null
}
