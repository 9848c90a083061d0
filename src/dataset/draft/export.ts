// Reads exports of tickets and chats: finds their columns by the headers that such tools use.
import { createRenamer, findForeign, findHeaders, QUESTION_HEADERS, type Renamer } from '../columns.ts'
import { collectMessages, excerptList, type Fault } from '../messages.ts'
import { createRoleReader, findRole } from '../roles.ts'
import { openTable, recordsOf } from '../table.ts'

export interface Ticket {
  readonly id: string
  readonly turns: readonly Turn[]
  readonly tags: readonly string[]
}

export interface Turn {
  readonly subject: string
  readonly text: string
}

const list = (headers: string): string[] => headers.split(',')
/** Headers stand in order of preference. Other columns are not read. */
const COLUMNS = {
  subject: list('subject,title,summary,short description,betreff,titel,kurzbeschreibung,objet,sujet,asunto'),
  message: [
    ...QUESTION_HEADERS,
    ...list('body,description,ticket description,first message,initial message,details,content,comment'),
    ...list('comments,nachricht,beschreibung,anfrage,corps,descripción,mensaje'),
  ],
  thread: list('thread,conversation id,conversation,chat id,session id,session'),
  id: [
    ...list('id,ticket id,ticket,ticket number,ticket no,ticket nr,number,key,issue key,case number'),
    ...list('case id,request id,incident,ticketnummer,nummer'),
  ],
  role: ['role'],
  category: list('category,kategorie,catégorie,categoría,topic,intent,type,group'),
  tags: list('tags,tag,labels,label'),
}

function columnsOf(names: readonly string[]) {
  const columns = findHeaders(names, COLUMNS)
  for (const column of ['message', 'thread'] as const) {
    const index = names.findIndex((name) => findForeign(name) === column)
    if (index !== -1 && !columns.has(column)) columns.set(column, index)
  }
  return columns
}

export interface ReadExports {
  readonly tickets: readonly Ticket[]
  /** These headers of the texts were read. */
  readonly headers: readonly string[]
  /** So many rows of agents and bots were left out. */
  readonly agentRows: number
  readonly warnings: readonly string[]
}

/** Reads all files, even if one is faulty. `column` has values of `--column`: `message=Description`. */
export async function readExports(
  paths: readonly string[],
  column: readonly string[] = [],
): Promise<ReadExports | { readonly faults: readonly Fault[] }> {
  const renamer = createRenamer(column)
  const all = []
  for (const path of paths) all.push(await readExport(path, renamer))
  const [first] = all
  for (const value of renamer.missing())
    first?.messages.fail({ message: `no column is called so: --column ${value}; name one of the header` })
  const faults = all.flatMap(({ messages }) => messages.faults())
  if (faults.length > 0) return { faults }
  return {
    tickets: all.flatMap(({ tickets }) => tickets),
    headers: [...new Set(all.flatMap(({ headers }) => headers))],
    agentRows: all.reduce((sum, { agentRows }) => sum + agentRows, 0),
    warnings: all.flatMap(({ messages }) => messages.warnings()),
  }
}

async function readExport(path: string, renamer: Renamer) {
  const messages = collectMessages(path)
  const tickets = new Map<string, Ticket & { readonly turns: Turn[] }>()
  const isHeader = (names: readonly string[]): boolean => {
    const columns = columnsOf(names)
    return columns.has('message') || columns.has('subject')
  }
  const none = { messages, tickets: [], headers: [], agentRows: 0 }
  const table = await openTable(path, messages, { renamer, isHeader })
  if (table === undefined) return none
  const { names, cells: written, line: headerLine } = table.header
  if (!isHeader(names)) {
    const found = excerptList(names.filter((name) => name.trim() !== ''))
    const mend = 'name it, as in --column message=Description'
    messages.fail({
      line: headerLine,
      message: `no column holds the text of a ticket (found: ${found}); ${mend}`,
    })
    return none
  }
  const columns = columnsOf(names)
  const role = findRole(names, table.sample)
  if (role === -1) columns.delete('role')
  else columns.set('role', role)
  const roles = createRoleReader(written[role] ?? '', messages)
  for await (const { line, cell } of recordsOf(table, columns)) {
    if (role !== -1 && !roles.isQuestion(cell('role'), line)) continue
    const [id, name] = [cell('id'), cell('thread') || cell('id')]
    const key = name === '' ? `line ${line}` : `named ${name}`
    const turn = { subject: cell('subject'), text: cell('message') }
    const tags = `${cell('category')};${cell('tags')}`.split(/[;,|\n]/).flatMap((tag) => tag.trim() || [])
    const known = tickets.get(key)
    if (known === undefined) tickets.set(key, { id: id || name, turns: [turn], tags: [...new Set(tags)] })
    else known.turns.push(turn)
  }
  roles.reportUnknown()
  if (tickets.size === 0 && messages.faults().length === 0)
    messages.fail({ message: 'the export has a header, but no row of a person; export the tickets again' })
  const headers = (['subject', 'message'] as const).flatMap((name) => written[columns.get(name) ?? -1] ?? [])
  return { messages, tickets: [...tickets.values()], headers, agentRows: roles.leftOut() }
}
