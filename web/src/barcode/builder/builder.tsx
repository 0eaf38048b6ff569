import { counted } from '@lectern/contract/text/numbers.ts'
import './builder.css'
import type { BuilderDevice, Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { catalogueFor } from '@lectern/contract/barcode/catalogue-devices.ts'
import { ArrowLeft, ScanQrCode } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { ActionFoot } from '../../ui/layout/action-foot.tsx'
import { Page, PageHead } from '../../ui/layout/page.tsx'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import { CategoryList } from './category-list.tsx'
import type { Opened } from './choices.ts'
import { ConfigurationFormat } from './configuration-format.tsx'
import { OptionList, type Target } from './option-list.tsx'
import { FoundOptions, OptionSearch, useOptionSearch } from './option-search.tsx'
import { type Found, findOption, listPlaces, optionsIn } from './places.ts'
import { PublishToZones } from './publish-to-zones.tsx'
import { type Builder as Choices, useChoices } from './use-choices.ts'

export function Builder({ catalogue, device }: { catalogue: Catalogue; device: BuilderDevice }) {
  const own = useMemo(() => catalogueFor(catalogue, device), [catalogue, device])
  const places = useMemo(() => listPlaces(own), [own])
  const builder = useChoices(own, device)
  const [target, setTarget] = useState<Target | null>(null)
  const search = useOptionSearch(places)
  const place = places.find(({ id }) => id === builder.shown) ?? places[0]!
  const isSearching = search.text.trim() !== ''

  function open(found: Found | undefined) {
    if (!found) return
    search.setText('')
    builder.show(found.place.id)
    setTarget({ optionId: found.option.id })
  }

  return (
    <>
      <Page className="builder-page">
        <div className="builder-head">
          <ReaderDrawing model={device} width={64} weight="small" />
          <PageHead
            title="Create a Device Configuration"
            intro={
              <>
                Configure {device}. <OtherStarts device={device} builder={builder} />
              </>
            }
            actions={<OptionSearch search={search} onOpen={open} />}
          />
        </div>
        <OpenedNotice opened={builder.opened} />
        <div className="builder">
          <CategoryList
            className={isSearching ? 'builder-categories-aside' : ''}
            places={places}
            shown={place}
            isChosen={(id) => Object.hasOwn(builder.choices.selection, id)}
            onShow={(id) => {
              search.setText('')
              setTarget(null)
              builder.show(id)
            }}
          />
          {isSearching ? (
            <FoundOptions search={search} onOpen={open} />
          ) : (
            <OptionList catalogue={own} device={device} place={place} builder={builder} target={target} />
          )}
          <ConfigurationFormat
            builder={builder}
            isShown={(id) => optionsIn(place).some((option) => option.id === id)}
            onOpen={(id) => open(findOption(places, id))}
          />
        </div>
      </Page>
      <Foot device={device} builder={builder} />
    </>
  )
}

const chooser = paths.createConfiguration()

const toRouterState = (device: BuilderDevice, { outcome: { commands } }: Choices) => ({ device, config: JSON.stringify(commands) })

function OtherStarts({ device, builder }: { device: BuilderDevice; builder: Choices }) {
  return (
    <>
      <Link to={chooser} state={toRouterState(device, builder)}>
        Change device
      </Link>{' '}
      or <Link to={paths.readConfiguration()}>read a barcode</Link>.
    </>
  )
}

function OpenedNotice({ opened: { overridden, isBroken } }: { opened: Opened }) {
  if (isBroken)
    return (
      <Notice kind="warn" className="mb-4">
        The configuration in the address could not be read, so nothing is chosen.
      </Notice>
    )
  if (overridden.length === 0) return null
  return (
    <Notice className="mb-4">
      {counted(overridden.length, 'command')} without effect left out, as later ones undo {overridden.length === 1 ? 'it' : 'them'}:{' '}
      <span className="mono wrap-anywhere">{overridden.join(' ')}</span>
    </Notice>
  )
}

function Foot({ device, builder }: { device: BuilderDevice; builder: Choices }) {
  const navigate = useNavigate()
  const { choices, outcome } = builder
  const options = outcome.lines.length - outcome.problems.size
  const commands = choices.unknown.length
  return (
    <ActionFoot
      back={
        <ButtonLink icon={ArrowLeft} to={chooser} state={toRouterState(device, builder)}>
          Back
        </ButtonLink>
      }
      summary={
        <span role="status">
          <b>{counted(options, 'option')}</b>
          {commands > 0 && `, ${counted(commands, 'other command')}`}
          {choices.reset && ' and reset'}, for {device}
        </span>
      }
    >
      <PublishToZones device={device} commands={outcome.commands} content={counted(options, 'option')} refusal={outcome.refusal} />
      <Button
        variant="primary"
        icon={ScanQrCode}
        disabledReason={outcome.refusal ?? undefined}
        onClick={() => void navigate(paths.printSave({ device }, { config: JSON.stringify(outcome.commands) }))}
      >
        Generate Barcode
      </Button>
    </ActionFoot>
  )
}
