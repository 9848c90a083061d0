// The intervals around a line: a band, and where the line is a single point, a bar.
import { html, type SafeHtml } from '../html.ts'
import { pathThrough } from './scales.ts'

interface Bounded {
  readonly place: number
  readonly low: number | null
  readonly high: number | null
}

/** `x` and `y` in the units of the chart. Points without an interval have no part in it. */
export function bandParts(
  segments: readonly (readonly Bounded[])[],
  x: (place: number) => number,
  y: (value: number) => number,
): SafeHtml[] {
  return segments.flatMap((segment) => {
    const bounded = segment.flatMap(({ place, low, high }) =>
      low === null || high === null ? [] : [{ place, low, high }],
    )
    const [only] = bounded
    if (only === undefined) return []
    const upper = bounded.map(({ place, high }) => ({ x: x(place), y: y(high) }))
    const lower = bounded.map(({ place, low }) => ({ x: x(place), y: y(low) })).reverse()
    if (bounded.length === 1)
      return [
        html`<path
          class="bound"
          d="${pathThrough([...upper, ...lower], 'straight')}"
          vector-effect="non-scaling-stroke"
        ></path>`,
      ]
    return [html`<path class="band" d="${pathThrough([...upper, ...lower], 'straight')}Z"></path>`]
  })
}
