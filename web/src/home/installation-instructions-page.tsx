/** How the companion app gets onto a zone's host PC (spec §2). */
export default function InstallationInstructionsPage() {
  return null
}
