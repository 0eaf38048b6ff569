import { type BuilderDevice, builderDevices, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { commandListProblem } from '@lectern/contract/barcode/configuration-payload.ts'
import { findServiceCommand } from '@lectern/contract/barcode/service-commands.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Bookmark, Printer, SlidersHorizontal } from 'lucide-react'
import { useMemo, useState } from 'react'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button/button.tsx'
import { ButtonLink } from '../../../ui/button/button-link.tsx'
import { useDialog } from '../../../ui/dialog/dialog.tsx'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { InferredNotice } from '../evidence.tsx'
import { OptionLines, OptionLinesKey } from '../option-lines.tsx'
import { useKnownOrganization } from './known-organization.ts'
import { formatContent, type Reading, readCommands } from './reading.ts'
import type { Found, Part } from './source.ts'

export function FoundConfiguration({ catalogue, found }: { catalogue: Catalogue | undefined; found: Found }) {
  const [left, setLeft] = useState<{ parts: readonly Part[]; out: ReadonlySet<Part> }>({ parts: [], out: new Set() })
  const out = left.parts === found.parts ? left.out : new Set<Part>()
  const commands = useMemo(() => found.parts.filter((part) => !out.has(part)).flatMap((part) => part.commands), [found.parts, out])

  function toggle(part: Part) {
    const next = new Set(out)
    if (!next.delete(part)) next.add(part)
    setLeft({ parts: found.parts, out: next })
  }

  return (
    <Panel flush title="Configuration" className="found-configuration">
      {found.problems.map((problem) => (
        <Notice key={problem} kind="bad" className="m-4">
          {problem}
        </Notice>
      ))}
      {found.parts.length > 1 && (
        <fieldset className="found-parts">
          <legend>{counted(found.parts.length, 'barcode')}, put together in this order</legend>
          <p className="text-13 text-ink-3">Barcodes carry no number. Compare how many there are with the sheet.</p>
          {found.parts.map((part) => (
            <Checkbox key={part.name} checked={!out.has(part)} onChange={() => toggle(part)}>
              {part.name} <span className="text-ink-3">{counted(part.commands.length, 'command')}</span>
            </Checkbox>
          ))}
        </fieldset>
      )}
      {commands.length > 0 && catalogue ? (
        <Named catalogue={catalogue} commands={commands} />
      ) : found.isReading || (commands.length > 0 && !catalogue) ? (
        <p className="p-4" role="status">
          Loading...
        </p>
      ) : (
        found.problems.length === 0 && <EmptyState>{found.parts.length > 0 ? 'No barcode is chosen.' : 'Nothing read yet.'}</EmptyState>
      )}
    </Panel>
  )
}

function Named({ catalogue, commands }: { catalogue: Catalogue; commands: readonly string[] }) {
  const readings = useMemo(() => readForEachDevice(catalogue, commands), [catalogue, commands])
  const [chosen, setChosen] = useState<BuilderDevice>()
  // A barcode does not say which reader it is for.
  const device = chosen ?? null
  const { reading } = readings.find((one) => one.device === chosen) ?? readings[0]!
  const problem = commandListProblem({ commands: [...commands], reset: false })
  const dangers = reading.unknown.flatMap((command) => findServiceCommand(command)?.danger ?? [])
  return (
    <>
      <div className="found-device">
        <Field label="Device" hint={`${device ? '' : 'The barcode does not say its device. '}${knowledge(reading)}`}>
          <Select
            options={readings.map((one) => ({ value: one.device, label: `${one.device}, ${shareKnown(one)}` }))}
            value={chosen}
            placeholder="Choose the device"
            onChange={(next) => setChosen(next as BuilderDevice)}
          />
        </Field>
      </div>
      {dangers.length > 0 && (
        <Notice kind="bad" className="mx-4 mb-4">
          {dangers.length === 1 ? 'A command does' : `${dangers.length} commands do`} more than change settings.{' '}
          {[...new Set(dangers)].join(' ')} Use it only if you know who made it.
        </Notice>
      )}
      {problem && (
        <Notice kind="warn" className="mx-4 mb-4">
          {problem}
        </Notice>
      )}
      {device && <InferredNotice options={reading.lines} className="mx-4 mb-4" />}
      <div className="found-lines">
        <OptionLines device={device} reading={reading} mark={(words) => <Badge kind="warn">{words}</Badge>} />
        <OptionLinesKey device={device} reading={reading} />
      </div>
      {device ? (
        <Actions device={device} commands={commands} content={formatContent(reading)} problem={problem ?? undefined} />
      ) : (
        <p className="panel-foot text-ink-2">Choose the device to print it, save it or open it in the builder.</p>
      )}
    </>
  )
}

/** Service commands of the reader are known, though no option sends them. */
function shareKnown({ device, reading: { unknown, lines } }: DeviceReading): string {
  const strange = unknown.filter((command) => !(findServiceCommand(command)?.devices?.includes(device) ?? false))
  if (strange.length === 0) return 'knows all'
  return lines.length === 0 && strange.length === unknown.length ? 'knows none' : `does not know ${strange.length}`
}

function knowledge(reading: Reading): string {
  const parts = [
    formatContent(reading),
    reading.reset && reading.lines.length + reading.unknown.length > 0 && 'after a reset',
    reading.overridden.length > 0 && `${counted(reading.overridden.length, 'command')} without effect`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

type ActionsProps = { device: BuilderDevice; commands: readonly string[]; content: string; problem: string | undefined }

function Actions({ device, commands, content, problem }: ActionsProps) {
  const { open } = useDialog()
  const organization = useKnownOrganization()
  const config = { config: JSON.stringify(commands) }
  return (
    <div className="panel-foot found-actions">
      {!problem && (
        <ButtonLink icon={Printer} to={paths.printSave({ device }, config)}>
          Print
        </ButtonLink>
      )}
      {organization && (
        <Button
          icon={Bookmark}
          disabledReason={problem}
          onClick={() =>
            open<void>(async (close) => {
              const { SaveConfiguration } = await import('../print/save-configuration.tsx')
              return <SaveConfiguration organization={organization} device={device} commands={commands} content={content} close={close} />
            })
          }
        >
          Save to the library
        </Button>
      )}
      <ButtonLink variant="primary" icon={SlidersHorizontal} to={paths.builder({ device }, config)}>
        Open in the builder
      </ButtonLink>
    </div>
  )
}

interface DeviceReading {
  device: BuilderDevice
  reading: Reading
}

/** The commands for each reader, the reader first that knows most of them. */
function readForEachDevice(catalogue: Catalogue, commands: readonly string[]): DeviceReading[] {
  const readings = builderDevices.map((device) => ({ device, reading: readCommands(catalogue, device, commands) }))
  return readings.toSorted((a, b) => a.reading.unknown.length - b.reading.unknown.length)
}
