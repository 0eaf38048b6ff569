interface CountedRequest {
  method: string
  headers: Record<string, string>
  body?: string | FormData
  signal?: AbortSignal | undefined
}

/** In bytes. */
export type OnSent = (sent: number, total: number) => void

/** Like `fetch`, which cannot report how much of a body was sent. */
export function countedUpload(url: string, { method, headers, body, signal }: CountedRequest, onSent: OnSent): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    signal?.addEventListener('abort', stop, { once: true })
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total)
    request.onload = () => resolve(toResponse(request))
    request.onerror = () => reject(new TypeError('The request failed'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    request.send(body)
  })
}

const bodiless = new Set([204, 205, 304])

function toResponse(request: XMLHttpRequest): Response {
  const { status, responseText } = request
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
  const headers = new Headers(lines.map((line) => line.split(/:\s*(.*)/, 2) as [string, string]))
  return new Response(bodiless.has(status) ? null : responseText, { status, headers })
}
