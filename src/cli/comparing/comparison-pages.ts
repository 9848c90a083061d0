// `report.html` of a comparison: its rows are packed as they are written, as its first screen is known only after them.
import type { ComparisonRow } from '../../domain/comparison/change.ts'
import type { Comparison } from '../../domain/comparison/comparison.ts'
import { createTurnPacker, type TurnPacker } from '../../report/page/blocks.ts'
import { comparisonTurn } from '../../report/page/comparison-turn.ts'
import type { SafeHtml } from '../../report/page/html.ts'
import { comparisonTable } from '../../report/comparison-table-name.ts'
import { aboutPage, renderPage } from '../../report/page/page.ts'
import { writeInTurns } from '../files.ts'
import { pageAssets } from '../page-assets.ts'
import { openSpool, type Spool } from '../spool.ts'

export interface ComparisonPages {
  /** Of the next candidate. Takes its rows. */
  readonly open: (path: string) => (row: ComparisonRow) => void
  /** Writes all; returns their paths. `overviewOf`: of a candidate's place among the candidates, from 0. */
  readonly write: (
    comparison: Comparison,
    overviewOf: (place: number) => SafeHtml,
  ) => Promise<readonly string[]>
  /** Takes away what was kept on the disk, whether the pages were written or not. */
  readonly close: () => void
}

export function createComparisonPages(): ComparisonPages {
  const opened: { readonly path: string; readonly packer: TurnPacker; readonly spool: Spool }[] = []
  return {
    open: (path) => {
      const spool = openSpool(path)
      const packer = createTurnPacker(spool.add)
      opened.push({ path, packer, spool })
      return (row) => packer.add(comparisonTurn(row))
    },
    write: async ({ runs }, overviewOf) => {
      const paths: string[] = []
      for (const [place, { path, packer, spool }] of opened.entries()) {
        const compared = [runs[0], runs[place + 1]]
        const [baseline = '', candidate = ''] = compared.map((run) => run?.label)
        const about = {
          kind: 'comparison',
          names: { baseline, candidate },
          runs: compared.map((run) => run?.id ?? ''),
        } as const
        packer.finish(aboutPage(about))
        const page = renderPage({
          title: `${candidate} compared with ${baseline}`,
          overview: overviewOf(place),
          turns: { kind: 'packed', pieces: spool.pieces() },
          ...about,
          table: comparisonTable(runs, place + 1),
          assets: pageAssets(),
        })
        await writeInTurns(path, page)
        paths.push(path)
      }
      return paths
    },
    close: () => {
      for (const { spool } of opened.splice(0)) spool.remove()
    },
  }
}
