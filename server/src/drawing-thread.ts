import { buffer } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'
import type { Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { loadCatalogue } from './barcode/catalogue.ts'
import { createSettingsReport } from './barcode-settings/report.ts'
import { chooseSettings, getSettings } from './barcode-settings/settings.ts'
import { drawGoCode } from './gocode/symbol-file.ts'
import type { Drawing, DrawingThreadData } from './lib/drawings.ts'
import type { Reply } from './lib/worker-pool.ts'
import { drawLeaflet } from './products/leaflet.ts'

// The thread that draws documents and symbols. No other thread loads the code for that (FAI-01).
const catalogue = loadCatalogue((workerData as DrawingThreadData).catalogueFile)

parentPort?.on('message', (drawing: Drawing) => {
  const send = (reply: Reply<Uint8Array>) => parentPort?.postMessage(reply)
  catalogue
    .then((loaded) => draw(loaded, drawing))
    .then(
      // Sends a copy: of a view into a larger buffer, all of the buffer would be sent.
      (result) => send({ result: new Uint8Array(result) }),
      (error: unknown) => send({ error: String(error) }),
    )
})

async function draw(catalogue: Catalogue, drawing: Drawing): Promise<Uint8Array> {
  switch (drawing.kind) {
    case 'settings': {
      const { device, categories } = getSettings(catalogue, drawing.product)
      const chosen = drawing.codes === null ? categories : chooseSettings(categories, drawing.codes)
      return buffer(createSettingsReport(device, chosen, drawing.brand, { paper: drawing.paper, isGuide: drawing.codes === null }))
    }
    case 'leaflet':
      return buffer(drawLeaflet(drawing.file, drawing.author))
    case 'code':
      return drawGoCode(drawing.goCode, catalogue, drawing.author)
  }
}
