// Whether folders hold parts of one run: what must be the same in all of them, and what a reader should know of the rest.
import type { Manifest } from '../../domain/manifest.ts'
import { originOfUnnamed } from '../../domain/organization.ts'
import { describePart, describeWholeSize, type Shard } from '../../domain/shard.ts'
import { digits } from '../../domain/digits.ts'
import { visible } from '../../report/visible.ts'
import type { RunSettings } from '../../library/read-options.ts'
import { UsageError } from '../../library/usage-error.ts'
import type { Part } from './parts.ts'

interface Facet {
  readonly name: string
  readonly of: (manifest: Manifest) => unknown
  /** What is said with `merge` holds for all of them. */
  readonly said?: keyof RunSettings
}

const FACETS: readonly Facet[] = [
  { name: 'the number of parts (--shard)', of: ({ shard }) => shard?.of },
  { name: 'the columns of the sets', of: ({ columns }) => visible(columns.join(', ')) },
  { name: '--format', of: ({ options }) => options.format },
  { name: '--tag', of: ({ options }) => options.selection.tags },
  { name: '--grep', of: ({ options }) => options.selection.grep },
  { name: '--sample', of: ({ options }) => options.selection.sample },
  { name: '--seed', of: ({ options: { selection } }) => selection.sample !== null && selection.seed },
  { name: '--repeat', of: ({ options }) => options.repeat },
  { name: '--rotating-ids', of: ({ options }) => options.rotatingIds },
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
  { name: '--threshold', of: ({ options }) => options.gates.thresholds, said: 'threshold' },
  { name: '--pass-policy', of: ({ options }) => options.gates.passPolicy, said: 'passPolicy' },
  { name: '--quota', of: ({ options }) => options.quota, said: 'quota' },
  { name: '--baseline', of: ({ options }) => options.comparison, said: 'baseline' },
]

/** Without a name of its own an organization is called by its origin and a key: another key may be of the same one. */
function organizationOf(target: Manifest['target']): string {
  if (target.sandbox) return 'that of the sandbox'
  const origin = originOfUnnamed(target)
  return origin === undefined ? target.organization : `not named, of ${origin}`
}

/** Throws UsageError with every difference between a part and the first. */
export function refuseOtherRuns([first, ...others]: readonly [Part, ...Part[]], said: RunSettings): void {
  for (const other of others) {
    const settings = FACETS.filter((facet) => facet.said === undefined || said[facet.said] === undefined)
      .filter((facet) => say(facet.of(first.manifest)) !== say(facet.of(other.manifest)))
      .map(({ name, of, said: option }) => {
        const mend = option === undefined ? '' : ' (say it with merge, and it holds for all)'
        return `  ${name}: ${say(of(first.manifest))}, and ${say(of(other.manifest))}${mend}`
      })
    const differences = [...describeSets(first, other), ...settings]
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

/** One line where the parts were asked with other sets, and one where what was chosen of them is known to be another. */
function describeSets(one: Part, other: Part): string[] {
  const [whole, otherWhole] = [one.shard.whole, other.shard.whole]
  return [
    ...(isSameSet(one, other)
      ? []
      : [`  the question sets: ${sayFiles(one.manifest)}, and ${sayFiles(other.manifest)}`]),
    ...(whole === null || otherWhole === null || isSameChoice(whole, otherWhole)
      ? []
      : [`  the questions chosen: ${describeWholeSize(whole)}, and ${sayOthers(otherWhole, whole)}`]),
  ]
}

/** The same bytes, or the same questions in other bytes: line ends, a byte order mark, quotes, other separators. */
function isSameSet(one: Part, other: Part): boolean {
  if (bytesOf(one.manifest) === bytesOf(other.manifest)) return true
  const content = one.shard.whole?.content
  return content !== undefined && content === other.shard.whole?.content
}

const bytesOf = ({ datasets }: Manifest): string => datasets.map(({ digest }) => digest).join(' ')

const sayFiles = ({ datasets }: Manifest): string =>
  datasets.map(({ path, digest }) => `${visible(path)} (${digest.slice(0, 15)})`).join(' and ')

type Whole = NonNullable<Shard['whole']>

const isAsLarge = (one: Whole, other: Whole): boolean =>
  one.questions === other.questions && one.threads === other.threads

const isSameChoice = (one: Whole, other: Whole): boolean =>
  isAsLarge(one, other) && one.digest === other.digest && one.turns.join() === other.turns.join()

const sayOthers = (whole: Whole, than: Whole): string =>
  isAsLarge(whole, than)
    ? 'as many, but not the same'
    : `${digits(whole.questions)} in ${digits(whole.threads)}`

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
  const sets = distinct(({ manifest }) => bytesOf(manifest))
  const inTime = parts.toSorted((a, b) => startOf(a) - startOf(b))
  const [earliest, latest] = [inTime[0], inTime.at(-1)]
  const isFar = earliest !== undefined && latest !== undefined && startOf(latest) - startOf(earliest) > DAY_MS
  return [
    ...(keys.length > 1 && !parts[0].manifest.target.sandbox
      ? [`the parts were asked with different keys (${keys.join(', ')}): they must be of one organization`]
      : []),
    ...(sets.length > 1 ? [describeBytes(parts)] : []),
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

/** Which parts read which bytes; the joined run records those of the first. */
function describeBytes(parts: readonly [Part, ...Part[]]): string {
  const byFiles = new Map<string, string[]>()
  for (const { manifest, shard } of parts) {
    const files = sayFiles(manifest)
    byFiles.set(files, [...(byFiles.get(files) ?? []), String(shard.index)])
  }
  const [first, ...others] = [...byFiles].map(
    ([files, indices]) => `${files} in ${indices.length === 1 ? 'part' : 'parts'} ${indices.join(', ')}`,
  )
  return (
    `the parts were asked with files that differ in their bytes, and in no question: ${first ?? ''} (recorded here), ` +
    others.join(', ')
  )
}

const startOf = ({ manifest }: Part): number => Date.parse(manifest.startedAt)
