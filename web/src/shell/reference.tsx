import { Copy } from 'lucide-react'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

/** What somebody names to support. Copied by its button, or by hand where the browser allows no other way. */
export function Reference({ children }: { children: string }) {
  const toast = useToast()
  const clipboard: Clipboard | undefined = navigator.clipboard

  async function copy() {
    try {
      await clipboard?.writeText(children)
      toast({ title: 'Reference copied' })
    } catch {
      toast({ title: 'Reference not copied', detail: 'The browser did not allow it. Select it by hand.', bad: true })
    }
  }
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-1.5 text-13 text-ink-3">
      Reference
      <span className="inline-flex items-center gap-1.5">
        <span className="mono select-all break-all">{children}</span>
        {clipboard && <IconButton small icon={Copy} label="Copy reference" onClick={copy} />}
      </span>
    </p>
  )
}
