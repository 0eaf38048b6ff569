let reloading: Promise<void> | undefined

// Vite loads a style sheet once; one that failed would stay away when its script is loaded later.
export function reloadStyles(): Promise<void> {
  reloading ??= reload().finally(() => {
    reloading = undefined
  })
  return reloading
}

async function reload(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  await Promise.all(
    links.filter(isLost).map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement
          again.onload = resolve
          again.onerror = () => reject(new Error(again.href))
          link.replaceWith(again)
        }),
    ),
  )
}

// A sheet that failed is null, or its rules cannot be read.
function isLost({ sheet }: HTMLLinkElement): boolean {
  try {
    return !sheet!.cssRules
  } catch {
    return true
  }
}
