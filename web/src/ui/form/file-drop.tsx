import './file-drop.css'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import { FileUp, type LucideIcon, Upload, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Accept, type FileError, type FileRejection, useDropzone } from 'react-dropzone'
import { Button } from '../button/button.tsx'
import { IconButton } from '../button/icon-button.tsx'
import { FieldError } from './field.tsx'

interface FileDropProps {
  files: readonly File[]
  onChange: (files: File[]) => void
  /** Such as `{ 'text/javascript': ['.js'] }`; absent: any file. */
  accept?: Accept
  prompt: string
  hint?: ReactNode
  icon?: LucideIcon
  /** Default 1; a new file then replaces the old one. */
  maxFiles?: number
  /** In bytes; absent: no limit (spec §5). */
  minSize?: number
  maxSize?: number
  /** Called when the file dialog was cancelled, which shows 300 ms after the window has the focus again (spec §9). */
  onCancel?: () => void
  status?: (file: File) => ReactNode
  disabled?: boolean
}

export function FileDrop(props: FileDropProps) {
  const { files, onChange, accept, prompt, hint, icon: Icon = FileUp, maxFiles = 1, minSize, maxSize, onCancel, disabled } = props
  const [errors, setErrors] = useState<string[]>([])

  function take(accepted: File[], rejected: FileRejection[]) {
    const wrong = rejected.flatMap((each) => each.errors)
    const next = maxFiles === 1 ? accepted : [...files, ...accepted]
    const tooMany = next.length > maxFiles || wrong.some((error) => error.code === 'too-many-files')
    const messages = wrong.map((error) => error.message)
    setErrors([...new Set(tooMany ? [...messages, 'Too many files'] : messages)])
    // None of too many files is taken, as only the user knows which is meant.
    if (!tooMany && accepted.length > 0) onChange(next)
  }

  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept,
    minSize,
    maxSize,
    maxFiles,
    multiple: maxFiles > 1,
    disabled,
    noClick: true,
    noKeyboard: true,
    onDrop: take,
    onFileDialogCancel: onCancel,
    getErrorMessage: (error) => sizeOrType(error, { accept, minSize, maxSize }),
  })

  return (
    <div className="file-drop">
      <div {...getRootProps({ className: 'file-drop-zone', tabIndex: -1, 'data-over': isDragActive || undefined })}>
        <input {...getInputProps({ 'aria-label': prompt })} />
        <Icon size={28} />
        <p>
          <b>{isDragActive ? 'Drop to import' : prompt}</b>
        </p>
        {hint && <p className="field-hint">{hint}</p>}
        <Button icon={Upload} disabled={disabled} onClick={open}>
          Import a File
        </Button>
      </div>
      {errors.length > 0 && (
        <div role="alert">
          {errors.map((error) => (
            <FieldError key={error}>{error}</FieldError>
          ))}
        </div>
      )}
      {files.length > 0 && <FileRows {...props} icon={Icon} />}
    </div>
  )
}

function FileRows({ files, onChange, icon, status }: Pick<FileDropProps, 'files' | 'onChange' | 'status'> & { icon: LucideIcon }) {
  return (
    <ul className="file-rows">
      {files.map((file) => (
        <FileRow
          key={`${file.name}-${file.lastModified}`}
          icon={icon}
          name={file.name}
          detail={formatFileSize(file.size)}
          onRemove={() => onChange(files.filter((each) => each !== file))}
        >
          {status?.(file)}
        </FileRow>
      ))}
    </ul>
  )
}

interface FileRowProps {
  icon: LucideIcon
  name: string
  detail: string
  onRemove?: () => void
  children?: ReactNode
}

export function FileRow({ icon: Icon, name, detail, onRemove, children }: FileRowProps) {
  return (
    <li className="file-row">
      <Icon size={18} />
      <span className="file-row-name">
        <b className="mono">{name}</b>
        <span>{detail}</span>
      </span>
      {children}
      {onRemove && <IconButton icon={X} label={`Remove ${name}`} onClick={onRemove} />}
    </li>
  )
}

/** The specification's sentences, as the library's round bytes to KB. */
function sizeOrType(error: FileError, limits: Pick<FileDropProps, 'accept' | 'minSize' | 'maxSize'>): string {
  if (error.code === 'file-too-large') return `File is larger than ${limits.maxSize} bytes`
  if (error.code === 'file-too-small') return `File is smaller than ${limits.minSize} bytes`
  if (error.code !== 'file-invalid-type') return error.message
  const types = Object.entries(limits.accept ?? {}).flatMap(([mime, extensions]) => (extensions.length > 0 ? extensions : mime))
  return `File type must be ${types.join(', ')}`
}
