import { useEffect } from 'react'

/** Names the page in the browser's tab, e.g. "Manage Your Zones · Lectern". */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Lectern`
  }, [title])
}
