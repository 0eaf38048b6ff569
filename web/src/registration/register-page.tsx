/** The onboarding wizard (spec §2). */
export default function RegisterPage() {
  return null
}
