import { useEffect, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { classNames } from '../class-names.ts'
import { Notice } from '../feedback/notice.tsx'

type ChangedMeanwhileProps = {
  /** What was changed, in a word. */
  what: string
  /** Shows it as it is now, in place of what was entered. */
  onLoad: () => Promise<unknown>
  /** Saves what was entered over it. */
  onSaveAnyway: () => Promise<unknown>
  className?: string
}

/** Stands at a form whose record somebody else has changed since it was opened, and lets the person choose whose changes count. */
export function ChangedMeanwhile({ what, onLoad, onSaveAnyway, className }: ChangedMeanwhileProps) {
  const [under, setUnder] = useState<'load' | 'save'>()
  const [failure, setFailure] = useState<string>()
  const element = useRef<HTMLDivElement>(null)
  // A long form would hide it.
  useEffect(() => {
    if (element.current?.closest('form')) void element.current.scrollIntoView({ block: 'center' })
  }, [])

  async function run(way: 'load' | 'save', act: () => Promise<unknown>) {
    const form = element.current?.closest('form')
    setUnder(way)
    setFailure(undefined)
    try {
      await act()
      // The button that was pressed is gone.
      if (way === 'load') form?.querySelector<HTMLElement>('input, textarea')?.focus()
    } catch (error) {
      setFailure((error as Error).message)
    }
    setUnder(undefined)
  }

  return (
    <div ref={element} className={classNames('grid gap-2', className)}>
      <Notice kind="bad">
        Somebody else has changed this {what} meanwhile, so yours is not saved. Load the newer one, which discards what you entered here, or
        save yours in its place.
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
