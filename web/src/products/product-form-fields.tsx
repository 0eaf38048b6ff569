import { ProductType } from '@lectern/contract/products.ts'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { aboutField } from '../lib/form/form-problems.ts'
import { Field } from '../ui/form/field.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Input } from '../ui/input/input.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import type { ProductValues } from './product-form-values.ts'

const productTypes = ProductType.options.map((type) => ({ value: type, label: type }))

/** What a product is, without its lists. */
export function ProductFormFields({ form }: { form: UseFormReturn<ProductValues> }) {
  const {
    register,
    control,
    formState: { errors },
  } = form
  return (
    <Panel title="Product">
      <div className="grid max-w-160 gap-5">
        <Field label="Title" required error={aboutField('Title', errors.title?.message)}>
          <Input autoComplete="off" {...register('title')} />
        </Field>
        <Field
          label="Short description"
          required
          error={aboutField('Short description', errors.short?.message)}
          hint="One line, on the card."
        >
          <Input autoComplete="off" {...register('short')} />
        </Field>
        <Field
          label="Description"
          error={aboutField('Description', errors.description?.message)}
          hint="An empty line begins a new paragraph."
        >
          <Textarea rows={8} {...register('description')} />
        </Field>
        <div className="field">
          <span className="field-label" aria-hidden="true">
            Type
          </span>
          <Controller
            control={control}
            name="productType"
            render={({ field }) => <RadioGroup label="Type" options={productTypes} value={field.value} onChange={field.onChange} />}
          />
        </div>
        <Field
          label="Image address"
          error={aboutField('Image address', errors.productImage?.message)}
          hint="Without an image a drawing stands in its place."
        >
          <Input type="url" inputMode="url" placeholder="https://" autoComplete="off" {...register('productImage')} />
        </Field>
        <div className="grid gap-2">
          <Checkbox {...register('isConfigurable')}>Configurable by barcodes</Checkbox>
          <Checkbox {...register('isDiscontinued')}>Discontinued</Checkbox>
        </div>
      </div>
    </Panel>
  )
}
