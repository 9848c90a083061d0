// `npm run bench -- draft [FOLDER]`: what `draft` makes of tickets as people write them (tickets-messy.csv and its
// key: what each asks, and who signed it; the folder, else ASSIST_DATA), and the time of 20,000 tickets.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { htmlToText } from '../../src/articles/html.ts'
import { readExports } from '../../src/dataset/draft/export.ts'
import { countEach } from '../../src/domain/counts.ts'
import { printGoal } from './goals.ts'
import { inFolder, measure, measureRow, readCsv, row } from './measured.ts'

const data = process.argv[2] ?? process.env['ASSIST_DATA'] ?? ''
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-.'’][\p{L}\p{N}]+)*/gu) ?? []
const MASK = /\[(?:name|e-mail|phone|card|account|link)\]/g

/** Matches addresses, telephone and account numbers of the tickets, and each word of a name of the key. */
function personalIn(names: readonly string[]): RegExp {
  const words = new Set(
    names.flatMap((name) => name.split(/[ -]/)).filter((word) => /^\p{Lu}.*\p{L}$/u.test(word)),
  )
  return new RegExp(
    String.raw`[^\s<>;,]+@[\w.-]+\w|\+\d{2} [\d ]{8,}\d|\b0\d{2,4} (?:/ )?\d{7,8}(?:-\d+)?|\bDE\d{2}(?: \d{4}){4} \d\d` +
      String.raw`|(?<!\p{L})(?:${[...words].join('|')}|Beispielmann)(?!\p{L})`,
    'gu',
  )
}

async function measureMatter(folder: string): Promise<void> {
  const key = readCsv(join(data, 'tickets-messy-key.csv'))
  await measure(folder, ['draft', join(data, 'tickets-messy.csv'), '--out', 'all.csv'])
  const drafted = readCsv(join(folder, 'all.csv'))
  const personal = personalIn(key.map(({ name = '' }) => name))
  const texts = drafted.map(({ message = '' }) => new Set(wordsOf(message)))
  const matters = key.map(({ core = '' }) => {
    const words = wordsOf(core.replaceAll(personal, ' '))
    return {
      words: words.length,
      kept: Math.max(...texts.map((text) => words.filter((word) => text.has(word)).length)),
    }
  })
  const shareOf = (isSo: (share: number) => boolean): number =>
    (100 * matters.filter(({ kept, words }) => isSo(kept / words)).length) / key.length
  const sumOf = (of: 'kept' | 'words'): number => matters.reduce((sum, matter) => sum + matter[of], 0)
  row(`${key.length} tickets, ${drafted.length} questions`, '%', 'goal')
  printGoal(
    'draftLost',
    shareOf((share) => share < 0.5),
  )
  printGoal(
    'draftKept',
    shareOf((share) => share >= 0.95),
  )
  printGoal('draftMissing', 100 - (100 * sumOf('kept')) / sumOf('words'))
  const all = drafted.map(({ message = '', original = '' }) => `${message}\n${original}`).join('\n')
  const [unmasked, masks] = [countOf(all, personal), countOf(all, MASK)]
  printGoal('draftMasked', (100 * masks) / (unmasked + masks))
  const read = await readExports([join(data, 'tickets-messy.csv')])
  const tickets = 'faults' in read ? [] : read.tickets
  const plain = new Map(
    tickets.map(({ id, turns: [first] }) => [id, htmlToText(Object.values(first ?? {}).join('\n\n'))]),
  )
  const others = drafted.flatMap(({ id, original = '' }) => {
    const left = countEach(wordsOf(original.replaceAll(MASK, ' ')))
    const words = countEach(wordsOf((plain.get(id ?? '') ?? '').replaceAll(personal, ' ')))
    return [...words].map(([word, count]) => ({ count, masked: Math.max(0, count - (left.get(word) ?? 0)) }))
  })
  const total = (of: 'count' | 'masked'): number => others.reduce((sum, other) => sum + other[of], 0)
  printGoal('draftHarmless', (100 * total('masked')) / total('count'))
}

async function measureTime(folder: string): Promise<void> {
  const tickets = Array.from({ length: 20_000 }, (_, index) => [
    String(index),
    'Question',
    `Hi Tom,\n\nHow do I reset the password of device ${index % 997}? I tried it twice, see ${100_000 + index}.\n\nBest regards,\nMary Smith\nmary${index}@example.com`,
  ])
  writeFileSync(join(folder, 'tickets.csv'), stringify([['Ticket ID', 'Subject', 'Description'], ...tickets]))
  row('20,000 tickets', 'seconds', 'peak MB')
  await measureRow('draft', folder, 'draft tickets.csv --out all-tickets.csv'.split(' '))
  await measureRow('draft --limit 200', folder, 'draft tickets.csv --limit 200 --out some.csv'.split(' '))
}

await inFolder(async (folder) => {
  if (existsSync(join(data, 'tickets-messy.csv'))) await measureMatter(folder)
  else console.log('Skipped the matter: no tickets-messy.csv. Give its folder, or set ASSIST_DATA.')
  await measureTime(folder)
})
