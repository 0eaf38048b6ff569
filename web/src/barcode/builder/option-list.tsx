import '../../ui/layout/panel.css'
import type { BuilderDevice, Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { evidenceFor } from '@lectern/contract/barcode/catalogue-devices.ts'
import { useEffect, useId } from 'react'
import { EvidenceKey } from '../symbols/evidence.tsx'
import { OptionRow, rowId } from './option-row.tsx'
import { optionsIn, type Place } from './places.ts'
import type { Builder } from './use-choices.ts'

/** The option that gets the focus. A new object focuses the same option again. */
export interface Target {
  optionId: string
}

type OptionListProps = { catalogue: Catalogue; device: BuilderDevice; place: Place; builder: Builder; target: Target | null }

export function OptionList({ catalogue, device, place, builder, target }: OptionListProps) {
  const id = useId()
  const { choices, outcome, choose } = builder
  useEffect(() => {
    const row = target && document.getElementById(rowId(target.optionId))
    const control = row?.querySelector<HTMLElement>('button:enabled, input:enabled:checked, input:enabled')
    ;(control ?? row)?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'center' })
  }, [target])
  return (
    <section className="panel builder-options" aria-labelledby={id}>
      <div className="panel-head">
        <h2 className="heading-3" id={id}>
          {place.title}
        </h2>
        {place.title !== place.category.title && <span className="builder-category">{place.category.title}</span>}
      </div>
      <section
        key={place.id}
        className="builder-scroll"
        aria-label="Options"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
      >
        {/* Hidden from screen readers: each cell has a name of its own. */}
        <div className="option option-head" aria-hidden="true">
          <span className="option-label">Option</span>
          <span className="option-known">Evidence</span>
          <span className="option-command">Command</span>
        </div>
        {place.sections.map((section) => (
          <section key={section.id} aria-labelledby={`${id}-${section.id}`}>
            <h3 className="option-section" id={`${id}-${section.id}`}>
              {section.title}
            </h3>
            {section.options.map((option) => (
              <OptionRow
                key={option.id}
                catalogue={catalogue}
                device={device}
                option={option}
                value={choices.selection[option.id]}
                problem={outcome.problems.get(option.id)}
                onChange={(value) => choose(option.id, value)}
              />
            ))}
          </section>
        ))}
        <EvidenceKey of={optionsIn(place).map((option) => evidenceFor(option, device, choices.selection[option.id]))} />
      </section>
    </section>
  )
}
