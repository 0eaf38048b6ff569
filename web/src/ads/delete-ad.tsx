import type { Ad } from '@lectern/contract/ads.ts'
import { Trash2 } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { getStanding } from './ad-standing.ts'

/** The way to delete an ad. Asks first. */
export function DeleteAd({ ad }: { ad: Ad }) {
  const { open } = useDialog()
  const ask = () => open<boolean>((close) => <Question ad={ad} close={close} />)

  return <IconButton small bad icon={Trash2} label={`Delete ${ad.title}`} onClick={ask} />
}

function Question({ ad, close }: { ad: Ad; close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('deleteAd', { errorInPlace: true })

  async function remove() {
    await mutateAsync({ params: { id: ad.adsid } })
    toast({ title: 'Ad deleted', detail: ad.title })
  }

  return (
    <Confirm title={`Delete the ad “${ad.title}”`} yes="Delete" destructive busyLabel="Deleting" close={close} onYes={remove}>
      {getStanding(ad) === 'shown' ? 'Customers see it now. It disappears for them at once.' : 'No customer sees it now.'} This cannot be
      undone.
    </Confirm>
  )
}
