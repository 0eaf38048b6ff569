import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { CaseForm } from './case-form.tsx'

/** `/support/new`: opens a support case. */
export default function NewCasePage() {
  useDocumentTitle('New case')
  return (
    <>
      <BackStrip to={paths.cases()} label="Support" />
      <Page>
        <PageHead title="New case" intro="What you write here is kept in this tab until you send or discard it." />
        <CaseForm />
      </Page>
    </>
  )
}
