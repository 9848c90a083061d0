// Runs of the same questions on the same target are a series. Its trend is how much was grounded in each.
import type { ListedRun } from '../../domain/listed-run.ts'
import { percent, plural, points as pointsText } from '../../domain/format.ts'
import { Untrusted } from '../../page/text.tsx'
import { api } from './api.ts'
import { useData } from './hooks.ts'
import { fileName, toneOf } from './run-parts.tsx'

const MAX_TRENDS = 4
const MAX_POINTS = 30

interface Props {
  readonly runs: readonly ListedRun[]
  /** Searches for the runs of a series. */
  readonly search: (words: string) => void
}

export function Trends({ runs, search }: Props) {
  const { data: gates = [] } = useData(async () => (await api.gates.$get()).json(), [])
  const series = Map.groupBy(
    runs.filter(({ kind, fault }) => kind === 'run' && fault === null),
    (run) => run.series,
  )
  const trends = [...series.values()].flatMap((members) => {
    const whole = members.filter(({ state }) => state === 'complete' || state === 'decided')
    const rates = whole.flatMap(({ grounded }) => grounded?.rate ?? []).slice(0, MAX_POINTS)
    const [latest, before] = rates
    const [run] = members
    if (run === undefined || latest === undefined || before === undefined) return []
    const names = [...run.sets.map(fileName), run.target]
    const gate = gates.find(({ series: name }) => name === run.series)
    return [{ names, gate, latest, change: latest - before, rates, count: members.length }]
  })
  if (trends.length === 0) return null
  return (
    <section class="box" aria-label="Trends">
      <ul class="figures">
        {trends.slice(0, MAX_TRENDS).map(({ names, gate, latest, change, rates, count }) => (
          <li class="figure">
            <button type="button" class="one-line" onClick={() => search(names.join(' '))}>
              <Untrusted text={names.join(' · ')} max={80} />
            </button>
            <span class="value">
              {percent(latest)} <small class={toneOf(change)}>{pointsText(change)}</small>
              <small>{plural(count, 'run')}</small>
            </span>
            <Sparkline rates={rates.toReversed()} />
            {gate === undefined ? null : <small>Where nothing was edited, the gate {gate.says}.</small>}
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
      <path d={`M${points.join('L')}`} />
    </svg>
  )
}
