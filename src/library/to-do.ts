// What is to do in the articles after a run: read from its page, its summary, and what people decided.
import * as z from 'zod'
import { decisionsOn } from '../analysis/articles/decisions.ts'
import type { PageTurn } from '../domain/conversations.ts'
import { articlesSchema } from '../domain/summary.ts'
import { listToDo, type ToDo } from '../domain/to-do.ts'
import { answerKey } from '../page/acts.ts'
import { unpack } from '../page/store.ts'
import { readKnown } from '../store/files.ts'
import { runFolder } from '../store/folder.ts'
import { expectedNow } from './add-to-set.ts'
import { decisionsOf } from './decisions.ts'
import { type Ports, realPorts } from './ports.ts'
import { recordedReport, type RunSets, setsOfRun } from './report.ts'
import { reviewsIn } from './reviews.ts'

const summarySchema = z.object({ articles: articlesSchema.pick({ contradictions: true }).nullish() })

export async function toDo(
  run: string,
  { paths, column }: RunSets = setsOfRun(run),
  ports: Ports = realPorts(),
): Promise<readonly ToDo[]> {
  const { page } = await recordedReport({ folder: run, mayWrite: false }, ports)
  if (page === null) return []
  const turns = (await Promise.all(page.turns.map(async (block) => unpack<PageTurn[]>(block)))).flat()
  const { known: summary } = readKnown(runFolder(run).summary, summarySchema)
  // A decision for an article is no matter here, whether that exists or not.
  const none = decisionsOn(await decisionsOf(run), new Set())
  const rated = new Map(
    (await reviewsIn(run)).map(({ questionId, answer, review }) => [answerKey(questionId, answer), review]),
  )
  const expected = new Map(Object.entries(await expectedNow(paths, column)))
  return listToDo(turns, summary?.articles?.contradictions ?? [], {
    hasNoArticle: (turn) => none.of(turn)?.article === null,
    isGood: ({ id, answer }) => rated.get(answerKey(id, answer)) === 'good',
    expectedOf: ({ id }) => expected.get(id) ?? [],
  })
}
