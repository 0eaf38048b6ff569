import { Pause } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Badge } from '../feedback/badge.tsx'
import { BatteryGauge } from '../feedback/battery-gauge.tsx'
import { EmptyState, ErrorPanel } from '../feedback/empty-state.tsx'
import { Notice } from '../feedback/notice.tsx'
import { ProgressBar } from '../feedback/progress-bar.tsx'
import { SkeletonRows } from '../feedback/skeleton.tsx'
import { Status } from '../feedback/status.tsx'
import { EditConflict } from '../form/edit-conflict.tsx'
import { Panel } from '../layout/panel.tsx'
import { Tiles } from '../layout/tiles.tsx'

const readings: readonly (readonly [string, ...ReactNode[]])[] = [
  [
    'Last Seen (days)',
    <>
      <Status kind="ok">0</Status> to under 2
    </>,
    <>
      <Status kind="warn">2</Status> to under 4
    </>,
    <>
      <Status kind="bad">4</Status> or more
    </>,
    <Status key="unknown" kind="unknown">
      ?
    </Status>,
  ],
  [
    'Battery Health',
    <>
      <BatteryGauge percent={75} kind="ok" /> or more
    </>,
    <>
      <BatteryGauge percent={25} kind="warn" /> to under 75
    </>,
    <>
      <BatteryGauge percent={18} kind="bad" /> under 25
    </>,
    <BatteryGauge key="none" percent={null} kind="ok" />,
  ],
  [
    'Rollout',
    <Status key="ok" kind="ok" spoken="">
      Applied
    </Status>,
    <Status key="run" kind="run" spoken="">
      Downloading
    </Status>,
    <Status key="bad" kind="bad" spoken="">
      Failed
    </Status>,
    <Status key="wait" kind="wait" spoken="">
      Waiting
    </Status>,
  ],
]

export function StatusSection() {
  return (
    <Panel title="Status thresholds" className="sheet-8">
      <section className="table-scroll" aria-label="Thresholds">
        <table className="table sheet-thresholds">
          <thead>
            <tr>
              {['Reading', 'Good', 'Caution', 'Critical', 'Unknown'].map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {readings.map(([name, ...cells]) => (
              <tr key={name}>
                <td>{name}</td>
                {cells.map((cell, index) => (
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="sheet-row mt-3.5">
        <Badge>Hardware</Badge>
        <Badge kind="accent">CFG</Badge>
        <Badge kind="ok">Complete</Badge>
        <Badge kind="warn">Discontinued</Badge>
        <Badge kind="bad">11 failed</Badge>
      </div>
    </Panel>
  )
}

export function NoticeSection() {
  return (
    <Panel title="Notices" className="sheet-4">
      <div className="grid gap-2">
        <Notice>Readers keep their current configuration until 02:00.</Notice>
        <Notice kind="accent">CR2700 takes two symbols.</Notice>
        <Notice kind="warn">Do not power off the device during the update. It can damage the reader.</Notice>
        <Notice kind="warn" icon={Pause}>
          <b>ED Triage</b> halted at 02:31 with 5.4% failed.
        </Notice>
        <Notice kind="bad">
          <b>CR5200 did not publish.</b> Zone has no host PC online.
        </Notice>
        <EditConflict what="ad" onLoad={async () => {}} onSaveAnyway={async () => {}} />
        <ProgressBar counts={{ applied: 52, downloading: 9, waiting: 18, failed: 4 }} label="ICU 3 North" />
        <ProgressBar size="tall" counts={{ applied: 52, downloading: 9, waiting: 18, failed: 0 }} />
      </div>
    </Panel>
  )
}

export function TileSection() {
  const [tile, setTile] = useState('all')
  return (
    <div className="sheet-12">
      <Tiles
        label="Tile states"
        value={tile}
        onChange={setTile}
        tiles={[
          {
            value: 'all',
            label: 'All Devices',
            count: 4218,
            detail: (
              <>
                <b>61 zones</b>7 models
              </>
            ),
          },
          { value: 'offline', label: 'Offline', count: 'loading' },
          { value: 'battery', label: 'Battery Health', count: 'error' },
          {
            value: 'warranty',
            label: 'Warranty Expirations',
            count: 312,
            detail: (
              <>
                <b>7.4% of fleet</b>within 3 months
              </>
            ),
          },
        ]}
      />
    </div>
  )
}

export function LoadingSection() {
  return (
    <>
      <Panel title="Loading" className="sheet-4">
        <table className="table">
          <tbody>
            <SkeletonRows columns={[{ width: 70 }, { width: 100 }, { width: 82 }]} rows={4} />
          </tbody>
        </table>
      </Panel>
      <Panel title="Empty" className="sheet-4">
        <EmptyState action={<Button variant="link">Make a new one</Button>}>No saved configurations.</EmptyState>
      </Panel>
      <Panel title="Failed to load" className="sheet-4">
        <ErrorPanel message="Error loading devices" detail="The tiles show “?” until the totals return." onRetry={() => undefined} />
      </Panel>
    </>
  )
}
