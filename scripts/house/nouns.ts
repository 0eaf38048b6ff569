import type { Sources } from './imports.ts'
import { isProduction } from './sizes.ts'

/** Names beside the nouns of a layer, and why they are none. */
export const rooms = {
  contract: {
    endpoints: 'all calls in one table',
    'exit-codes': 'how programs end',
    'feature-flags': 'settings that `system` sends',
    http: 'what a call is',
    testing: 'what tests use',
    text: 'texts that people enter or read',
  },
  server: {
    access: 'a test of all calls',
    accounts: 'the command `npm run accounts`',
    api: 'the document of all calls',
    app: 'the program',
    archive: 'what is backed up and restored',
    backup: 'the commands `npm run backup` and `npm run restore`',
    contents: 'files by their hash, for `publications` and `firmware`',
    crossings: 'what is done across organizations, with the reasons',
    'database-types': 'the command `npm run database-types`',
    demo: 'the data of a demonstration',
    'drawing-thread': 'draws documents and symbols',
    drawings: 'a test of what the program loads',
    events: 'what wakes other processes; no call reads it',
    handlers: 'all routes in one table',
    identity: 'who calls: tokens, and the records of the identity provider',
    lib: 'what knows no noun',
    licence: 'the command `npm run licence`',
    'limited-roles': 'a test of all calls',
    names: 'a test of all calls that name a thing',
    'writes-of-roles': 'a test of all calls',
    main: 'the program',
    'open-database': 'the database that the settings choose',
    phases: 'rows for calls of `publications` and `rollouts`',
    postgres: 'the embedded PostgreSQL',
    quotas: 'what organizations and host PCs may have at most',
    'row-security': 'a test of all statements',
    testing: 'what tests use',
    'web-app': 'serves the built web app',
  },
  web: {
    'components-page': 'shows `ui`',
    home: 'the landing page and the installation instructions, which lead to all nouns',
    lib: 'what knows no noun',
    main: 'the program',
    paths: 'the addresses of all screens',
    routes: 'all screens in one table',
    session: 'who is signed in',
    shell: 'the frame around all screens',
    ui: 'components that know no noun',
  },
  e2e: {
    agent: 'the program on a host PC',
    crawl: 'all screens',
    'first-load': 'what a page loads before it shows itself',
    home: 'as in the web',
    keyboard: 'all screens',
    monitoring: 'the error reports of web and server',
    readme: 'the first hour of the README',
    pages: 'how the server serves the web app',
    'screen-reader': 'all screens, read aloud',
    screens: 'all screens',
    session: 'as in the web',
    shell: 'as in the web',
  },
} as const satisfies Record<string, Record<string, string>>

export type Layer = keyof typeof rooms

/** The folders and files at the top of a layer, without extensions. */
function listNames(sources: Sources, layer: Layer): string[] {
  const files = layer === 'e2e' ? /^e2e\/([^/]+)\.e2e\.ts$/ : new RegExp(`^${layer}/src/([^/.]+).*\\.tsx?$`)
  return [...new Set([...sources.keys()].flatMap((path) => files.exec(path)?.[1] ?? []))]
}

/** Things that the contract has calls for. */
export const listNouns = (sources: Sources): string[] =>
  listNames(sources, 'contract').filter((name) => !Object.hasOwn(rooms.contract, name))

/** Names that are neither a noun of the contract nor a room of the layer. A file of e2e begins with one: `zones-actions`. */
export function findStrayNames(sources: Sources, layer: Layer): string[] {
  const known = [...listNouns(sources), ...Object.keys(rooms[layer])]
  const isKnown = (name: string) => known.some((one) => name === one || (layer === 'e2e' && name.startsWith(`${one}-`)))
  return listNames(sources, layer).filter((name) => !isKnown(name))
}

/** Nouns of which the server has no folder: there they are called something else. */
export function findMissingNouns(sources: Sources): string[] {
  const names = listNames(sources, 'server')
  return listNouns(sources).filter((noun) => !names.includes(noun))
}

/** Rooms that a layer does not have any more. */
export function findLostRooms(sources: Sources, layer: Layer): string[] {
  const names = listNames(sources, layer)
  return Object.keys(rooms[layer]).filter(
    (room) => !names.some((name) => name === room || (layer === 'e2e' && name.startsWith(`${room}-`))),
  )
}

const toCamel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const toSingular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '')

/** Tables of calls and routes that are not called after their noun: `zoneEndpoints`, `zoneRoutes`. */
export function findStrayTables(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => isProduction(path))
    .flatMap(([path, text]) => {
      const [, noun] = /^(?:contract|server)\/src\/([^/.]+)/.exec(path) ?? []
      const [, table] = /^export const (\w+(?:Endpoints|Routes)) = /m.exec(text) ?? []
      const isNamed =
        table === undefined || noun === undefined || new RegExp(`^${toCamel(toSingular(noun))}(Endpoints|Routes)$`).test(table)
      return isNamed ? [] : [`${path}: ${table}`]
    })
}
