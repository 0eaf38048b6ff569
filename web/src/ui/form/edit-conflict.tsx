import { useEffect, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { classNames } from '../class-names.ts'
import { Notice } from '../feedback/notice.tsx'

interface EditConflictProps {
  what: string
  onLoad: () => Promise<unknown>
  onSaveAnyway: () => Promise<unknown>
  className?: string
}

/** Another user has changed the record since the form was opened. The user chooses whose changes count. */
export function EditConflict({ what, onLoad, onSaveAnyway, className }: EditConflictProps) {
  const [under, setUnder] = useState<'load' | 'save'>()
  const [failure, setFailure] = useState<string>()
  const element = useRef<HTMLDivElement>(null)
  // Scrolled to, as it could be out of sight in a long form.
  useEffect(() => {
    if (element.current?.closest('form')) void element.current.scrollIntoView({ block: 'center' })
  }, [])

  async function run(way: 'load' | 'save', act: () => Promise<unknown>) {
    const form = element.current?.closest('form')
    setUnder(way)
    setFailure(undefined)
    try {
      await act()
      // The pressed button disappears, so the focus moves.
      if (way === 'load') form?.querySelector<HTMLElement>('input, textarea')?.focus()
    } catch (error) {
      setFailure((error as Error).message)
    }
    setUnder(undefined)
  }

  return (
    <div ref={element} className={classNames('grid gap-2', className)}>
      <Notice kind="bad">
        Another user has changed this {what}, so yours is not saved. Load the newer one, which discards what you entered here, or save yours
        in its place.
      </Notice>
      <div className="flex flex-wrap gap-2">
        <Button small busy={under === 'load'} busyLabel="Loading" disabled={under === 'save'} onClick={() => void run('load', onLoad)}>
          Load the newer one
        </Button>
        <Button small busy={under === 'save'} busyLabel="Saving" disabled={under === 'load'} onClick={() => void run('save', onSaveAnyway)}>
          Save anyway
        </Button>
      </div>
      {failure && <Notice kind="bad">{failure}</Notice>}
    </div>
  )
}
