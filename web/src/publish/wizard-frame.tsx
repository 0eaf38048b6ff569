import './wizard-frame.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ActionFoot } from '../ui/layout/action-foot.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { WizardBar } from '../ui/layout/stepper.tsx'

/** The three stages of a zone wizard, as its bar shows them. */
export type WizardStage = 'select' | 'device' | 'review'

type WizardFrameProps = {
  /** Its name, e.g. "Configure Zones", and the words of its bar. */
  wizard: { name: string; stages: Record<WizardStage, string> }
  stage: WizardStage
  title: string
  /** What this page is about, where its title alone does not tell it from the one before. */
  place?: string
  intro: ReactNode
  /** Above everything, where something has happened meanwhile. */
  notice?: ReactNode
  /** Beside the content. */
  rail?: ReactNode
  back?: ReactNode
  summary: ReactNode
  /** At the right of the foot, the primary button last. */
  actions: ReactNode
  children: ReactNode
}

/** The frame of every step of a zone wizard: bar with the way home and the steps, title, content, rail, foot. */
export function WizardFrame(props: WizardFrameProps) {
  const { wizard, stage, title, place = title, intro, notice, rail, back, summary, actions, children } = props
  useDocumentTitle(title)
  useFreshPage(place)
  return (
    <>
      <WizardBar
        label={`${wizard.name} progress`}
        steps={(['select', 'device', 'review'] as const).map((id) => ({ id, label: wizard.stages[id] }))}
        active={stage}
        back={{ to: paths.deviceManagement(), label: 'Device Management Home' }}
      />
      <Page>
        <PageHead title={title} intro={intro} />
        {notice}
        {rail ? (
          <div className="wizard-columns">
            <div className="wizard-content">{children}</div>
            <aside className="wizard-rail">{rail}</aside>
          </div>
        ) : (
          children
        )}
      </Page>
      <ActionFoot back={back} summary={summary}>
        {actions}
      </ActionFoot>
    </>
  )
}

/** Each step begins at its top, with the focus on its content, as a page of its own would. */
function useFreshPage(place: string) {
  const shown = useRef(place)
  useEffect(() => {
    if (shown.current === place) return
    shown.current = place
    scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [place])
}
