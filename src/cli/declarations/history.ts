// What `history` takes.
import { readTyped } from '../options/command-line.ts'
import { historyOptions, type HistorySettings } from '../options/history-options.ts'
import type { Declaration } from './declaration.ts'

const own = Object.entries(historyOptions)

export const historyDeclaration: Declaration = {
  options: own,
  examples: [
    ['history reports', 'Is it getting better?'],
    [
      'history reports --since 2026-10-01 --target production --out public',
      'A quarter of one target, for a web server',
    ],
  ],
  act: async (typed) => {
    const { history } = await import('../commands/history.ts')
    const settings: HistorySettings = readTyped(typed, own)
    return history(String(typed['folder']), settings)
  },
}
