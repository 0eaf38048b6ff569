import { fileSave } from 'browser-fs-access'

/**
 * Saves a zone's location file, which holds just the zone id, where the person says (spec §2). A cancelled save dialog is no failure.
 * Any other error is thrown again; what is thrown and no Error becomes the Error "Expected an error" (spec §8).
 */
export async function saveLocationFile(zoneId: string): Promise<void> {
  try {
    await fileSave(new Blob([zoneId]), { fileName: 'Location.ctxdm', extensions: ['.ctxdm'], description: 'CodeDM Location File' })
  } catch (error) {
    if (!(error instanceof Error)) throw new Error('Expected an error')
    if (error.name !== 'AbortError') throw error
  }
}
