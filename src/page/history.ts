// The history page's own code: under the pointer and with arrow keys, each chart says which run stands there and what it came to.
import { readRuns, type RunRow } from './history-rows.ts'

const SVG = 'http://www.w3.org/2000/svg'

for (const figure of document.querySelectorAll<HTMLElement>('.over-runs')) watch(figure)

function watch(figure: HTMLElement): void {
  const plot = figure.querySelector<HTMLElement>('.plot')
  const svg = plot?.querySelector('svg')
  const readout = figure.querySelector<HTMLElement>('.readout')
  const runs = readRuns(figure)
  if (plot === null || !svg || readout === null || runs.length === 0) return
  const cursor = svg.appendChild(document.createElementNS(SVG, 'line'))
  cursor.setAttribute('class', 'cursor')
  cursor.setAttribute('y1', '22')
  cursor.setAttribute('y2', '166')
  cursor.setAttribute('visibility', 'hidden')
  let at = runs.length - 1
  const show = (place: number): void => {
    at = Math.min(runs.length - 1, Math.max(0, place))
    const run = runs[at]
    if (run === undefined) return
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, `${run.across * 100}%`)
    cursor.setAttribute('visibility', 'visible')
    readout.replaceChildren(...sayRun(run))
    readout.hidden = false
    plot.setAttribute('aria-valuenow', String(at + 1))
    plot.setAttribute('aria-valuetext', run.words)
  }
  const label = svg.querySelector('title')
  const description = svg.querySelector('desc')
  plot.tabIndex = 0
  plot.setAttribute('role', 'slider')
  plot.setAttribute('aria-valuemin', '1')
  plot.setAttribute('aria-valuemax', String(runs.length))
  plot.setAttribute('aria-valuenow', String(runs.length))
  plot.setAttribute('aria-valuetext', runs.at(-1)?.words ?? '')
  if (label !== null) plot.setAttribute('aria-labelledby', label.id)
  if (description !== null) plot.setAttribute('aria-describedby', description.id)
  // What is read out in our way need not show the browser's own tip as well.
  svg.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = svg.getBoundingClientRect()
    show(nearest(runs, (clientX - left) / width))
  })
  plot.addEventListener('focus', () => show(at))
  plot.addEventListener('keydown', (event) => {
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: runs.length - 1,
    }[event.key]
    if (event.key === 'Enter') readout.querySelector('a')?.click()
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    show(to)
  })
}

function sayRun({ name, href, figures }: RunRow): (Node | string)[] {
  if (href === undefined) return [`${name}: ${figures}`]
  const link = document.createElement('a')
  link.setAttribute('href', href)
  link.textContent = name
  return [link, `: ${figures}`]
}

function nearest(runs: readonly RunRow[], across: number): number {
  let best = 0
  for (const [place, run] of runs.entries())
    if (Math.abs(run.across - across) < Math.abs((runs[best]?.across ?? 0) - across)) best = place
  return best
}
