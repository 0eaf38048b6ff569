import { FileCode } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '../avatar.tsx'
import { Status } from '../feedback/status.tsx'
import { Transfer } from '../feedback/transfer.tsx'
import { FieldError } from '../form/field.tsx'
import { FileDrop } from '../form/file-drop.tsx'
import { Accordion } from '../layout/accordion.tsx'
import { DefinitionList } from '../layout/definition-list.tsx'
import { Disclosure, Disclosures } from '../layout/disclosure.tsx'
import { Panel } from '../layout/panel.tsx'

export function FileSection() {
  return (
    <>
      <Uploads />
      <div className="sheet-4 sheet-stack content-start">
        <Openable />
        <Panel title="This update">
          <DefinitionList
            items={[
              ['Zone', 'ICU 3 North'],
              ['Readers', '83 of 118'],
              ['Update time', '02:00'],
            ]}
          />
        </Panel>
      </div>
    </>
  )
}

function Uploads() {
  const [files, setFiles] = useState([new File(['x'.repeat(6349)], 'wristband-gs1-split.js', { type: 'text/javascript' })])
  return (
    <Panel title="File drop" className="sheet-8">
      <div className="sheet-stack">
        <FileDrop
          icon={FileCode}
          files={files}
          onChange={setFiles}
          accept={{ 'text/javascript': ['.js'] }}
          prompt="Drag one .js file here"
          hint="Accepted type: text/javascript. One file only."
          status={() => (
            <Status kind="ok" spoken="">
              Ready
            </Status>
          )}
        />
        <div className="file-drop-zone" data-over="">
          <b>Drop to import</b>
        </div>
        <FieldError>File type must be .crvfw</FieldError>
        <Transfer label="Uploading reader-4.12.0.crvfw" sent={327_155_712} total={1_073_741_824} />
        <Transfer label="Uploading reader-4.12.0.crvfw" sent={1_073_741_824} total={1_073_741_824} />
      </div>
    </Panel>
  )
}

const Openable = () => (
  <>
    <Panel title="Questions about this step" flush>
      <Accordion
        open={0}
        items={[
          { question: 'What does CodeRules do?', answer: 'It runs your JavaScript on the reader after each scan.' },
          { question: 'How large can the file be?', answer: 'As large as the reader takes.' },
        ]}
      />
    </Panel>
    <Panel title="Entries that open" flush>
      <Disclosures>
        <ul>
          <Disclosure
            id="one"
            lead={<Avatar name="Northfield Manager" size="medium" />}
            summary="created the zone ICU 3 North"
            aside="09:51"
          >
            All that the entry says.
          </Disclosure>
          <Disclosure id="two" summary="Another entry">
            One is open at a time.
          </Disclosure>
        </ul>
      </Disclosures>
    </Panel>
  </>
)
