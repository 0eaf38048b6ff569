import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EvidenceWord } from '../barcode/symbols/evidence.tsx'
import { q } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { Field, FieldError } from '../ui/form/field.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Select } from '../ui/input/select.tsx'

interface SettingChooserProps {
  productId: number
  categories: readonly { id: string; title: string; settings: number }[]
  codes: ReadonlySet<string>
  onChange: (codes: ReadonlySet<string>) => void
}

export function SettingChooser({ productId, categories, codes, onChange }: SettingChooserProps) {
  const [category, setCategory] = useState<string>()
  const { data: settings, error } = useQuery({
    ...q('listBarcodeSettings', { params: { id: productId }, query: { category: category ?? '' } }),
    enabled: category !== undefined,
  })

  const toggle = (code: string) => {
    const next = new Set(codes)
    if (!next.delete(code)) next.add(code)
    onChange(next)
  }

  return (
    <div className="grid gap-3">
      <Field label="Choose settings">
        <Select
          options={categories.map(({ id, title, settings: count }) => ({ value: id, label: `${title} (${count})` }))}
          value={category}
          onChange={setCategory}
          placeholder="Category"
        />
      </Field>
      {error && <FieldError>{error.message}</FieldError>}
      {settings && (
        <fieldset className="max-h-72 overflow-y-auto border border-rule p-3">
          <legend className="sr-only">Settings of the category</legend>
          <ul className="grid gap-2">
            {settings.map(({ code, description, evidence }) => (
              <li key={code}>
                <Checkbox checked={codes.has(code)} onChange={() => toggle(code)}>
                  {description} <span className="mono whitespace-nowrap text-12 text-ink-3">{code}</span>{' '}
                  {evidence && <EvidenceWord evidence={evidence} />}
                </Checkbox>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {codes.size > 0 && (
        <Button variant="ghost" onClick={() => onChange(new Set())}>
          Clear {codes.size} chosen
        </Button>
      )}
    </div>
  )
}
