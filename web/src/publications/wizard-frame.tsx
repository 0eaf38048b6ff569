import './wizard-frame.css'
import type { ReactNode } from 'react'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ActionFoot } from '../ui/layout/action-foot.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { WizardBar } from '../ui/layout/stepper.tsx'

export type WizardStage = 'select' | 'device' | 'review'

interface WizardFrameProps {
  wizard: { name: string; stages: Record<WizardStage, string> }
  stage: WizardStage
  title: string
  intro: ReactNode
  notice?: ReactNode
  rail?: ReactNode
  back?: ReactNode
  summary: ReactNode
  actions: ReactNode
  children: ReactNode
}

export function WizardFrame(props: WizardFrameProps) {
  const { wizard, stage, title, intro, notice, rail, back, summary, actions, children } = props
  useDocumentTitle(title)
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
            <aside className="wizard-rail" aria-label="About this step">
              {rail}
            </aside>
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
