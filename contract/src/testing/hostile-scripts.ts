/** A script that tries to harm what runs it, and what its check must return: in Node, in a thread of the server and in a browser. */
export interface HostileScript {
  name: string
  script: string
  verdict: 'ready' | 'warning' | 'refused'
  // Words in the refusal, the warnings, or the output for the first sample.
  words: string
}

const refused = (name: string, script: string, words: string): HostileScript => ({ name, script, verdict: 'refused', words })
const ready = (name: string, script: string, words: string): HostileScript => ({ name, script, verdict: 'ready', words })
const warned = (name: string, script: string, words: string): HostileScript => ({ name, script, verdict: 'warning', words })

const tooManySteps = 'takes more than 40 million steps (about 200 ms) on the scan "4006381333931"'
const tooMuchMemory = 'needs more than 16 MB of memory on the scan "4006381333931"'
const tooDeep = 'calls itself too often on the scan "4006381333931"'
const unharmed = '4006381333931'

const loops = [
  refused('a loop', 'rules_onDecode = (d) => {\n  for (;;);\n}', `${tooManySteps}, line 1 or below.`),
  refused(
    'a loop when it is loaded',
    'rules_onDecode = (d) => d\nfor (;;);',
    'takes more than 200 million steps (about a second) when it is loaded, line 1 or below.',
  ),
  refused('a wait for a clock', 'rules_onDecode = (d) => { const end = Date.now() + 9; while (Date.now() < end); return d }', tooManySteps),
  refused('an endless generator', 'rules_onDecode = () => { for (const x of (function* () { for (;;) yield 1 })()); }', tooManySteps),
  refused('a loop in eval', 'rules_onDecode = () => eval("for (;;);")', tooManySteps),
  refused('a loop in a made function', 'rules_onDecode = Function("for (;;);")', tooManySteps),
  refused(
    'a loop that catches its interruption',
    'rules_onDecode = () => { for (;;) try { for (;;); } catch {} finally { continue } }',
    tooManySteps,
  ),
  refused('a regular expression without end', 'rules_onDecode = () => /^(a+)+$/.test("a".repeat(40) + "b")', tooManySteps),
  refused(
    'a search that one call makes long',
    'rules_onDecode = () => { const s = "a".repeat(2e6); for (let i = 0; i < 5e3; i++) s.indexOf("b") }',
    tooManySteps,
  ),
  refused('a sort of nothing', 'rules_onDecode = () => new Array(2 ** 32 - 1).sort()', tooManySteps),
  refused('a number of a million digits', 'rules_onDecode = () => 10n ** 10000000n', tooManySteps),
  refused('copies of a large array', 'const a = new Uint8Array(8e6)\nrules_onDecode = () => { for (;;) a.copyWithin(0, 1) }', tooManySteps),
]

const memory = [
  refused('a list that grows', 'rules_onDecode = () => { const all = []; for (;;) all.push(new Array(1000).fill(1)) }', tooMuchMemory),
  refused(
    'memory whose end is caught',
    'rules_onDecode = (d) => { const all = []; try { for (;;) all.push("x".repeat(1e6)) } catch { return d } }',
    tooMuchMemory,
  ),
  refused('one huge text', 'rules_onDecode = (d) => { d.data = "x".repeat(2 ** 29); return d }', tooMuchMemory),
  refused('one huge buffer', 'rules_onDecode = (d) => { new ArrayBuffer(2 ** 31 - 1); return d }', tooMuchMemory),
  ready('a text of a megabyte', 'rules_onDecode = (d) => { d.data = "x".repeat(1e6); return d }', 'xxxx'),
]

const depth = [
  refused('a call of itself', 'rules_onDecode = (d) => rules_onDecode(d)', tooDeep),
  ready('a call of itself that is caught', 'rules_onDecode = (d) => { try { return rules_onDecode(d) } catch { return d } }', unharmed),
  refused(
    'calls that double when caught',
    'rules_onDecode = (d) => { try { rules_onDecode(d) } catch {} return rules_onDecode(d) }',
    tooManySteps,
  ),
  refused('a proxy of itself', 'rules_onDecode = () => { const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.data }', tooDeep),
  refused('a getter of itself', 'rules_onDecode = () => ({ get data() { return this.data } }).data', tooDeep),
  refused('code nested deeply', 'rules_onDecode = () => eval("[".repeat(1e5) + "]".repeat(1e5))', 'is nested too deeply on the scan'),
  refused('JSON nested deeply', 'rules_onDecode = () => JSON.parse("[".repeat(1e6))', 'is nested too deeply on the scan'),
]

const names =
  'fetch XMLHttpRequest WebSocket EventSource Worker importScripts require process module Deno Bun document window self postMessage navigator localStorage indexedDB setTimeout setInterval setImmediate queueMicrotask requestAnimationFrame performance console print std os scriptArgs crypto'

const tricks = [
  refused('timers', 'setTimeout(() => {}, 0)\nrules_onDecode = (d) => d', "'setTimeout' is not defined, line 1"),
  ready(
    'names of a page, of Node and of the network',
    `const names = "${names}".split(" ")\nrules_onDecode = (d) => ({ data: "found:" + names.filter((name) => name in globalThis) })`,
    'found:',
  ),
  warned(
    'the way out through constructors',
    'rules_onDecode = (d) => d.constructor.constructor("return process")().exit()',
    "'process' is not defined",
  ),
  ready('an import', 'rules_onDecode = (d) => { import("https://example.com/x.js"); return d }', unharmed),
  ready(
    'prototypes that are changed',
    'for (const type of [Object, Array, String, Function]) type.prototype.toJSON = () => { for (;;); }\nJSON.stringify = () => "changed"\nObject.defineProperty(Object.prototype, "data", { set() { for (;;); }, get: () => "changed" })\nrules_onDecode = (d) => d',
    unharmed,
  ),
  ready(
    'globals that are deleted',
    'for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name] } catch {}\nvar rules_onDecode = (d) => d',
    unharmed,
  ),
  refused(
    'a handler that is a getter',
    'Object.defineProperty(globalThis, "rules_onDecode", { get() { for (;;); } })',
    'when its handlers are read',
  ),
  refused('a result that is a getter', 'rules_onDecode = () => ({ get data() { for (;;); } })', tooManySteps),
  refused('an error that does not end', 'rules_onDecode = () => { throw { get message() { for (;;); } } }', tooManySteps),
  warned('an error that is no error', 'rules_onDecode = () => { throw new Proxy({}, { get() { throw null } }) }', 'an error'),
  warned(
    'errors prepared without end',
    'Error.prepareStackTrace = () => { for (;;); }\nrules_onDecode = () => null.x',
    "'x' of null, line 2",
  ),
  refused('a promise', 'rules_onDecode = async (d) => d', 'returns a promise from rules_onDecode'),
  ready('work that is put off', 'rules_onDecode = (d) => { Promise.resolve().then(() => { for (;;); }); return d }', unharmed),
  warned('a promise of its own', 'rules_onDecode = (d) => ({ then() { for (;;); } })', 'It returns no text in data.'),
  ready(
    'the clock and the time zone',
    'rules_onDecode = (d) => ({ data: String(new Date()) + new Date().getTimezoneOffset() })',
    'Thu Jan 01 2026 12:00:00 GMT+0000',
  ),
  ready('chance', 'const chance = Math.random()\nrules_onDecode = (d) => ({ data: String(chance) })', '0.'),
]

const large = 5 * 1024 * 1024
const sizes = [
  refused('five megabytes of one name', 'x'.repeat(large), 'needs more than 16 MB of memory'),
  refused('five megabytes of brackets', `rules_onDecode = (d) => d\n${'['.repeat(large - 100)}`, 'is nested too deeply'),
  ready('five megabytes of comment', `/*${'x'.repeat(large - 100)}*/\nrules_onDecode = (d) => d`, unharmed),
]

export const hostileScripts: readonly HostileScript[] = [...loops, ...memory, ...depth, ...tricks, ...sizes]
