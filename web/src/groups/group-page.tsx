/** The person's group: its members, and the invitation link for a colleague. */
export default function GroupPage() {
  return null
}
