import { findRuns, quietModules } from '@lectern/contract/barcode/symbol.ts'
import { encode as encodePng } from 'fast-png'
import { encode as encodeQr } from 'uqr'

const pixelsPerModule = 8

/** QR Code, byte mode, error correction L (spec §9); true is dark; no margin. */
export const encodeModules = (payload: Uint8Array): boolean[][] => encodeQr([...payload], { ecc: 'L', border: 0, boostEcc: false }).data

export function renderPng(payload: Uint8Array): Uint8Array {
  const modules = encodeModules(payload)
  const side = (modules.length + 2 * quietModules) * pixelsPerModule
  const data = new Uint8Array(side * side).fill(255)
  for (const { x, y, width } of findRuns(modules))
    for (let row = 0; row < pixelsPerModule; row++) {
      const begin = ((y + quietModules) * pixelsPerModule + row) * side + (x + quietModules) * pixelsPerModule
      data.fill(0, begin, begin + width * pixelsPerModule)
    }
  return encodePng({ width: side, height: side, data, channels: 1, depth: 8 })
}

export function renderSvg(payload: Uint8Array, caption: string): string {
  const modules = encodeModules(payload)
  const side = modules.length + 2 * quietModules
  const dark = findRuns(modules)
    .map(({ x, y, width }) => `M${x + quietModules} ${y + quietModules}h${width}v1h-${width}z`)
    .join('')
  const text =
    caption && `<text x="${side / 2}" y="${side}" font-family="sans-serif" font-size="4" text-anchor="middle">${escapeXml(caption)}</text>`
  const height = caption ? side + 4 : side
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${height}" width="${side}mm" height="${height}mm"><path fill="#fff" d="M0 0h${side}v${height}H0z"/><path shape-rendering="crispEdges" d="${dark}"/>${text}</svg>`
}

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
