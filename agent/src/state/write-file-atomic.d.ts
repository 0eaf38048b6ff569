declare module 'write-file-atomic' {
  /** Writes beside the file, flushes, and renames over it. */
  export default function writeFileAtomic(
    file: string,
    data: string | Uint8Array,
    options?: { mode?: number; fsync?: boolean },
  ): Promise<void>
}
