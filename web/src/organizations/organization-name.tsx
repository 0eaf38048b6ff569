/** The name; the id until registration is complete (spec §2). */
export function OrganizationName({ organization: { id, name } }: { organization: { id: string; name: string | null } }) {
  if (name) return name
  return (
    <>
      <span className="mono">{id}</span> <span className="text-13 font-normal text-ink-2">(organization registration not complete)</span>
    </>
  )
}
