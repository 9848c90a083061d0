// `report` of a search for the limit: it is inferred again, from the folder alone.
import type { SearchManifest } from '../../analysis/limit/gather-search.ts'
import type { RunSettings } from '../../library/read-options.ts'
import type { RunFolder } from '../run-folder.ts'
import { journalFault } from '../journal-fault.ts'
import { UsageError } from '../../library/usage-error.ts'
import { concludeSearch } from './conclude-search.ts'

/** Returns the exit code of the verdict. Throws UsageError where the folder has no journal, or for what grades answers. */
export async function reportLimit(
  folder: RunFolder,
  manifest: SearchManifest,
  { json = false, ...others }: RunSettings,
): Promise<number> {
  const [odd] = Object.keys(others).filter((name) => others[name as keyof typeof others] !== undefined)
  if (odd !== undefined)
    throw new UsageError(
      `${folder.path} holds a search for the organization's limit: its answers are neither graded nor compared; give report nothing but the folder, and --json`,
    )
  const fault = await journalFault(folder.journal)
  if (fault !== undefined)
    throw new UsageError(`${folder.journal} ${fault}: put it back, or seek the limit anew`)
  return concludeSearch({ folder, manifest }, json)
}
