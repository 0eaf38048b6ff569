/** What a link to a licence says of where it was followed, for the way back. */
export interface CameFrom {
  /** The query part of the list's address. */
  list: string
}
