/** A sentence of `formatRuns`, with emphasis on day, time and distance. */
export function RunText({ text }: { text: string }) {
  const [when, ...details] = text.split(' (')
  return (
    <>
      <b>{when}</b>
      {details.length > 0 && <small className="font-normal"> ({details.join(' (')}</small>}
    </>
  )
}
