// Misspelt names to known ones.
import { expect, test } from 'vitest'
import { suggest } from '../../src/dataset/suggestion.ts'

const names = ['message', 'tags', 'expectcontains', 'expectsource', 'id', 'label']

test.each([
  ['mesage', 'message'],
  ['massage', 'message'],
  ['emssage', 'message'],
  ['expectcontain', 'expectcontains'],
  ['expectscontain', 'expectcontains'],
  ['tgas', 'tags'],
  ['lable', 'label'],
  ['ids', undefined],
  ['it', undefined],
  ['owner', undefined],
  ['tax', undefined],
  ['passage', undefined],
])('%s is meant to be %s', (word, name) => {
  expect(suggest(word, names)).toBe(name)
})
