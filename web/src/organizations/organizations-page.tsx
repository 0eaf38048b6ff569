/** All organizations with their groups, for the vendor's staff (spec §2). */
export default function OrganizationsPage() {
  return null
}
