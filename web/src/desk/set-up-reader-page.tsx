import './set-up-reader-page.css'
import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { commandListProblem } from '@lectern/contract/barcode/configuration-payload.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Check, Download } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CommandSymbol, ConfigurationPart, TextSymbol } from '../barcode/symbols/desk-symbols.tsx'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { saveFile } from '../lib/files/save-file.ts'
import { formatTime } from '../lib/format.ts'
import { useSession } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { useOnline } from '../ui/online.ts'
import { findLayout, type LayoutFinding, layoutText } from './answers.ts'
import { Comparison } from './comparison.tsx'
import { ConfigurationChoice } from './configuration-choice.tsx'
import { type Chosen, type Desk, type Event, findStep, type Row, type Step, toCsv } from './desk-state.ts'
import { play, prepareSound } from './sound.ts'
import type { Burst } from './typing.ts'
import { type Opening, useDesk } from './use-desk.ts'
import { useTyping } from './use-typing.ts'

const words: Record<Step, { title: string; hint: string }> = {
  model: { title: 'Scan for the model', hint: 'The reader types its model. Where it types nothing, press Enter to go on without it.' },
  serialNumber: { title: 'Scan for the serial number', hint: 'The reader types its serial number.' },
  sure: { title: 'Is this the serial number?', hint: 'Compare it with the label of the reader. Enter takes it; another scan replaces it.' },
  firmware: {
    title: 'Scan for the firmware',
    hint: 'The reader types its firmware. Where it types nothing, press Enter to go on without it.',
  },
  choose: { title: 'Choose the configuration', hint: 'It is kept for the readers that follow.' },
  settings: { title: 'Scan the configuration', hint: 'The reader beeps and types nothing. Then press Enter.' },
  text: { title: 'Scan for what the reader has now', hint: 'The reader types its whole configuration, which may take a while.' },
  again: { title: 'Scan the serial number again', hint: 'It shows that the text came from the same reader.' },
}

const symbolOf: Partial<Record<Step, string>> = {
  model: 'RDRRGMD',
  serialNumber: 'RDRRGSN',
  firmware: 'RDFWGVS',
  sure: 'RDRRGSN',
  text: 'CFG',
  again: 'RDRRGSN',
}

export default function SetUpReaderPage() {
  useDocumentTitle('Set up a reader')
  const organizationId = useOrganization()
  const userId = useSession().user?.id
  return (
    <Page>
      <PageHead
        title="Set up a reader"
        intro="A reader on this desk types as a keyboard does, without a driver or an installation. Barcodes set it up. The record of what it types says “typed by the reader” at your desk."
      />
      {/* Another account, or another organization, has a desk of its own. */}
      <OpenedDesk key={`${userId} ${organizationId}`} />
    </Page>
  )
}

function OpenedDesk() {
  const { desk, dispatch, opening, retry } = useDesk()
  return (
    <Opened opening={opening} retry={retry}>
      <DeskPanels desk={desk} dispatch={dispatch} isForgetful={opening === 'forgetful'} />
    </Opened>
  )
}

function Opened({ opening, retry, children }: { opening: Opening; retry: () => void; children: ReactNode }) {
  if (opening === 'opening') return <p role="status">Loading...</p>
  if (opening === 'failed')
    return (
      <Panel flush aria-label="Desk">
        <ErrorPanel message="Error opening the desk" detail="The server did not give the key of what this browser keeps." onRetry={retry} />
      </Panel>
    )
  if (opening === 'left')
    return (
      <Panel flush aria-label="Desk">
        <ErrorPanel message="Signed out" detail="What was not stored yet is removed. Sign in again to go on." onRetry={retry} />
      </Panel>
    )
  if (opening === 'elsewhere')
    return (
      <Panel flush aria-label="Desk">
        <ErrorPanel
          message="Open in another tab"
          detail="Readers are set up in one tab at a time. Close it there, then try again here."
          onRetry={retry}
        />
      </Panel>
    )
  return children
}

interface DeskProps {
  desk: Desk
  dispatch: (event: Event) => void
}

const make = () => ({ id: crypto.randomUUID(), at: new Date().toISOString(), browser: navigator.userAgent.slice(0, 300) || 'Unknown' })

function DeskPanels({ desk, dispatch, isForgetful }: DeskProps & { isForgetful: boolean }) {
  const [isOn, setOn] = useState(false)
  const [layout, setLayout] = useState<LayoutFinding | 'waiting' | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const at = findStep(desk)
  const title = layout === null ? words[at].title : 'Scan to check the keyboard layout'
  const isListening = isOn && (at !== 'choose' || layout !== null)
  const { problem, offered, take } = useAddressedConfiguration(dispatch)
  useSounds(desk)
  useLeaveGuard({
    isActive: isForgetful && desk.unsent.length > 0,
    title: 'Leave with records that are not stored?',
    question: 'This browser keeps nothing for this page. Leaving loses the records that are not stored yet.',
  })

  function onTyped(burst: Burst) {
    if (layout !== null) setLayout(findLayout(burst))
    else dispatch({ type: 'typed', burst, made: make() })
  }
  const typing = useTyping({
    isListening,
    onTyped,
    onBroken() {
      if (layout !== null) setLayout('waiting')
      else dispatch({ type: 'broken' })
    },
    onPress(press) {
      if (press === 'next') return layout === null && dispatch({ type: 'next' })
      setOn(false)
      button.current?.focus()
    },
  })
  const listen = (
    <Button
      ref={button}
      variant={isOn || at === 'sure' ? 'secondary' : 'primary'}
      onClick={() => {
        prepareSound()
        setOn(!isOn)
        button.current?.blur()
      }}
    >
      {isOn ? 'Stop listening' : desk.rows.length > 0 || desk.reader.model ? 'Go on' : 'Start'}
    </Button>
  )
  return (
    <div className="desk">
      <div className="desk-main">
        {isForgetful && (
          <Notice kind="warn">
            This browser keeps nothing for this page, or what it keeps cannot be read. Stay on the page until everything in the list is
            stored.
          </Notice>
        )}
        {problem && <Notice kind="bad">{problem}</Notice>}
        {offered && <Offered chosen={offered} take={take} />}
        <Panel title={title} actions={listen}>
          <Listening title={title} isListening={isListening} isOn={isOn} {...typing} />
          {layout === null ? <Ask desk={desk} dispatch={dispatch} at={at} isOn={isOn} /> : <Layout finding={layout} />}
        </Panel>
      </div>
      <aside className="desk-rail" aria-label="This reader and this session">
        <ReaderPanel desk={desk} dispatch={dispatch} at={at} />
        <Session desk={desk} dispatch={dispatch} isForgetful={isForgetful} />
        <Button onClick={() => setLayout(layout === null ? 'waiting' : null)}>
          {layout === null ? 'Check the keyboard layout' : 'Back to the reader'}
        </Button>
      </aside>
    </div>
  )
}

const commandsShown = 12

function Offered({ chosen: { device, commands }, take }: { chosen: Chosen; take: () => void }) {
  const more = commands.length - commandsShown
  return (
    <Notice kind="warn">
      The address names {counted(commands.length, 'command')} for the {device}:{' '}
      <span className="mono wrap-anywhere">{commands.slice(0, commandsShown).join(', ')}</span>
      {more > 0 && ` and ${more} more`}.{' '}
      <Button variant="link" onClick={take}>
        Set readers up with them
      </Button>
    </Notice>
  )
}

interface Addressed {
  /** Why what the address names cannot be used; null where it can, or where it names nothing. */
  problem: string | null
  /** Commands of the address that a person must look at first, as anybody can write an address. */
  offered: Chosen | null
  take: () => void
}

/** The library, and the builder's page Print / Save, name a configuration in the address. A version of the library is taken at once. */
function useAddressedConfiguration(dispatch: DeskProps['dispatch']): Addressed {
  const [address, setAddress] = useSearchParams()
  const organizationId = useOrganization()
  const id = address.get('configuration') ?? ''
  const number = Number(address.get('version'))
  const isOfLibrary = id !== '' && number > 0
  const entry = useQuery({ ...q('getLibraryEntry', { params: { organizationId, id } }), enabled: isOfLibrary })
  const version = useQuery({ ...q('getLibraryVersion', { params: { organizationId, id, number } }), enabled: isOfLibrary })
  const text = isOfLibrary ? null : address.get('config')
  const device = BuilderDevice.safeParse(address.get('device') ?? entry.data?.device).data
  const content = version.data?.content
  const written = useMemo(() => (text === null ? undefined : readCommandList(text)), [text])
  const commands = content?.kind === 'commands' ? content.commands : undefined
  const name = entry.data?.name
  useEffect(() => {
    if (!isOfLibrary || !device || !commands || name === undefined) return
    dispatch({ type: 'choose', chosen: { id, version: number, name, device, commands } })
    setAddress({}, { replace: true })
  }, [device, commands, name, id, number, isOfLibrary, dispatch, setAddress])
  const offered = device && written ? { name: 'Commands of the builder', device, commands: written } : null
  function take() {
    if (offered) dispatch({ type: 'choose', chosen: offered })
    setAddress({}, { replace: true })
  }
  const error = entry.error ?? version.error
  const problems = [
    text !== null && !offered && 'The address has no commands that a reader can be set up with.',
    error && `The configuration could not be loaded: ${error.message}`,
    entry.data && content && !(device && commands) && `${name} cannot be shown as a barcode, so no reader is set up with it.`,
  ]
  return { problem: problems.find((one) => typeof one === 'string') ?? null, offered, take }
}

function readCommandList(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    const isList = Array.isArray(list) && list.every((one) => typeof one === 'string')
    return isList && commandListProblem({ commands: list, reset: false }) === null ? list : undefined
  } catch {
    return undefined
  }
}

function useSounds({ outcome }: Desk) {
  const heard = useRef(outcome)
  useEffect(() => {
    if (outcome && outcome !== heard.current) play(outcome.kind)
    heard.current = outcome
  }, [outcome])
}

interface ListeningProps {
  /** The title of the step, which is spoken where it changes. */
  title: string
  isListening: boolean
  isOn: boolean
  isReceiving: boolean
  hasKeyboard: boolean
}

function Listening({ title, isListening, isOn, isReceiving, hasKeyboard }: ListeningProps) {
  const [kind, text] = !isOn
    ? (['wait', 'Not listening. Press the button, then scan'] as const)
    : !isListening
      ? (['wait', 'Listening goes on when a configuration is chosen'] as const)
      : !hasKeyboard
        ? (['warn', 'The keyboard is elsewhere. Click on this page, then scan'] as const)
        : isReceiving
          ? (['run', 'Receiving'] as const)
          : (['ok', 'Listening. Every key is the reader’s; Esc alone lets go'] as const)
  return (
    <p className="desk-listening" role="status">
      <span className="sr-only">{title}. </span>
      <Status kind={kind} spoken="">
        {text}
      </Status>
    </p>
  )
}

interface AskProps extends DeskProps {
  at: Step
  isOn: boolean
}

function Ask({ desk, dispatch, at, isOn }: AskProps) {
  const { chosen, reader, outcome } = desk
  const command = symbolOf[at]
  const onCount = useCallback((parts: number) => dispatch({ type: 'drawn', parts }), [dispatch])
  return (
    <div className="desk-ask">
      <div role="status">
        {outcome?.kind === 'done' && (
          <p className="desk-done">
            <Check size={40} />
            <span>
              <bdi className="mono wrap-anywhere">{outcome.serialNumber}</bdi> is done
            </span>
          </p>
        )}
      </div>
      {outcome?.kind === 'refused' && <Notice kind="bad">{outcome.problem}</Notice>}
      <div className="desk-symbol">
        {command && <CommandSymbol command={command} label={`Barcode ${command}`} />}
        {at === 'settings' && chosen && (
          <ConfigurationPart device={chosen.device} commands={chosen.commands} part={reader.part} onCount={onCount} />
        )}
        <div className="desk-hint">
          {at === 'sure' && <bdi className="desk-typed mono">{reader.unsure}</bdi>}
          <p>
            {command && <b className="mono">{command} </b>}
            {words[at].hint}
          </p>
          {at === 'sure' && (
            <div className="desk-actions">
              <Button variant="primary" onClick={() => dispatch({ type: 'sure', isSerial: true })}>
                It is the serial number
              </Button>
              <Button onClick={() => dispatch({ type: 'sure', isSerial: false })}>Scan again</Button>
            </div>
          )}
          {((at === 'settings' && desk.parts !== null) || at === 'model' || at === 'firmware') && (
            <Button className="justify-self-start" onClick={() => dispatch({ type: 'next' })}>
              {at === 'settings' ? 'It is scanned' : 'Go on without it'}
            </Button>
          )}
        </div>
      </div>
      {at === 'choose' && (
        <ConfigurationChoice
          model={reader.model?.text ?? ''}
          takesFocus={isOn}
          onChoose={(chosen) => dispatch({ type: 'choose', chosen })}
        />
      )}
    </div>
  )
}

function Layout({ finding }: { finding: LayoutFinding | 'waiting' }) {
  return (
    <div className="desk-ask">
      <div className="desk-symbol">
        <TextSymbol text={layoutText} label="Barcode for checking the keyboard layout" />
        <div className="desk-hint">
          <p>
            It has <span className="mono wrap-anywhere">{layoutText}</span>
          </p>
        </div>
      </div>
      <div role="status">
        {finding !== 'waiting' &&
          (finding.advice === null ? (
            <Notice kind="accent">Every character came as it should.</Notice>
          ) : (
            <Notice kind="warn">{finding.advice}</Notice>
          ))}
      </div>
      {finding !== 'waiting' && finding.changed.length > 0 && (
        <ul className="desk-changed mono" aria-label="Characters that change">
          {finding.changed.map(({ sent, typed }) => (
            <li key={sent}>{`${sent} → ${typed}`}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ReaderPanel({ desk, dispatch, at }: DeskProps & { at: Step }) {
  const { chosen, reader } = desk
  const answers = [
    ['Model', reader.model],
    ['Serial number', reader.serialNumber],
    ['Firmware', reader.firmware],
  ] as const
  const isSlow = [reader.model, reader.serialNumber, reader.firmware, reader.text].some((one) => one?.isSlow)
  const isStarted = reader.model !== null
  return (
    <Panel title="This reader">
      <DefinitionList
        left
        items={[
          ...answers.map(([term, answer]): [string, ReactNode] => [
            term,
            <span className="wrap-anywhere">
              {answer?.text ? <bdi className="mono">{answer.text}</bdi> : answer ? 'Nothing typed' : 'Not yet'}
              {answer?.text && !answer.isKnown && <span className="font-normal text-ink-3"> as it came, of no known form</span>}
            </span>,
          ]),
          [
            'Configuration',
            <span className="wrap-anywhere">
              {chosen ? `${chosen.name}${chosen.version ? `, version ${chosen.version}` : ''}` : 'Not chosen'}
            </span>,
          ],
        ]}
      />
      {isSlow && <Notice kind="warn">Typed slowly: the record says so.</Notice>}
      {chosen && reader.model && !BuilderDevice.safeParse(reader.model.text).success && (
        <Notice kind="warn">
          The model is not known, so nothing says whether the configuration for the {chosen.device} is for this reader.
        </Notice>
      )}
      {reader.text && chosen && <Comparison sent={chosen.commands} text={reader.text.text} />}
      {isStarted && (
        <div className="desk-actions">
          <Button small onClick={() => dispatch({ type: 'beginAgain' })}>
            Begin again
          </Button>
          <Button small onClick={() => dispatch({ type: 'end', result: 'skipped', made: make() })}>
            Skip
          </Button>
          <Button small onClick={() => dispatch({ type: 'end', result: 'failed', made: make() })}>
            It failed
          </Button>
        </div>
      )}
      {chosen && at !== 'choose' && (
        <Button small className="justify-self-start" onClick={() => dispatch({ type: 'choose', chosen: null })}>
          Another configuration
        </Button>
      )}
    </Panel>
  )
}

function Session({ desk, dispatch, isForgetful }: DeskProps & { isForgetful: boolean }) {
  const { rows, unsent } = desk
  const isOnline = useOnline()
  const failed = rows.filter(({ failure }) => failure !== undefined)
  const unsentIds = new Set(unsent.map(({ id }) => id))
  return (
    <Panel
      flush
      title={`This session, ${counted(rows.length, 'reader')}`}
      foot={
        rows.length > 0 && (
          <div className="desk-actions">
            <Button small icon={Download} onClick={() => saveFile(new File([toCsv(desk)], 'set-up-readers.csv', { type: 'text/csv' }))}>
              Export to CSV
            </Button>
            {unsent.length < rows.length && (
              <Button small variant="ghost" onClick={() => dispatch({ type: 'empty' })}>
                Clear the list
              </Button>
            )}
          </div>
        )
      }
    >
      {unsent.length > 0 && (
        <div className="desk-unsent" role="status">
          {failed.length > 0 ? (
            <Notice kind="bad">
              {counted(failed.length, 'record')} not stored: {failed[0]?.failure}{' '}
              <Button variant="link" onClick={() => dispatch({ type: 'tryAgain' })}>
                Try again
              </Button>
            </Notice>
          ) : (
            <Notice kind={isOnline ? 'note' : 'warn'}>
              {counted(unsent.length, 'record')} not stored yet.{' '}
              {isOnline ? 'Sending.' : `They are ${isForgetful ? '' : 'kept here and '}sent when the connection is back.`}
            </Notice>
          )}
        </div>
      )}
      {rows.length === 0 ? (
        <EmptyState>No reader yet.</EmptyState>
      ) : (
        <ol className="desk-rows" aria-label="Readers of this session">
          {rows.toReversed().map((row) => (
            <li key={row.id}>
              <bdi className="mono wrap-anywhere">{row.serialNumber || 'No serial number'}</bdi>
              <RowStatus row={row} isUnsent={unsentIds.has(row.id)} />
              <time dateTime={row.at}>{formatTime(row.at)}</time>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function RowStatus({ row, isUnsent }: { row: Row; isUnsent: boolean }) {
  if (row.failure !== undefined) return <Status kind="bad">Not stored</Status>
  if (row.result === 'failed') return <Status kind="bad">Failed</Status>
  if (row.result === 'skipped') return <Status kind="unknown">Skipped</Status>
  return isUnsent ? <Status kind="wait">Done, not stored yet</Status> : <Status kind="ok">Done</Status>
}
