export type Layout = 'US' | 'German' | 'French'

/** Stands for a dead key. */
const dead = '\u0000'
const letters = (row: string) => [...row].map((letter) => `${letter}${letter.toUpperCase()}`)

/**
 * What each key types alone, with Shift and with AltGr; a blank: nothing. Rows are those of digits, Q, A and Z, each from its left; the key beside
 * the left Shift comes last.
 */
const keyboards: Record<Layout, readonly string[]> = {
  US: [
    ['`~', '1!', '2@', '3#', '4$', '5%', '6^', '7&', '8*', '9(', '0)', '-_', '=+'],
    [...letters('qwertyuiop'), '[{', ']}', '\\|'],
    [...letters('asdfghjkl'), ';:', '\'"'],
    [...letters('zxcvbnm'), ',<', '.>', '/?', '\\|'],
  ].flat(),
  German: [
    [`${dead}°`, '1!', '2"²', '3§³', '4$', '5%', '6&', '7/{', '8([', '9)]', '0=}', 'ß?\\', dead + dead],
    ['qQ@', ...letters('wertzuiop'), 'üÜ', '+*~', "#'"],
    [...letters('asdfghjkl'), 'öÖ', 'äÄ'],
    [...letters('yxcvbnm'), ',;', '.:', '-_', '<>|'],
  ].flat(),
  French: [
    ['² ', '&1', `é2${dead}`, '"3#', "'4{", '(5[', '-6|', `è7${dead}`, '_8\\', 'ç9^', 'à0@', ')°]', '=+}'],
    [...letters('azertyuiop'), dead + dead, '$£', '*µ'],
    [...letters('qsdfghjklm'), 'ù%'],
    [...letters('wxcvbn'), ',?', ';.', ':/', '!§', '<>'],
  ].flat(),
}

/** The keys that a PC of one layout sees when a reader of another types a text, as browsers name them. */
export function typedAt(pc: Layout, reader: Layout, text: string): string[] {
  return [...text].flatMap((character) => {
    if (character === '\n') return ['Enter']
    if (character === '\t') return ['Tab']
    if (character === ' ') return [' ']
    const key = keyboards[reader].findIndex((levels) => levels.includes(character))
    if (key < 0) throw new Error(`A ${reader} keyboard does not have ${character}`)
    const levels = keyboards[pc][key]!
    const typed = levels[keyboards[reader][key]!.indexOf(character)] ?? levels[0]!
    return typed === ' ' ? [] : [typed === dead ? 'Dead' : typed]
  })
}
