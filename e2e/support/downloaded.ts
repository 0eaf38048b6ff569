import { buffer } from 'node:stream/consumers'
import { strFromU8, unzipSync } from 'fflate'
import type { Download } from 'playwright-core'

/** The bytes of a download. */
export const downloadedBytes = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream())
/** The text of a download. */
export const downloadedText = async (download: Download): Promise<string> => (await downloadedBytes(download)).toString()
/** The XML of the first sheet of a downloaded workbook. */
export const downloadedSheet = async (download: Download): Promise<string> =>
  strFromU8(unzipSync(await downloadedBytes(download))['xl/worksheets/sheet1.xml']!)
