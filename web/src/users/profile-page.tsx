/** The person's profile (spec §2). */
export default function ProfilePage() {
  return null
}
