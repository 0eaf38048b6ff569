import type { ReleaseFields } from '@lectern/contract/firmware/firmware.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../lib/api/api.ts'
import { markStale } from '../lib/api/query.ts'

/** Sends a release and shows how far it is. What is under way ends with the screen. */
export function useReleaseUpload() {
  const { call } = useApi()
  const client = useQueryClient()
  const [progress, setProgress] = useState<{ sent: number; total: number }>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  /** Resolves with whether it was sent: false where it was cancelled. Throws what went wrong. */
  async function upload(fields: ReleaseFields, file: File): Promise<boolean> {
    const controller = new AbortController()
    running.current = controller
    setProgress({ sent: 0, total: 0 })
    try {
      await call(
        'uploadFirmwareRelease',
        { fields, file },
        {
          signal: controller.signal,
          idempotencyKey: crypto.randomUUID(),
          onSent: (sent, total) => setProgress({ sent, total }),
        },
      )
      await markStale(client, 'uploadFirmwareRelease')
      return true
    } catch (error) {
      if (controller.signal.aborted) return false
      throw error
    } finally {
      setProgress(undefined)
    }
  }

  return { upload, progress, cancel: () => running.current?.abort() }
}
