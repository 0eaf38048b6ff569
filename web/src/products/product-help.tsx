import type { Product } from '@lectern/contract/products.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Download, ExternalLink, FileText } from 'lucide-react'
import { Accordion } from '../ui/layout/accordion.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ProductPicture } from './product-picture.tsx'
import './product-help.css'

export function ProductHelp({ product }: { product: Product }) {
  const { title, documents, faq } = product
  return (
    <>
      <section className="panel product-help-head" aria-label={`${title} help`}>
        <ProductPicture product={product} width={84} />
        <div className="p-4 pl-0">
          <h1 className="heading-2">{title} help</h1>
          <p className="text-ink-2">Documents and answers for this product.</p>
        </div>
      </section>
      <Panel
        flush
        title="Documents"
        actions={documents.length > 0 && <span className="text-12 text-ink-3">{counted(documents.length, 'file')}</span>}
      >
        {documents.length === 0 ? (
          <p className="p-4 text-ink-2">No documents for this product.</p>
        ) : (
          <ul>
            {documents.map((document, index) => (
              <li key={index}>
                <DocumentLink document={document} />
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel flush title="Questions">
        {faq.length === 0 ? (
          <p className="p-4 text-ink-2">No questions answered for this product.</p>
        ) : (
          <Accordion
            items={faq.map(({ question, answer }) => ({ question, answer: <p className="whitespace-pre-line">{answer}</p> }))}
            open={0}
          />
        )}
      </Panel>
    </>
  )
}

// The portal's own documents are saved. Others open in a new tab, as browsers do not save files of another origin by a link.
function DocumentLink({ document: { title, url } }: { document: Product['documents'][number] }) {
  const isOwn = url.startsWith('/')
  const format = /\.(\w{2,5})$/.exec(new URL(url, location.href).pathname)?.[1]?.toUpperCase()
  const place = isOwn ? undefined : new URL(url).hostname
  return (
    <a className="product-document" href={url} {...(isOwn ? { download: '' } : { target: '_blank', rel: 'noopener noreferrer' })}>
      <FileText size={18} />
      <span className="product-document-name">
        {isOwn && <span className="sr-only">Download</span>}
        <b className="product-document-title">{title}</b>
        <small className="product-document-format">{[format, place].filter(Boolean).join(', ')}</small>
      </span>
      {!isOwn && <span className="sr-only">opens in a new tab</span>}
      {isOwn ? <Download size={16} /> : <ExternalLink size={16} />}
    </a>
  )
}
