// Whether folders hold parts of one run: what must be the same in all of them, and what a reader should know of the rest.
import type { Manifest } from '../../domain/manifest.ts'
import { originOfUnnamed } from '../../domain/organization.ts'
import { describePart } from '../../domain/shard.ts'
import type { RunSettings } from '../options/run-options.ts'
import { UsageError } from '../usage-error.ts'
import type { Part } from './parts.ts'

interface Facet {
  readonly name: string
  readonly of: (manifest: Manifest) => unknown
  /** What is said with `merge` holds for all of them. */
  readonly said?: keyof RunSettings
  readonly mend?: string
}

const FACETS: readonly Facet[] = [
  { name: 'the number of parts (--shard)', of: ({ shard }) => shard?.of },
  {
    name: 'the question sets',
    of: ({ datasets }) => datasets.map(({ path, digest }) => `${path} ${digest.slice(0, 15)}`),
    mend: 'run --resume DIR --accept-changes takes on a set that has changed',
  },
  { name: 'the columns of the sets', of: ({ columns }) => columns },
  { name: '--format', of: ({ options }) => options.format },
  { name: '--no-header', of: ({ options }) => options.noHeader },
  { name: '--tag', of: ({ options }) => options.selection.tags },
  { name: '--grep', of: ({ options }) => options.selection.grep },
  { name: '--sample', of: ({ options }) => options.selection.sample },
  { name: '--seed', of: ({ options: { selection } }) => selection.sample !== null && selection.seed },
  { name: 'the questions chosen', of: ({ shard }) => shard?.whole },
  { name: '--repeat', of: ({ options }) => options.repeat },
  { name: '--rotating-ids', of: ({ options }) => options.rotatingIds },
  { name: '--count-rejected', of: ({ options }) => options.countRejected },
  { name: '--hash-end-user-refs', of: ({ options }) => options.hashEndUserRefs },
  { name: 'the key in ASSIST_HASH_KEY (its fingerprint)', of: ({ options }) => options.hashKey },
  { name: 'the target', of: ({ target }) => target.name },
  // Each part that starts a sandbox has one of its own.
  { name: '--base-url', of: ({ target }) => (target.sandbox ? 'the sandbox' : target.baseUrl) },
  { name: '--organization', of: ({ target }) => organizationOf(target) },
  {
    name: '--grounded-sources',
    of: ({ options }) => options.groundedSources,
    said: 'groundedSources',
  },
  { name: '--success-status', of: ({ options }) => options.successStatus, said: 'successStatus' },
  { name: '--threshold', of: ({ options }) => options.gates.thresholds, said: 'threshold' },
  { name: '--allow-errors', of: ({ options }) => options.gates.allowErrors, said: 'allowErrors' },
  { name: '--pass-policy', of: ({ options }) => options.gates.passPolicy, said: 'passPolicy' },
  { name: '--quota', of: ({ options }) => options.quota, said: 'quota' },
  { name: '--baseline', of: ({ options }) => options.comparison, said: 'baseline' },
]

/** Without a name of its own an organization is called by its origin and a key: another key may be of the same one. */
function organizationOf(target: Manifest['target']): string {
  if (target.sandbox) return ''
  const origin = originOfUnnamed(target)
  return origin === undefined ? target.organization : `not named, of ${origin}`
}

/** Throws UsageError with every difference between a part and the first. */
export function refuseOtherRuns([first, ...others]: readonly [Part, ...Part[]], said: RunSettings): void {
  for (const other of others) {
    const differences = FACETS.filter((facet) => facet.said === undefined || said[facet.said] === undefined)
      .filter((facet) => say(facet.of(first.manifest)) !== say(facet.of(other.manifest)))
      .map(({ name, of, said: option, mend }) => {
        const words = option === undefined ? mend : 'say it with merge, and it holds for all'
        return `  ${name}: ${say(of(first.manifest))}, and ${say(of(other.manifest))}${words === undefined ? '' : ` (${words})`}`
      })
    if (differences.length > 0)
      throw new UsageError(
        [
          `${first.folder.path} and ${other.folder.path} are no parts of one run; they differ in`,
          ...differences,
          'nothing was written',
        ].join('\n'),
      )
  }
}

const MOST_CHARACTERS = 200

function say(value: unknown): string {
  if (value === null || value === undefined) return 'not given'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

const DAY_MS = 24 * 3_600_000

/** What is no reason to refuse, and yet may be why the figures are as they are. */
export function noteOddities(parts: readonly [Part, ...Part[]]): string[] {
  const distinct = (of: (part: Part) => string): string[] => [...new Set(parts.map(of))]
  const keys = distinct(({ manifest }) => manifest.target.keyFingerprint)
  const versions = distinct(({ manifest }) => manifest.harnessVersion)
  const inTime = parts.toSorted((a, b) => startOf(a) - startOf(b))
  const [earliest, latest] = [inTime[0], inTime.at(-1)]
  const isFar = earliest !== undefined && latest !== undefined && startOf(latest) - startOf(earliest) > DAY_MS
  return [
    ...(keys.length > 1 && !parts[0].manifest.target.sandbox
      ? [`the parts were asked with different keys (${keys.join(', ')}): they must be of one organization`]
      : []),
    ...(versions.length > 1
      ? [`the parts were asked by different versions of the harness (${versions.join(', ')})`]
      : []),
    ...(isFar
      ? [
          `the parts were asked more than a day apart: ${describePart(earliest.shard)} was started ${earliest.manifest.startedAt}, ` +
            `${describePart(latest.shard)} ${latest.manifest.startedAt}; what they asked may have changed between`,
        ]
      : []),
  ]
}

const startOf = ({ manifest }: Part): number => Date.parse(manifest.startedAt)
