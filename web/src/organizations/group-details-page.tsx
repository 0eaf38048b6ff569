/** A customer's group, for the vendor's staff (spec §2). */
export default function GroupDetailsPage() {
  return null
}
