import { useEffect, useRef, useState } from 'react'
import type { CallOptions } from './fetch.ts'

/** Bytes. `total`: 0 until it is known. */
export interface Sent {
  sent: number
  total: number
}

export class UploadCancelled extends Error {
  constructor() {
    super('The upload was cancelled.')
  }
}

/** Uploads with progress, by name. They end when the screen is left. */
export function useUploads<Name extends string>() {
  const [progress, setProgress] = useState<Partial<Record<Name, Sent>>>({})
  const uploads = useRef(new Map<Name, AbortController>())
  useEffect(() => {
    const { current } = uploads
    return () => {
      for (const upload of current.values()) upload.abort(new UploadCancelled())
    }
  }, [])

  /** @throws the error of the call; UploadCancelled */
  async function upload<Result>(name: Name, start: (options: CallOptions) => Promise<Result>): Promise<Result> {
    const controller = new AbortController()
    uploads.current.set(name, controller)
    const show = (sent?: Sent) =>
      setProgress(({ [name]: _, ...others }) => (sent ? { ...others, [name]: sent } : others) as typeof progress)
    show({ sent: 0, total: 0 })
    try {
      return await start({ signal: controller.signal, onSent: (sent, total) => show({ sent, total }) })
    } finally {
      uploads.current.delete(name)
      show()
    }
  }

  return { upload, progress, cancel: (name: Name) => uploads.current.get(name)?.abort(new UploadCancelled()) }
}
