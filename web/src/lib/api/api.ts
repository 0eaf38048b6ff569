import { createContext, useContext } from 'react'
import type { Api } from './fetch.ts'

const Context = createContext<Api | null>(null)

export const ApiProvider = Context

/** For calls that are neither queries nor mutations, such as downloads. */
export function useApi(): Api {
  const api = useContext(Context)
  if (!api) throw new Error('useApi was used outside its provider: wrap the component in an ApiProvider')
  return api
}
