// `npm run bench -- draft [FOLDER]`: what `draft` makes of tickets as people write them (tickets-messy.csv and its key,
// which holds what each asks and who signed it; the folder, else ASSIST_DATA), and the time of 20,000 tickets.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { inFolder, measure, measureRow, readCsv, row } from './measured.ts'

const data = process.argv[2] ?? process.env['ASSIST_DATA'] ?? ''
const tokensOf = (text = ''): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

async function measureMatter(folder: string): Promise<void> {
  const key = readCsv(join(data, 'tickets-messy-key.csv'))
  await measure(folder, ['draft', join(data, 'tickets-messy.csv'), '--out', 'all.csv'])
  const drafted = readCsv(join(folder, 'all.csv'))
  const texts = drafted.map(({ message = '' }) => new Set(tokensOf(message)))
  /** The largest share of the words of a ticket that one drafted question has. */
  const keptOf = (core: string[]): number =>
    Math.max(...texts.map((text) => core.filter((token) => text.has(token)).length / core.length))
  const kept = key.map(({ core }) => keptOf(tokensOf(core)))
  const named = drafted.filter(({ message = '' }) => key.some(({ name = '' }) => message.includes(name)))
  const personal = drafted.filter(({ message = '' }) => /\S@\S+\.\w|\+?\d[\d /()-]{7,}\d/.test(message))
  const percent = (count: number, of: number): string => ((100 * count) / of).toFixed(1)
  row(`${key.length} tickets, ${drafted.length} questions`, '%')
  row(
    'with ≥ 95 % of the words of their matter: goal ≥ 95',
    percent(kept.filter((part) => part >= 0.95).length, kept.length),
  )
  row(
    'lost, with less than half of them: goal 0',
    percent(kept.filter((part) => part < 0.5).length, kept.length),
  )
  row('questions with a name: goal ≤ 2', percent(named.length, drafted.length))
  row('questions with an address or number: goal ≤ 2', percent(personal.length, drafted.length))
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
