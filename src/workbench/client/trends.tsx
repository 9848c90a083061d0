// Runs of the same questions on the same target are a series. Its trend is how much was grounded in each.
import type { ListedRun } from '../../domain/listed-run.ts'
import { percent, points as pointsText } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Untrusted } from '../../page/text.tsx'

export type Series = ReturnType<typeof seriesOf>[number]

export function seriesOf(runs: readonly ListedRun[]) {
  const groups = Map.groupBy(
    runs.filter(({ kind, fault }) => kind === 'run' && fault === null),
    ({ series }) => series,
  )
  const times = new Map<string, number>()
  return [...groups].map(([key, members]) => {
    const [{ sets, target } = { sets: [], target: '' }] = members
    const label = showActing(`${sets.join(', ')} · ${target}`)
    const number = (times.get(label) ?? 0) + 1
    times.set(label, number)
    return { key, label: number === 1 ? label : `${label} (${number})`, runs: members }
  })
}

interface TrendsProps {
  readonly series: readonly Series[]
  /** The key of a series; empty for all. */
  readonly chosen: string
  readonly choose: (key: string) => void
}

const MAX_TRENDS = 4
const MAX_POINTS = 30

export function Trends({ series, chosen, choose }: TrendsProps) {
  const trends = series
    .filter(({ key }) => chosen === '' || key === chosen)
    .map(({ key, label, runs }) => {
      const whole = runs.filter(({ state }) => state === 'complete' || state === 'decided')
      return { key, label, rates: whole.flatMap(({ grounded }) => grounded?.rate ?? []).slice(0, MAX_POINTS) }
    })
    .filter(({ rates }) => rates.length > 1)
    .slice(0, MAX_TRENDS)
  if (trends.length === 0) return null
  return (
    <ul class="tiles trends">
      {trends.map(({ key, label, rates: [latest = 0, before = 0, ...older] }) => (
        <li>
          <button
            type="button"
            class="tile trend"
            aria-pressed={key === chosen}
            onClick={() => choose(key === chosen ? '' : key)}
          >
            <span class="label">
              <Untrusted text={label} max={80} />
            </span>
            <Sparkline rates={[latest, before, ...older].toReversed()} />
            <span>
              <b>{percent(latest)}</b>{' '}
              <span class={`change ${latest > before ? 'good' : latest < before ? 'bad' : 'muted'}`}>
                {pointsText(latest - before)}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** `rates` are at least two, the oldest first. */
function Sparkline({ rates }: { readonly rates: readonly number[] }) {
  const [min, max] = [Math.min(...rates), Math.max(...rates)]
  // A change of two points must not look like a fall.
  const span = Math.max(0.2, max - min)
  const low = Math.min(min, 1 - span)
  const points = rates.map((rate, index) => {
    const [x, y] = [(index / (rates.length - 1)) * 96 + 2, 90 - ((rate - low) / span) * 80]
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      class="sparkline accent"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={`Grounded in the last ${rates.length} runs: from ${percent(min)} to ${percent(max)}`}
    >
      <path class="line" d={`M${points.join('L')}`} />
      <path class="line dot" d={`M${points.at(-1)}h0`} />
    </svg>
  )
}
