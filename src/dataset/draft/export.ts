// Reads exports of tickets and chats: finds their columns by the headers that such tools use.
import { columnKey, createRenamer, findHeaders, type Renamer } from '../columns.ts'
import { collectMessages, excerptList, type Fault, type FileMessages } from '../messages.ts'
import { findRole, speakerOf } from '../roles.ts'
import type { TableRow } from '../source.ts'
import { openTable, type Table } from '../table.ts'

export interface Ticket {
  readonly id: string
  readonly turns: readonly Turn[]
  readonly tags: readonly string[]
}

export interface Turn {
  readonly subject: string
  readonly text: string
}

/** Headers stand in order of preference. Other columns are not read. */
const HEADERS = {
  subject: 'subject,title,summary,short description,betreff,titel,kurzbeschreibung,objet,sujet',
  message:
    'message,question,body,text,description,ticket description,first message,initial message,' +
    'details,content,comment,comments,query,utterance,user input,nachricht,beschreibung,anfrage,' +
    'corps',
  thread: 'thread,conversation id,conversation,chat id,session id,session',
  id:
    'id,ticket id,ticket,ticket number,ticket no,ticket nr,number,key,issue key,case number,' +
    'case id,request id,incident,ticketnummer,nummer',
  role: 'role,author type,sender type,user type,sender,speaker,author,from',
  category: 'category,kategorie,catégorie,topic,intent,type,group',
  tags: 'tags,tag,labels,label',
}
type Column = keyof typeof HEADERS
const COLUMNS = Object.fromEntries(
  Object.entries(HEADERS).map(([column, headers]) => [column, headers.split(',')]),
) as Record<Column, string[]>

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
  const table = await openTable(path, messages, {
    renamer,
    isHeader: (names) => holdsTexts(findHeaders(names, COLUMNS)),
  })
  const columns: ColumnIndexes = table === undefined ? new Map() : findColumns(table, messages)
  const keys = table?.header.names.map(columnKey) ?? []
  /** Jira writes a column for each label. */
  const tagColumns = keys.flatMap((key, index) => (key === keys[columns.get('tags') ?? -1] ? index : []))
  let agentRows = 0
  const take = ({ cells, line }: TableRow): void => {
    const cell = (name: Column): string => cells[columns.get(name) ?? -1]?.trim() ?? ''
    const speaker = columns.has('role') ? speakerOf(cell('role')) : 'person'
    // The cell may name a person, so the fault does not repeat it.
    if (speaker === undefined)
      return messages.fail({
        line,
        message:
          'the role is neither a person nor the assistant; write user or agent, ' +
          'or rename the column of roles',
      })
    if (speaker === 'assistant') {
      agentRows += 1
      return
    }
    const [id, name] = [cell('id'), cell('thread') || cell('id')]
    const key = name === '' ? `line ${line}` : `named ${name}`
    const turn = { subject: cell('subject'), text: cell('message') }
    const known = tickets.get(key)
    if (known !== undefined) known.turns.push(turn)
    else {
      const tags = new Set(
        [cell('category'), ...tagColumns.map((index) => cells[index] ?? '')]
          .flatMap((written) => written.split(/[;,|]/))
          .flatMap((tag) => tag.trim() || []),
      )
      tickets.set(key, { id: id || name, turns: [turn], tags: [...tags] })
    }
  }
  if (table !== undefined && holdsTexts(columns)) for await (const row of table.rows) take(row)
  if (table !== undefined && tickets.size === 0 && messages.faults().length === 0)
    messages.fail({ message: 'the export has a header, but no row of a person; export the tickets again' })
  const headers = (['subject', 'message'] as const).flatMap(
    (column) => table?.header.cells[columns.get(column) ?? -1]?.trim() ?? [],
  )
  return { messages, tickets: [...tickets.values()], headers, agentRows }
}

type ColumnIndexes = ReadonlyMap<Column, number>

const holdsTexts = (columns: ColumnIndexes): boolean => columns.has('message') || columns.has('subject')

/** Finds the index of each column. Reports a header without a text, or with two columns of one name. */
function findColumns(
  { header: { line, names: header }, sample }: Table,
  { fail }: FileMessages,
): ColumnIndexes {
  const keys = header.map(columnKey)
  const found = findHeaders(header, COLUMNS)
  for (const [column, index] of found)
    if (column !== 'tags' && keys.lastIndexOf(keys[index] ?? '') !== index)
      fail({ line, message: `the column "${header[index]}" occurs twice; rename or delete one of them` })
  const role = keys.includes('role') ? keys.indexOf('role') : findRole(header, sample)
  if (role !== -1) found.set('role', role)
  else found.delete('role')
  const named = header.filter((cell) => cell.trim() !== '')
  if (!holdsTexts(found))
    fail({
      line,
      message:
        `no column holds the text of a ticket (found: ${excerptList(named)}); ` +
        'name it, as in --column message=Description',
    })
  return found
}
