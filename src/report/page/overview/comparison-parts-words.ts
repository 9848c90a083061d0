// What the overview says of a comparison's parts: its runs, lists, tables and trend.
import { digits, plural } from '../../../domain/text.ts'
import { are } from './format.ts'

export const COMPARISON_PARTS = {
  runs: {
    caption: 'Runs, the baseline first',
    header: ['run', 'part', 'asked', 'started', 'turns', 'state'],
    left: (count: number) => `${plural(count, 'more run')} ${are(count, 'is', 'are')} in comparison.json.`,
    whole: (count: number) => `All ${digits(count)} runs together:`,
    others: 'Each of them has a page of its own beside this one.',
    other: (candidate: string, baseline: string) => `${candidate} compared with ${baseline}`,
    file: (name: string) => `(${name})`,
    baseline: 'baseline',
    candidate: 'candidate',
    unknown: 'unknown',
  },
  changes: {
    caption: 'Questions by what became of them; a question may stand in several rows',
    header: ['what became of them', 'questions'],
    mustPass: 'must pass',
    signs: { worse: '▼', better: '▲', drift: '≠', noise: '≈', same: '=' },
    meanings: { worse: 'worse', better: 'better', drift: 'other', noise: 'chance', same: 'as before' },
    was: (text: string) => `was: ${text}`,
  },
  matrix: {
    caption:
      'Turns by the source of their answer: rows before, columns now. ▼ left the knowledge base, ▲ came to it; the more a cell holds, the stronger its colour.',
    corner: 'before ↓ now →',
    rest: 'others',
    kinds: {
      kept: 'kept',
      worse: 'left the knowledge base',
      better: 'came to the knowledge base',
      moved: 'moved',
    },
  },
  figures: { caption: 'Baseline and candidate, with 95 % intervals of the differences' },
  tags: {
    caption: 'Tags whose difference is more than chance makes',
    none: (tested: number) => `None of ${plural(tested, 'tag')} differs by more than chance makes.`,
  },
  settings: {
    caption: 'Settings of both runs, and what follows from their difference',
    header: ['setting', 'baseline', 'candidate', 'what follows'],
  },
  trend: {
    caption: 'Figures of each run, the baseline first',
    description: 'The baseline is at the left, the latest run at the right.',
    numbers: (names: string) => `Runs: ${names}.`,
    left: (count: number) => `${plural(count, 'more run')} between are in comparison.json`,
  },
} as const
