// What may be wrong or odd with promptfoo's header.
import { findColumn, type ColumnName } from '../columns.ts'
import { excerpt, excerptList } from '../excerpt.ts'
import { findTwins } from '../layout.ts'
import type { HeaderFault } from '../remarks.ts'
import type { Reason } from './importer.ts'
import { isTypo, type PromptfooHeader } from './promptfoo-header.ts'

export function findQuestionFaults({ question, plain }: PromptfooHeader, title: string): HeaderFault[] {
  if (question !== -1) return []
  const variables = plain.length === 0 ? 'none' : excerptList(plain.map(({ header }) => header))
  const message = `no column of ${title} holds the questions (variables: ${variables}); name it "message", or question, prompt or query`
  return [{ column: 'message', message }]
}

/** Names that would stand twice among the imported columns. */
export function findClashes(
  { carried, plain, question }: PromptfooHeader,
  made: readonly ColumnName[],
  title: string,
): HeaderFault[] {
  if (question === -1) return []
  const isFilled = (name: string): boolean => {
    const found = findColumn(name)
    return (
      found?.isOwn === true && found.name !== 'message' && found.name !== 'tags' && made.includes(found.name)
    )
  }
  const clashing = plain.filter(({ header }) => isFilled(header) && !isTypo(header))
  const asked = plain.filter(({ index }) => index === question)
  return [
    ...clashing.map(({ header }) => ({
      column: header,
      message: `the column ${excerpt(header)} stands beside those that ${title} fills it from; rename or delete it`,
    })),
    ...findTwins({
      own: new Map(),
      ordinary: [...asked, ...carried.map(({ as, index }) => ({ header: as.header, index }))],
    }),
  ]
}

/** What is told of columns that are almost promptfoo's own. */
export const findTypos = ({ plain }: PromptfooHeader): Reason[] =>
  plain
    .filter(({ header }) => isTypo(header))
    .map(({ header }) => ({
      what: `column ${excerpt(header)}`,
      why: `with one underscore it is a variable, as in promptfoo, and nothing is expected by it; did you mean ${excerpt(`_${header}`)}?`,
    }))
