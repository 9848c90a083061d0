// Quotes as people write them: what is plain is taken, what could mean two things is a fault (see the broken records).
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { messagesOf, questionsOf, readSound, writeSet } from './reading-files.ts'

const folder = temporaryFolder()

describe('a message', () => {
  test.each([
    ['a quote inside an unquoted cell', '5" pipe', '5" pipe'],
    ['quoted words inside an unquoted cell', 'say "hi" now', 'say "hi" now'],
    ['a quote at its end', 'the 5"', 'the 5"'],
    ['doubled quotes', '"say ""hi"", please"', 'say "hi", please'],
    ['only a quote', '""""', '"'],
    ['white space before the quote', '  "a, b"', 'a, b'],
    ['white space around the quotes', ' "a ""b"", c" ', 'a "b", c'],
    ['a no-break space before the quote', '\u00a0"a ""b"", c"', 'a "b", c'],
    ['white space within the quotes', '"  a  "', 'a'],
    ['a line end in quotes', '"a\n\nb"', 'a\n\nb'],
    ['an apostrophe that looks like a defused formula', `'=1+1`, `'=1+1`],
    ['a formula', '=HYPERLINK("x")', '=HYPERLINK("x")'],
    ['no-break and wide spaces around it', '\u00a0\u3000a\u00a0', 'a'],
    ['letters of several code points', 'e\u0301👩‍👩‍👧 नमस्ते', 'e\u0301👩‍👩‍👧 नमस्ते'],
  ])('with %s', async (_name, cell, message) => {
    const set = await readSound(writeSet(folder, `id,message,owner\n1,${cell},x\n2,next,y\n`))
    expect(messagesOf(set)).toEqual([message, 'next'])
    expect(questionsOf(set).map(({ cells }) => cells['owner'])).toEqual(['x', 'y'])
  })
})
