import './components-page.css'
import { paths } from './paths.ts'
import { Avatar } from './ui/avatar.tsx'
import { DialogProvider } from './ui/dialog/dialog.tsx'
import { ToastProvider } from './ui/feedback/toast.tsx'
import { CutTexts } from './ui/layout/cut-texts.tsx'
import { Page, PageHead, SkipLink } from './ui/layout/page.tsx'
import { BarOrganization, TopBar } from './ui/layout/top-bar.tsx'
import { ButtonSection, ColourSection, TypeSection } from './ui/sheet/basics.tsx'
import { ChoiceSection } from './ui/sheet/choices.tsx'
import { DialogSection, ToastSection } from './ui/sheet/dialogs.tsx'
import { FieldSection } from './ui/sheet/fields.tsx'
import { FileSection } from './ui/sheet/files.tsx'
import { BarSection, DrawingSection } from './ui/sheet/layouts.tsx'
import { LoadingSection, NoticeSection, StatusSection, TileSection } from './ui/sheet/readings.tsx'
import { TableSection } from './ui/sheet/tables.tsx'

const AREAS = [
  { to: '/products', label: 'Products' },
  { to: paths.data(), label: 'Data' },
  { to: paths.deviceManagement(), label: 'Device Management' },
  { to: paths.organizations(), label: 'All Organizations' },
]
const MORE = [
  { to: paths.licences(), label: 'Licences' },
  { to: paths.cases(), label: 'Support' },
]

export default function ComponentsPage() {
  return (
    <ToastProvider>
      <DialogProvider>
        <CutTexts />
        <SkipLink />
        <TopBar
          nav={AREAS}
          more={MORE}
          account={{ href: 'https://account.quietzone.example/', label: 'Quiet Zone Devices account' }}
          organization={<BarOrganization name="Northfield Regional Health" detail="61 zones · 4,218 readers" />}
          end={<Avatar name="Northfield Manager" size="large" />}
        />
        <Page>
          <PageHead title="Component sheet" intro="Every part and state used by the screens. Toggle the theme in the bar." />
          <div className="sheet-grid">
            <ColourSection />
            <TypeSection />
            <ButtonSection />
            <FieldSection />
            <ChoiceSection />
            <StatusSection />
            <NoticeSection />
            <TileSection />
            <DialogSection />
            <ToastSection />
            <LoadingSection />
            <TableSection />
            <FileSection />
            <DrawingSection />
            <BarSection />
          </div>
        </Page>
      </DialogProvider>
    </ToastProvider>
  )
}
