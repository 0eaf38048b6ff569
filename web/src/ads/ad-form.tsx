import { type Ad, AdInput, adLimits } from '@lectern/contract/ads.ts'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { q, useMutation } from '../lib/api/query.ts'
import { useEdit } from '../lib/form/edit.ts'
import { aboutField, placeProblem, schemaResolver } from '../lib/form/form-problems.ts'
import { useSession } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { ChangedMeanwhile } from '../ui/form/changed-meanwhile.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { AdCard } from './ad-card.tsx'
import { statusNames } from './ad-standing.ts'
import { type AdValues, adInput, newAd, toValues } from './ad-values.ts'

const list = paths.marketing()
const statuses = Object.entries(statusNames).map(([value, label]) => ({ value, label }))

// Read again first, or the form could open with what the list held before.
const options = { awaitReads: true, errorInPlace: true } as const

/** Creates an ad, or changes one, beside a preview of what customers will see. */
export function AdForm({ ad }: { ad?: Ad }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const form = useForm<AdValues>({
    mode: 'onTouched',
    resolver: schemaResolver<AdValues>(AdInput, adInput),
    defaultValues: ad ? toValues(ad) : newAd((user?.name ?? '').slice(0, adLimits.creatorName)),
  })
  const { register, control, handleSubmit, formState } = form
  const edit = useEdit(ad, q('getAd', { params: { id: ad?.adsid ?? 0 } }))
  const { errors, isDirty, isSubmitting } = formState
  const values = useWatch({ control })
  const letPass = useLeaveGuard({ isActive: isDirty, title: 'Leave without saving?', question: 'Your changes are not saved.', query: true })
  const create = useMutation('createAd', options)
  const update = useMutation('updateAd', options)

  const saveOver = (basedOn: Ad | undefined) =>
    handleSubmit(async (submitted) => {
      setFailure(undefined)
      const body = adInput(submitted)
      try {
        if (ad) await update.mutateAsync({ params: { id: ad.adsid }, body, basedOn })
        else await create.mutateAsync({ body })
      } catch (error) {
        if (!edit.fail(error)) setFailure(placeProblem(error, form))
        return
      }
      toast({ title: ad ? 'Ad saved' : 'Ad created', detail: body.title })
      letPass()
      await navigate(list)
    })

  return (
    <form noValidate onSubmit={saveOver(edit.basis)} className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Panel
        title={ad ? 'Edit ad' : 'New ad'}
        foot={
          <>
            <span className="flex-1" />
            <ButtonLink to={list} variant="ghost">
              Cancel
            </ButtonLink>
            <Button variant="primary" type="submit" busy={isSubmitting} busyLabel={ad ? 'Saving' : 'Creating'}>
              {ad ? 'Save' : 'Create ad'}
            </Button>
          </>
        }
      >
        <div className="grid max-w-160 gap-5">
          <Field
            label="Title"
            required
            error={aboutField('Title', errors.title?.message)}
            hint={<Characters text={values.title} limit={adLimits.title} />}
          >
            <Input autoComplete="off" {...register('title')} />
          </Field>
          <Field
            label="Description"
            error={aboutField('Description', errors.description?.message)}
            hint={<Characters text={values.description} limit={adLimits.description} />}
          >
            <Textarea rows={3} {...register('description')} />
          </Field>
          <Field
            label="Address"
            required
            error={aboutField('Address', errors.adsUrl?.message)}
            hint={
              <>
                Where the ad leads. <Characters text={values.adsUrl} limit={adLimits.url} />
              </>
            }
          >
            <Input type="url" inputMode="url" placeholder="https://" autoComplete="off" {...register('adsUrl')} />
          </Field>
          <Field label="Image address" error={aboutField('Image address', errors.adsImage?.message)} hint="May be left empty.">
            <Input type="url" inputMode="url" placeholder="https://" autoComplete="off" {...register('adsImage')} />
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="First day" required error={aboutField('First day', errors.adsStartDate?.message)}>
              <Input type="date" max="9999-12-31" {...register('adsStartDate')} />
            </Field>
            <Field
              label="Last day"
              required
              error={aboutField('Last day', errors.adsEndDate?.message)}
              hint="Days are in UTC, both included."
            >
              <Input type="date" max="9999-12-31" {...register('adsEndDate')} />
            </Field>
          </div>
          <div className="field">
            <span className="field-label" aria-hidden="true">
              Status
            </span>
            <Controller
              control={control}
              name="status"
              render={({ field }) => <RadioGroup label="Status" options={statuses} value={field.value} onChange={field.onChange} />}
            />
            <span className="field-hint">Customers see published ads within their days.</span>
          </div>
          <Field
            label="Creator’s name"
            required
            error={aboutField('Creator’s name', errors.createdByName?.message)}
            hint={<Characters text={values.createdByName} limit={adLimits.creatorName} />}
          >
            <Input autoComplete="off" {...register('createdByName')} />
          </Field>
          {edit.isOutdated && (
            <ChangedMeanwhile
              what="ad"
              onLoad={async () => form.reset(toValues(await edit.restart()))}
              onSaveAnyway={async () => saveOver(await edit.renew())()}
            />
          )}
          {failure && <Notice kind="bad">{failure}</Notice>}
        </div>
      </Panel>
      <Panel title="Preview">
        <AdCard
          ad={{
            title: values.title?.trim() || 'Title',
            description: values.description?.trim() ?? '',
            adsImage: values.adsImage?.trim() || null,
            adsUrl: values.adsUrl?.trim() ?? '',
          }}
        />
      </Panel>
    </form>
  )
}

/** How many characters there are of those that fit. */
function Characters({ text = '', limit }: { text: string | undefined; limit: number }) {
  const { length } = text.trim()
  const over = length - limit
  return (
    <span className={over > 0 ? 'font-medium text-bad' : undefined}>
      {length} of {limit} characters{over > 0 && `, ${over} too many`}
    </span>
  )
}
