// In the packaged agent this takes the place of node-gyp-build, which looks for the library of serial ports in many folders. Only the
// executable's own folder is looked in, and only the file that was packaged with it is loaded.
const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')

/* global NATIVE_PART */
const { name, sha256 } = NATIVE_PART

module.exports = () => {
  const file = join(dirname(process.execPath), name)
  let bytes
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new Error(`${file} cannot be read (${error.code}). It belongs beside ${basename(process.execPath)}. Install the agent again.`)
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error(`${file} is not the one that belongs to this ${basename(process.execPath)}. Install the agent again.`)
  const native = { exports: {} }
  process.dlopen(native, file)
  return native.exports
}
