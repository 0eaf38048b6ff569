/** Shows a line of `formatRuns`, with day, time and distance in bold. */
export function RunText({ text }: { text: string }) {
  const [when, ...details] = text.split(' (')
  return (
    <>
      <b>{when}</b>
      {details.length > 0 && <small className="font-normal"> ({details.join(' (')}</small>}
    </>
  )
}
