import { useState } from 'react'
import { Button } from '../button/button.tsx'
import { Confirm } from '../dialog/confirm.tsx'
import { type Close, useDialog } from '../dialog/dialog.tsx'
import { DialogFrame, DialogPanel } from '../dialog/dialog-panel.tsx'
import { useToast } from '../feedback/toast.tsx'
import { ToastBody } from '../feedback/toasts.tsx'
import { Field } from '../form/field.tsx'
import { Checkbox } from '../input/checkbox.tsx'
import { Input } from '../input/input.tsx'
import { Panel } from '../layout/panel.tsx'

const hardware = ['CR2700', 'CR1500', 'CR1100', 'V1300']

function NameDialog({ close }: { close: Close<string> }) {
  const [name, setName] = useState('')
  return (
    <DialogPanel
      title="Save configuration"
      onSubmit={() => close(name)}
      actions={
        <>
          <Button variant="ghost" onClick={() => close()}>
            Cancel
          </Button>
          <Button variant="primary" type="submit">
            Save
          </Button>
        </>
      }
    >
      <Field label="Name">
        <Input value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
    </DialogPanel>
  )
}

export function DialogSection() {
  const { open } = useDialog()
  const [answer, setAnswer] = useState('nothing yet')
  const remove = () =>
    open<boolean>((close) => (
      <Confirm title="Delete ICU 3 South" destructive close={close} onYes={() => new Promise((resolve) => setTimeout(resolve, 1500))}>
        Are you sure you would like to delete this zone? Its 172 readers stop receiving updates.
      </Confirm>
    ))
  return (
    <Panel title="Dialogs" className="sheet-8">
      <div className="sheet-dialogs">
        {/* biome-ignore lint/a11y/useSemanticElements: shown without its behaviour */}
        <div className="dialog" role="group" aria-label="Delete dialog">
          <DialogFrame
            title="Delete ICU 3 South"
            actions={
              <>
                <Button>Back</Button>
                <Button variant="bad">Yes</Button>
              </>
            }
          >
            Are you sure you would like to delete this zone? Its 172 readers stop receiving updates.
          </DialogFrame>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: shown without its behaviour */}
        <div className="dialog" role="group" aria-label="Edit product list dialog">
          <DialogFrame
            title="Edit Product List"
            actions={
              <>
                <Button variant="ghost">Cancel</Button>
                <Button variant="primary">Save Changes</Button>
              </>
            }
          >
            <p className="caption">Hardware</p>
            <div className="mt-2 grid gap-2.5 text-ink">
              {hardware.map((model, index) => (
                <Checkbox key={model} defaultChecked={index < 3}>
                  {model}
                </Checkbox>
              ))}
            </div>
          </DialogFrame>
        </div>
      </div>
      <div className="sheet-row mt-4">
        <Button variant="danger" onClick={async () => setAnswer(String(await remove()))}>
          Delete ICU 3 South…
        </Button>
        <Button onClick={async () => setAnswer(String(await open<string>((close) => <NameDialog close={close} />)))}>Save…</Button>
        <span>Answer: {answer}</span>
      </div>
    </Panel>
  )
}

export function ToastSection() {
  const toast = useToast()
  const saved = { title: 'Configuration saved', detail: 'Wristband v7, ICU is in the library.' }
  const failed = { title: 'Zone not deleted', detail: 'The server did not answer. Try again.', bad: true }
  return (
    <Panel title="Toasts" className="sheet-4">
      <div className="sheet-stack">
        <div className="toast">
          <ToastBody message={saved} />
        </div>
        <div className="toast">
          <ToastBody message={failed} />
        </div>
        <div className="sheet-row">
          <Button onClick={() => toast(saved)}>Say it</Button>
          <Button onClick={() => toast(failed)}>Say it failed</Button>
          <Button disabledReason="You cannot change your email address">Tooltip</Button>
        </div>
        <div>
          <span className="tooltip">You cannot change your email address</span>
        </div>
      </div>
    </Panel>
  )
}
