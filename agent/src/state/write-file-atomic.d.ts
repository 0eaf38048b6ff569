declare module 'write-file-atomic' {
  export default function writeFileAtomic(
    file: string,
    data: string | Uint8Array,
    options?: { mode?: number; fsync?: boolean },
  ): Promise<void>
}
