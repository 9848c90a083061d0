// What is to do in the articles after a recorded run: read from its page, its summary, and what people decided.
import * as z from 'zod'
import { decisionsOn } from '../analysis/articles/decisions.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { articlesSchema } from '../domain/summary.ts'
import { listToDo, type ToDo } from '../domain/to-do.ts'
import { sameKey } from '../page/reviews.ts'
import { unpack } from '../page/store.ts'
import { runFolder } from '../store/folder.ts'
import { decisionsOf } from './decisions.ts'
import { type Ports, realPorts } from './ports.ts'
import { readSummary } from './read-summary.ts'
import { recordedReport } from './report.ts'
import { reviewsIn } from './reviews.ts'

const summarySchema = z.object({ articles: articlesSchema.pick({ contradictions: true }).nullish() })

/** Empty without a report of this version; nothing is written. */
export async function toDo(run: string, ports: Ports = realPorts()): Promise<readonly ToDo[]> {
  const { page } = await recordedReport({ folder: run, mayWrite: false }, ports)
  if (page === null) return []
  const turns = (await Promise.all(page.turns.map(async (block) => unpack<PageTurn[]>(block)))).flat()
  const { summary } = readSummary(runFolder(run), summarySchema)
  // A decision for an article is no matter here, whether that exists or not.
  const none = decisionsOn(await decisionsOf(run), new Set())
  const rated = new Map(
    (await reviewsIn(run)).map(({ questionId, answer, review }) => [sameKey(questionId, answer), review]),
  )
  return listToDo(turns, summary?.articles?.contradictions ?? [], {
    hasNoArticle: (turn) => none.of(turn)?.article === null,
    isGood: ({ id, answer }) => rated.get(sameKey(id, answer ?? '')) === 'good',
  })
}
