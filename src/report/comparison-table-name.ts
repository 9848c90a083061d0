// How the CSV file and the page of a candidate are called: with several candidates each has its own.

/** `run`: the candidate's place in `runs`, from 1. */
export function comparisonTable(runs: readonly { readonly label: string }[], run: number): string {
  if (runs.length === 2) return 'comparison.csv'
  const label = runs[run]?.label.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(-60) ?? ''
  return `comparison-${run}-${label}.csv`
}

/** `report.html`, `report-2-nightly.html`. */
export const comparisonPage = (runs: readonly { readonly label: string }[], run: number): string =>
  comparisonTable(runs, run)
    .replace(/^comparison/, 'report')
    .replace(/csv$/, 'html')
