import './dialog-panel.css'
import { type FormEvent, type ReactNode, use, useEffect, useId } from 'react'
import { classNames } from '../class-names.ts'
import { useDialogContext } from './dialog.tsx'
import { DialogContent } from './dialog-content.ts'

interface DialogPanelProps {
  title: ReactNode
  children: ReactNode
  actions: ReactNode
  saving?: boolean
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
  wide?: boolean | undefined
}

/** For use inside `useDialog().open(…)`. The focus goes to an element with `data-autofocus`, else to the first field. */
export function DialogPanel({ title, children, actions, saving = false, onSubmit, wide }: DialogPanelProps) {
  const { hold, returnFocus } = useDialogContext()
  const Content = use(DialogContent)
  const id = useId()
  useEffect(() => {
    hold(saving)
    return () => hold(false)
  }, [hold, saving])
  const frame = (
    <DialogFrame titleId={id} title={title} actions={actions}>
      {children}
    </DialogFrame>
  )
  if (!Content) throw new Error('A DialogPanel is shown by useDialog().open(…)')
  return (
    <Content
      className={classNames('dialog', wide && 'dialog-wide')}
      aria-labelledby={id}
      aria-describedby={undefined}
      aria-modal="true"
      onOpenAutoFocus={focusFirst}
      onCloseAutoFocus={returnFocus}
    >
      {onSubmit ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit(event)
          }}
        >
          {frame}
        </form>
      ) : (
        frame
      )}
    </Content>
  )
}

export function DialogFrame(props: { titleId?: string; title: ReactNode; children: ReactNode; actions: ReactNode }) {
  return (
    <>
      <h2 className="dialog-title" id={props.titleId}>
        {props.title}
      </h2>
      <div className="dialog-body">{props.children}</div>
      <div className="dialog-foot">{props.actions}</div>
    </>
  )
}

function focusFirst(event: Event) {
  const dialog = event.currentTarget as HTMLElement
  const field =
    'input:not([type=hidden], :disabled), textarea:not(:disabled), [role=combobox]:not(:disabled), [role=checkbox]:not(:disabled)'
  const target = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector<HTMLElement>(field)
  if (!target) return
  event.preventDefault()
  target.focus()
  if (target instanceof HTMLInputElement) target.select()
}
