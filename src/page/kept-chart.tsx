// Charts in the browser: those of a report stay as they were written, without the library that draws them.
import { type ComponentType, createContext } from 'preact'
import type { Chart } from '../report/document.ts'

export interface ChartProps {
  readonly chart: Chart
  readonly title: string
}

/** Hydration leaves what stands in an element with a text of HTML; it is never set. */
const KeptChart: ComponentType<ChartProps> = () => <div dangerouslySetInnerHTML={KEPT} />

const KEPT = { __html: '' }

export const ChartContext = createContext(KeptChart)
