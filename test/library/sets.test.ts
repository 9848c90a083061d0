// Protects question sets that people edit in the workbench: what they see is what stands in the file, and
// nothing that they typed is lost.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createIdDeriver } from '../../src/dataset/threads.ts'
import { StorageError } from '../../src/domain/storage-error.ts'
import { renderSpreadsheet } from '../../src/report/spreadsheet.ts'
import { RESULT_COLUMNS } from '../../src/domain/result-columns.ts'
import {
  addToSet,
  readSet,
  saveSet,
  SHIPPED_QUESTIONS,
  undoSet,
  UsageError,
} from '../../src/library/index.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { textRow, workbookOf } from '../support/workbook.ts'
import { readRows } from '../support/rows.ts'

const newPath = temporaryPaths()

/** A folder of its own for each. */
function fileOf(content: string | Uint8Array, name = 'set.csv'): string {
  const folder = newPath()
  mkdirSync(folder)
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
const textOf = (path: string): string => readFileSync(path, 'utf8')
const tableOf = async (path: string): Promise<readonly (readonly string[])[]> => {
  const { table } = await readSet(path)
  return [table.columns, ...table.rows.map(({ cells }) => cells)]
}

/** As `results.csv`: defused, with the columns of a run. */
const resultsOf = (rows: readonly Readonly<Record<string, string>>[]): string =>
  [
    ...renderSpreadsheet({
      columns: RESULT_COLUMNS.map((name) => [name, (row: Readonly<Record<string, string>>) => row[name]]),
      rows,
    }),
  ].join('')

describe('readSet', () => {
  test.each([
    ['below a title', 'My set\n\nmessage,tags\nA?,x\n\nB?\n', [4, 6], ['A?|x', 'B?|']],
    ['with line breaks in cells', 'message,tags\n"A\nor B?",x\nC?,y\n', [2, 4], ['A\nor B?|x', 'C?|y']],
  ])('shows the rows of a set %s, each with its line', async (_, content, lines, rows) => {
    const { table, faults } = await readSet(fileOf(content))
    expect([faults, table.columns, table.isEditable]).toEqual([[], ['message', 'tags'], true])
    expect(table.rows.map(({ line }) => line)).toEqual(lines)
    expect(table.rows.map(({ cells }) => cells.join('|'))).toEqual(rows)
  })

  test('shows a workbook by its displayed cells, and a sheet by its name', async () => {
    const sheet = textRow('message', 'weight') + textRow('A?', '3')
    const path = fileOf(workbookOf({ One: sheet, Two: textRow('message') + textRow('B?') }), 'set.xlsx')
    const row = ['A?', '3']
    expect(await tableOf(path)).toEqual([['message', 'weight'], row])
    expect(await tableOf(`${path}#Two`)).toEqual([['message'], ['B?']])
  })

  test('shows the cells of results without what defuses them', async () => {
    const path = fileOf(resultsOf([{ id: '1', message: '-1 or +1?', answer: '=x' }]))
    const { table, faults } = await readSet(path)
    expect(faults).toEqual([])
    const [row] = table.rows
    const at = (name: string): string | undefined => row?.cells[table.columns.indexOf(name)]
    expect([at('message'), at('answer')]).toEqual(['-1 or +1?', '=x'])
  })

  test('gives every fault with its line and row, and shows the rows that have them', async () => {
    const { table, faults, survey } = await readSet(
      fileOf('id,message,turn\n1,A?,1,left over\n\n2,,1\n3,"B\n?",x\n4,C?,\n'),
    )
    expect(faults.map(({ line, row, message }) => `${line} ${row} ${message.slice(0, 15)}`)).toEqual([
      '2 0 the row has 4 c',
      '4 1 the row has no ',
      '5 2 turn "x" is not',
    ])
    expect(table.rows.map(({ line, cells }) => `${line}: ${cells.length}`)).toEqual([
      '2: 4',
      '4: 3',
      '5: 3',
      '7: 3',
    ])
    expect([table.isEditable, survey]).toEqual([true, null])
  })

  test.each([
    ['an open quote', 'message\nA?\n"B?\nC?\n'],
    ['a quote that swallows a row', 'message,tags\n"A" b?,x\nC?,y\n'],
    ['no header', ''],
  ])('lets nobody edit a table that lacks rows: %s', async (_, content) => {
    const { table, faults } = await readSet(fileOf(content))
    expect(faults.length).toBeGreaterThan(0)
    expect(table.isEditable).toBe(false)
  })

  test('lets nobody edit a set that is shipped, and the results of a run', async () => {
    const results = fileOf(resultsOf([{ id: '1', message: 'A?' }]), 'results.csv')
    const isEditable = async (path: string): Promise<boolean> => (await readSet(path)).table.isEditable
    expect([await isEditable(SHIPPED_QUESTIONS), await isEditable(results)]).toEqual([false, true])
    writeFileSync(join(dirname(results), 'run.json'), '{}')
    expect(await isEditable(results)).toBe(false)
    for (const path of [SHIPPED_QUESTIONS, results])
      await expect(saveSet(path, ['message'], [['A?']])).rejects.toThrow(UsageError)
  })

  test('surveys and estimates a valid set', async () => {
    const path = fileOf(
      'Nr,Frage,thread,tags,owner\n1,Mail anna@example.com?,t,a,o\n2,B?,t,b,o\n3,b?,,b,o\n4,B?,,b,o\n',
    )
    const options = { column: ['message=Frage'], quota: 100, rate: '1/s' }
    const { survey, estimate, faults } = await readSet(path, options)
    expect(faults).toEqual([])
    expect(survey).toMatchObject({
      turns: 4,
      threads: 3,
      tags: { a: 1, b: 3 },
      equalQuestions: [[{ line: 4 }, { line: 5 }]],
    })
    expect(estimate).toMatchObject({
      calls: { base: 4, worst: 8 },
      time: { ms: 6000, bound: 'at least' },
      quota: { shareOfQuota: { base: 0.04 } },
    })
  })
})

describe('saveSet', () => {
  const ODD = [
    ['=1+1', "'=1", '  spaced  ', ''],
    ['-a', '"quoted"', 'a,b;c\td', 'x\\|y'],
    ['line\nbreak', '\ttab', '#N/A', 'äöü 日本 🙂'],
  ]

  test.each([
    ['a set', ['message', 'tags', 'own', 'expect_contains']],
    ['a set of one column', ['message']],
  ])('gives back every cell of %s as it was typed', async (_, columns) => {
    const path = newPath()
    const rows = ODD.map((cells) => cells.slice(0, columns.length))
    expect(await saveSet(path, columns, rows)).toMatchObject({ kind: 'saved', path })
    expect(await tableOf(path)).toEqual([columns, ...rows])
  })

  test('gives back the cells of results as they were typed, and defuses them', async () => {
    const path = fileOf(resultsOf([{ id: '1', message: '=1', answer: "'=2" }]))
    const { table } = await readSet(path)
    const rows = table.rows.map(({ cells }) => cells.map((cell) => (cell === '=1' ? '=3' : cell)))
    await saveSet(path, table.columns, rows)
    expect(await tableOf(path)).toEqual([table.columns, ...rows])
    expect(textOf(path)).toContain("'=3")
  })

  test('keeps the last version beside it, unless nothing has changed', async () => {
    const path = fileOf('message\nA?\n')
    const previous = join(dirname(path), 'set.previous.csv')
    for (const message of ['B?', 'B?', 'C?', 'C?']) await saveSet(path, ['message'], [[message]])
    expect([textOf(path), textOf(previous)]).toEqual(['message\nC?\n', 'message\nB?\n'])
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['set.csv', 'set.previous.csv'])
  })

  test('lets nobody read it who could not read it before', async () => {
    const path = fileOf('message\nA?\n')
    chmodSync(path, 0o600)
    await saveSet(path, ['message'], [['B?']])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(path.replace('.csv', '.previous.csv')).mode & 0o777).toBe(0o600)
  })

  test('leaves a file as it is if the table has faults, and names the row of each', async () => {
    const path = fileOf('message\nA?\n')
    const rows = ['1|A?|', '||', '2|B\n?|', '2|C?|', '3|D?|x', '4|E?||more'].map((row) => row.split('|'))
    const saved = await saveSet(path, ['id', 'message', 'turn'], rows)
    expect(saved.kind === 'faulty' && saved.faults.map(({ line, row }) => `${line} ${row}`)).toEqual([
      '6 3',
      '7 4',
      '8 5',
    ])
    expect([textOf(path), readdirSync(dirname(path))]).toEqual(['message\nA?\n', ['set.csv']])
  })

  test.each([
    ['no message column', ['title'], [['A?']]],
    ['no rows', ['message'], []],
    ['only empty rows', ['message'], [[''], [' ']]],
    ['a NUL byte', ['message'], [['A\0?']]],
  ])('finds a fault of the whole table: %s', async (_, columns, rows) => {
    const path = newPath()
    expect((await saveSet(path, columns, rows)).kind).toBe('faulty')
    expect(existsSync(path)).toBe(false)
  })

  test('writes nothing that would be read differently', async () => {
    const path = newPath()
    await expect(saveSet(path, ['sep=;', 'message;x'], [['a', 'A?;B?']])).rejects.toThrow(UsageError)
    await expect(saveSet(path, ['message'], [['A\ud800?']])).rejects.toThrow('odd characters')
    expect(existsSync(path)).toBe(false)
  })

  test('reads a renamed column as it was read before', async () => {
    const path = newPath()
    const rows = [['A?']]
    expect((await saveSet(path, ['Frage'], rows)).kind).toBe('faulty')
    expect((await saveSet(path, ['Frage'], rows, { column: ['message=Frage'] })).kind).toBe('saved')
  })

  test('saves a workbook as CSV beside it, and replaces no other file', async () => {
    const path = fileOf(workbookOf({ One: textRow('message') + textRow('A?') }), 'set.xlsx')
    const before = readFileSync(path)
    const csv = join(dirname(path), 'set.csv')
    expect(await saveSet(path, ['message'], [['B?']])).toMatchObject({ kind: 'saved', path: csv })
    expect([textOf(csv), readFileSync(path).equals(before)]).toEqual(['message\nB?\n', true])
    await expect(saveSet(`${path}#One`, ['message'], [['C?']])).rejects.toThrow(`${csv} is there already`)
    expect(textOf(csv)).toBe('message\nB?\n')
  })

  test.each<[string, string, BufferEncoding]>([
    ['as Excel writes it', '\ufeffsep=;\r\nid;message;note\r\n1;Wie ändere ich es?;"a;b"\r\n', 'utf8'],
    ['with a mark and tabs', '\ufeffid\tmessage\tnote\n1\tWie ändere ich es?\ta;b\n', 'utf8'],
    ['as UTF-16', '\ufeffid;message;note\r\n1;Wie ändere ich es?;a,b\r\n', 'utf16le'],
    ['as Windows-1252', 'id;message;note\r\n1;Wie ändere ich es?;a,b\r\n', 'latin1'],
  ])('keeps encoding, mark, separator and line ends of a set %s', async (_, content, encoding) => {
    const path = fileOf(Buffer.from(content, encoding))
    const { table } = await readSet(path)
    const rows = table.rows.map(({ cells }) => cells.map((cell) => cell.replace('ich', 'i')))
    await saveSet(path, table.columns, rows)
    expect(readFileSync(path).toString(encoding)).toBe(content.replace('ich', 'i'))
    // A letter that this encoding lacks makes it UTF-8, with the mark that Excel needs.
    await saveSet(path, table.columns, [['1', '日本?', '']])
    expect(await tableOf(path)).toEqual([table.columns, ['1', '日本?', '']])
  })

  test('takes the last change back, and no other', async () => {
    const path = fileOf('message\nA?\n')
    const save = async (message: string, to = path) => {
      const saved = await saveSet(to, ['message'], [[message]])
      if (saved.kind !== 'saved' || saved.change === null) throw new Error('nothing was saved')
      return saved.change
    }
    const [first, second] = [await save('B?'), await save('C?')]
    await expect(undoSet(path, first)).rejects.toThrow('has been changed since')
    await undoSet(path, second)
    expect(textOf(path)).toBe('message\nB?\n')
    // What it replaced is gone: another change came between.
    await expect(undoSet(path, first)).rejects.toThrow('has been changed since')
    expect(textOf(path)).toBe('message\nB?\n')
    const made = join(dirname(path), 'made.csv')
    await undoSet(made, await save('A?', made))
    expect(existsSync(made)).toBe(false)
    expect(await saveSet(path, ['message'], [['B?']])).toMatchObject({ change: null })
  })

  test('tells a fault of the disk from others', async () => {
    await expect(saveSet(join(newPath(), 'set.csv'), ['message'], [['A?']])).rejects.toThrow(StorageError)
  })
})

describe('addToSet', () => {
  const SET = 'id,message,expect_contains,own\n1,A?,x,o\n2,B?,,p\n'

  const ADDED = new URL('added-cells.ndjson', import.meta.url)
  test.each(readRows<[string, cells: Record<string, string>, text: string]>(ADDED))(
    '%s',
    async (_, cells, expected) => {
      const path = fileOf(SET)
      expect(await addToSet(path, cells)).toMatchObject({ kind: 'saved', path })
      expect(textOf(path)).toBe(expected)
    },
  )

  test('knows a question by the id that was derived for it', async () => {
    const path = fileOf('Question\nA?\nB?\n')
    const id = createIdDeriver([])({ thread: '', turn: undefined, message: 'B?' })
    await addToSet(path, { id, message: 'C?', expect_contains: 'b' })
    expect(textOf(path)).toBe('Question,expect_contains\nA?,\nC?,b\n')
    await expect(addToSet(path, { id: 'q-unknown', expect_contains: 'b' })).rejects.toThrow('q-unknown')
  })

  test('tells the same message of two conversations apart', async () => {
    const path = fileOf('thread,turn,message\na,1,A?\na,2,Yes\nb,1,B?\nb,2,Yes\n')
    await addToSet(path, { thread: 'b', turn: '2', message: 'Yes', expect_contains: 'x' })
    await addToSet(path, { thread: 'c', turn: '1', message: 'Yes' })
    expect(textOf(path)).toBe(
      'thread,turn,message,expect_contains\na,1,A?,\na,2,Yes,\nb,1,B?,\nb,2,Yes,x\nc,1,Yes,\n',
    )
  })

  test('sets the cell of every repeat in results', async () => {
    const repeats = ['1', '2'].map((repeat) => ({ id: '1', repeat, message: 'A?' }))
    const path = fileOf(resultsOf(repeats))
    expect((await addToSet(path, { id: '1', tags: 'x' })).kind).toBe('saved')
    expect((await readSet(path)).survey?.tags).toEqual({ x: 1 })
  })

  test('makes a set that is not there, of the columns of the cells', async () => {
    const path = newPath()
    await addToSet(path, { message: 'A?', expect_contains: 'a|b' })
    expect(textOf(path)).toBe('message,expect_contains\nA?,a\\|b\n')
  })

  test('changes no set with faults, none of another tool, and none to a faulty one', async () => {
    const faulty = fileOf('id,message\n1,A?\n1,B?\n')
    const foreign = fileOf('question,answer\nA?,a\n')
    const valid = fileOf('message\nA?\n')
    const before = [faulty, foreign, valid].map(textOf)
    const added = await addToSet(faulty, { message: 'C?' })
    expect(added).toMatchObject({ kind: 'faulty', faults: [{ line: 3, row: 1 }] })
    await expect(addToSet(foreign, { message: 'C?' })).rejects.toThrow('cannot be added to')
    expect((await addToSet(valid, { message: 'C?', weight: 'many' })).kind).toBe('faulty')
    expect([faulty, foreign, valid].map(textOf)).toEqual(before)
  })
})
