// `history`: figures of many runs over time, as a page, a table, and words on the screen.
import { StorageError } from '../../domain/storage-error.ts'
import { renderHistoryScreen } from '../../report/history/screen.ts'
import { hideKey } from '../environment.ts'
import { KEY_VARIABLE } from '../api-key/key-variable.ts'
import { EXIT } from '../exit-codes.ts'
import { writeHistory, type WrittenHistory } from '../history/write-history.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { printForPrograms, say } from '../output.ts'
import { mendUnwritten } from '../unwritten.ts'
import { UsageError } from '../../library/usage-error.ts'

/** `folder`: in which run folders stand. Returns the exit code. Throws UsageError before it writes. */
export async function history(folder: string, settings: RunSettings): Promise<number> {
  hideKey(KEY_VARIABLE)
  const { history: made, page, table, pathOf } = await write(folder, settings)
  say(`\n${renderHistoryScreen(made, { pathOf, now: new Date().toISOString() })}`)
  say(`\nPage:    ${page}\nTable:   ${table}`)
  if (settings.json === true) await printForPrograms(JSON.stringify(made, null, 2))
  return EXIT.ok
}

async function write(folder: string, settings: RunSettings): Promise<WrittenHistory> {
  try {
    return await writeHistory(folder, settings)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new UsageError(
      `the history cannot be written (${error.message}): ${mendUnwritten(error)}, or name another folder with --out`,
    )
  }
}
