export function saveFile(file: File): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = file.name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser may still read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
