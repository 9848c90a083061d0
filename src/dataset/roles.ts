// The `role` column of a chat log: whose rows are questions, and which are left out.
import { digits } from '../domain/format.ts'
import { columnKey } from './columns.ts'
import { excerptList, type FileMessages } from './messages.ts'

const PEOPLE = 'user,end user,customer,contact,lead,human,visitor,requester,me,inbound,Kunde'.split(',')
const ASSISTANT = 'assistant,bot,agent,admin,staff,ai,system,outbound,Mitarbeiter'.split(',')

const PEOPLE_KEYS = new Set(PEOPLE.map(columnKey))
const ASSISTANT_KEYS = new Set(ASSISTANT.map(columnKey))

/** Tells who speaks in a row; undefined for a value that is neither. */
export function speakerOf(role: string): 'person' | 'assistant' | undefined {
  const key = columnKey(role)
  if (PEOPLE_KEYS.has(key)) return 'person'
  return ASSISTANT_KEYS.has(key) ? 'assistant' : undefined
}

/** The cells of a column are roles if the assistant's and a person's are among them. */
export function areRoles(cells: readonly string[]): boolean {
  const speakers = new Set(cells.map(speakerOf))
  return !speakers.has(undefined) && speakers.size === 2
}

/** The `header` is as written in the file. */
export function createRoleReader(header: string, { fail, warn }: FileMessages) {
  const unknown = new Map<string, number>()
  let leftOut = 0
  return {
    /** A row with an unknown role is no question, and the file is faulty. */
    isQuestion: (role: string, line: number): boolean => {
      const speaker = speakerOf(role)
      if (speaker === 'assistant') leftOut += 1
      else if (speaker === undefined && !unknown.has(role)) unknown.set(role, line)
      return speaker === 'person'
    },
    hasLeftOut: (): boolean => leftOut > 0,
    report: (): void => {
      if (leftOut > 0) warn({ message: `rows of the assistant that were left out: ${digits(leftOut)}` })
      const [line] = unknown.values()
      if (line === undefined) return
      const people = `a person's row has ${PEOPLE.join(', ')}`
      const message =
        `the column "${header}" says who speaks, and ${excerptList([...unknown.keys()])} ` +
        `is nobody known; ${people}, the assistant's ${ASSISTANT.join(', ')}; correct the cells, or ` +
        'rename the column'
      fail({ line, message })
    },
  }
}
