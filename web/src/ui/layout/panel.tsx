import './panel.css'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'

interface PanelProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode
  actions?: ReactNode
  foot?: ReactNode
  flush?: boolean
}

export function Panel({ title, actions, foot, flush, className, children, ...section }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={title ? id : undefined} {...section} className={classNames('panel', className)}>
      {(title || actions) && (
        <div className="panel-head">
          <h2 className="heading-3" id={id}>
            {title}
          </h2>
          {actions}
        </div>
      )}
      {flush ? children : <div className="panel-body">{children}</div>}
      {foot && <div className="panel-foot">{foot}</div>}
    </section>
  )
}
