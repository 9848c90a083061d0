// Why a run cannot go on while its question set is not as it was: what is read from the set, and what to do.
import type { Manifest } from '../../domain/manifest.ts'
import { visible } from '../../report/visible.ts'
import { shellWord } from '../shell-word.ts'
import type { RecordedRun } from './runs.ts'
import type { FilesNow } from './set-now.ts'

export const describeChanged = (changed: readonly string[]): string =>
  `${visible(changed.join(', '))} ${changed.length === 1 ? 'has' : 'have'} changed since the run was started`

/** Of a run whose journal does not hold all of its questions. */
export function describeNeeded(
  { folder: { path }, manifest: { merged } }: RecordedRun,
  files: Exclude<FilesNow, { kind: 'same' }>,
): string {
  const missing = files.kind === 'missing' ? files.missing : []
  const found = [
    ...(missing.length === 0
      ? []
      : [`${visible(missing.join(', '))} ${missing.length === 1 ? 'is' : 'are'} not there any more`]),
    ...(files.changed.length === 0 ? [] : [describeChanged(files.changed)]),
  ]
  const isOne = missing.length + files.changed.length === 1
  const [it, asItWas] = isOne ? ['it', 'the set as it was'] : ['them', 'the sets as they were']
  const absent = merged === undefined ? undefined : describeAbsent(merged)
  const why =
    absent === undefined
      ? `the journal of ${path} does not hold all of its questions, and the others are read from ${asItWas}`
      : `${path} was joined without ${absent}, whose questions are read from ${asItWas}`
  return (
    `${found.join(', and ') || 'the sets named are not those of the run'}; ${why}: put ${it} back, or name ${it} behind ` +
    `--resume ${shellWord(path)}${merged === undefined ? ', or start a new run' : ''}; nothing was sent`
  )
}

/** Undefined where all parts were there. */
function describeAbsent({ of, parts }: NonNullable<Manifest['merged']>): string | undefined {
  const present = new Set(parts.map(({ index }) => index))
  const absent = Array.from({ length: of }, (_, place) => place + 1).filter((one) => !present.has(one))
  if (absent.length === 0) return undefined
  return `${absent.length === 1 ? 'part' : 'parts'} ${absent.join(', ')} of ${of}`
}
