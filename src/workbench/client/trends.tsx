// Runs of the same questions on the same target are a series. Its trend is how much was grounded in each.
import type { ListedRun } from '../../domain/listed-run.ts'
import { percent, plural, points as pointsText } from '../../domain/format.ts'
import { showActing } from '../../domain/text.ts'
import { Untrusted } from '../../page/text.tsx'
import { toneOf } from './run-parts.tsx'

export type Series = ReturnType<typeof seriesOf>[number]

export function seriesOf(runs: readonly ListedRun[]) {
  const groups = Map.groupBy(
    runs.filter(({ kind, fault }) => kind === 'run' && fault === null),
    ({ series }) => series,
  )
  const times = new Map<string, number>()
  return [...groups].map(([key, members]) => {
    const [{ sets, target } = { sets: [], target: '' }] = members
    const label = showActing(`${sets.map((set) => set.replace(/^.*[\\/]/s, '')).join(', ')} · ${target}`)
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

/** The way back to all runs is the same button: it stays where the others are. */
export function Trends({ series, chosen, choose }: TrendsProps) {
  const trends = series
    .map(({ key, label, runs }) => {
      const whole = runs.filter(({ state }) => state === 'complete' || state === 'decided')
      const rates = whole.flatMap(({ grounded }) => grounded?.rate ?? []).slice(0, MAX_POINTS)
      return { key, label, rates, count: runs.length }
    })
    .filter(({ rates }) => rates.length > 1)
  const shown = trends.filter(({ key }, index) => index < MAX_TRENDS || key === chosen)
  if (shown.length === 0) return null
  return (
    <section class="box" aria-label="Trends">
      <ul class="trends">
        {shown.map(({ key, label, count, rates: [latest = 0, before = 0, ...older] }) => (
          <li>
            <button
              type="button"
              class="trend"
              aria-pressed={key === chosen}
              onClick={() => choose(key === chosen ? '' : key)}
            >
              <b class="one-line">
                <Untrusted text={label} max={80} />
              </b>
              <small class="one-line">
                {percent(latest)} <span class={toneOf(latest - before)}>{pointsText(latest - before)}</span>
                {` · ${plural(count, 'run')}`}
              </small>
              <Sparkline rates={[latest, before, ...older].toReversed()} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `rates` are at least two, the oldest first. */
function Sparkline({ rates }: { readonly rates: readonly number[] }) {
  const [min, max] = [Math.min(...rates), Math.max(...rates)]
  // A change of two points must not look like a fall.
  const span = Math.max(0.2, max - min)
  const low = Math.min(min, 1 - span)
  const points = rates.map((rate, index) => {
    const [x, y] = [(index / (rates.length - 1)) * 104 + 4, 28 - ((rate - low) / span) * 24]
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return (
    <svg
      class="spark"
      viewBox="0 0 112 32"
      role="img"
      aria-label={`Grounded in the last ${rates.length} runs: from ${percent(min)} to ${percent(max)}`}
    >
      <path class="floor" d="M4 31H108" />
      <path d={`M${points.join('L')}`} />
      <path class="dot" d={`M${points.at(-1)}h0`} />
    </svg>
  )
}
