/** Where an invitation link leads. */
export default function JoinPage() {
  return null
}
