import { BuilderDevice, builderDevices } from '@lectern/contract/barcode/catalogue.ts'
import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useScreens } from '../../lib/screens.ts'
import { paths, patterns } from '../../paths.ts'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/input/select.tsx'
import { ActionFoot } from '../../ui/layout/action-foot.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'

const devices = [...builderDevices, ...deviceModels.filter((model) => !isSupported(model))]

function isSupported(model: string | undefined): boolean {
  return BuilderDevice.safeParse(model).success
}

export default function CreateConfigurationPage() {
  useDocumentTitle('Create a Device Configuration')
  const navigate = useNavigate()
  const { device: before, config } = leftBuilder(useLocation().state)
  const [device, setDevice] = useState(before)
  const reason = device === undefined ? 'Choose a device first.' : isSupported(device) ? undefined : `${device} takes no barcode.`
  return (
    <>
      <Page>
        <PageHead title="Create a Device Configuration" intro="Configure" />
        <Panel aria-label="Device">
          <div className="grid gap-4 sm:grid-cols-[minmax(0,20rem)_1fr]">
            <Field label="Device" hint="The reader that will scan the barcode.">
              <Select
                placeholder="Device"
                options={devices.map((model) => ({ value: model, label: model }))}
                value={device}
                onChange={setDevice}
              />
            </Field>
            {device && <ReaderDrawing model={device} width={120} />}
          </div>
          {device && !isSupported(device) && <TakesNoBarcode device={device} />}
          <p className="mt-4 text-ink-2">
            You have a setup barcode already? <Link to={paths.readConfiguration()}>Read it</Link>, and change it in the builder.
          </p>
          {config !== undefined && device === before && (
            <Notice className="mt-4">Next leads back to what you have chosen for the {device}.</Notice>
          )}
        </Panel>
      </Page>
      <ActionFoot
        back={
          <ButtonLink icon={ArrowLeft} to={paths.deviceManagement()}>
            Back
          </ButtonLink>
        }
      >
        <Button
          variant="primary"
          iconAfter={ArrowRight}
          disabledReason={reason}
          onClick={() => {
            const query = config !== undefined && device === before ? { config } : undefined
            void navigate(paths.builder({ device: device ?? '' }, query))
          }}
        >
          Next
        </Button>
      </ActionFoot>
    </>
  )
}

function TakesNoBarcode({ device }: { device: string }) {
  const canPublish = useScreens()(patterns.applyConfig) !== null
  return (
    <Notice kind="warn" className="mt-4">
      {device} is not configured by a printed barcode
      {canPublish ? (
        <>
          . <Link to={paths.applyConfig()}>Configure it through a zone</Link> instead.
        </>
      ) : (
        ', but through its zone.'
      )}
    </Notice>
  )
}

function leftBuilder(state: unknown): { device?: string; config?: string } {
  const { device, config } = (state ?? {}) as { device?: string; config?: string }
  return config === undefined || config === '[]' ? { device } : { device, config }
}
