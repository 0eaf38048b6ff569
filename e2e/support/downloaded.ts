import { buffer } from 'node:stream/consumers'
import type { Download } from 'playwright-core'

/** The bytes of a download. */
export const downloadedBytes = async (download: Download): Promise<Buffer> => buffer(await download.createReadStream())
/** The text of a download. */
export const downloadedText = async (download: Download): Promise<string> => (await downloadedBytes(download)).toString()
