import { type Ad, AdInput, type AdStatus } from '@lectern/contract/ads.ts'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { q, useMutation } from '../lib/api/query.ts'
import { trimTexts, useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import { formatPerson } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { AdCard } from './ad-card.tsx'
import { statusNames } from './ad-standing.ts'

const statuses = Object.entries(statusNames).map(([value, label]) => ({ value, label }))

const empty = { title: '', description: '', adsImage: '', adsUrl: '', adsStartDate: '', adsEndDate: '', createdByName: '', status: '0' }
type Values = typeof empty

const toValues = ({ adsid, createdOn, createdBy, adsImage, status, ...ad }: Ad): Values => ({
  ...ad,
  adsImage: adsImage ?? '',
  status: String(status),
})

const toInput = ({ adsImage, status, ...values }: Values): AdInput => ({
  ...trimTexts(values),
  adsImage: adsImage.trim() || null,
  status: Number(status) as AdStatus,
})

// Reads again first: otherwise the form could open with what the list had before.
const options = { awaitReads: true, errorInPlace: true } as const

export function AdForm({ ad }: { ad?: Ad | undefined }) {
  const { data: person } = useQuery(q('getCurrentUser', {}))
  const navigate = useNavigate()
  const toast = useToast()
  const create = useMutation('createAd', options)
  const update = useMutation('updateAd', options)
  const bound = useContractForm({
    schema: AdInput,
    values: ad ? toValues(ad) : { ...empty, createdByName: person ? formatPerson(person).slice(0, 100) : '' },
    toInput,
    toValues,
    draft: `ad/${ad?.adsid ?? 'new'}`,
    edit: useEdit(ad, q('getAd', { params: { id: ad?.adsid ?? 0 } })),
    save: (values, basedOn) =>
      ad ? update.mutateAsync({ params: { id: ad.adsid }, body: toInput(values), basedOn }) : create.mutateAsync({ body: toInput(values) }),
    async onSaved({ title }) {
      toast({ title: ad ? 'Ad saved' : 'Ad created', detail: title })
      await navigate(paths.marketing())
    },
  })
  const preview = toInput({ ...empty, ...useWatch({ control: bound.form.control }) })

  return (
    <FormPage
      title={ad ? 'Edit ad' : 'New ad'}
      noun="ad"
      bound={bound}
      submit={ad ? ['Save', 'Saving'] : ['Create ad', 'Creating']}
      cancel={<ButtonLink to={paths.marketing()} variant="ghost" children="Cancel" />}
      aside={
        <Panel title="Preview">
          <AdCard ad={{ ...preview, title: preview.title || 'Title' }} />
        </Panel>
      }
    >
      <TextField name="title" counted />
      <TextField name="description" lines={3} counted />
      <TextField name="adsUrl" type="url" inputMode="url" placeholder="https://" counted />
      <TextField name="adsImage" type="url" inputMode="url" placeholder="https://" />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextField name="adsStartDate" type="date" max="9999-12-31" />
        <TextField name="adsEndDate" type="date" max="9999-12-31" />
      </div>
      <RadioField name="status" options={statuses} />
      <TextField name="createdByName" counted />
    </FormPage>
  )
}
